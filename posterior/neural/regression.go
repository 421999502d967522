package neural

import (
	"banditsim/bandit/stream"
	"banditsim/internal/freelist"
	"banditsim/internal/kernel"
	"banditsim/internal/state"
	"banditsim/nn"
	"banditsim/posterior"
)

// regression is the Target of a network that learns rewards from a replay
// buffer. Its energy, estimated from a batch B of n rows, is on the scale of N
// data (algorithms.md, section 2):
//
//	Û(x) = (N/n) Σ_{i∈B} (f_x(cᵢ)[aᵢ] − rᵢ)²,  g = ∇Û(x) + λx
type regression struct {
	net         *nn.MLP
	workspaces  *freelist.List[*nn.Workspace] // shared by the chains of a network
	buffer      *Replay
	batch       Batch
	batchSize   int
	dataSize    float64 // N
	weightDecay float64 // λ
	dropout     *nn.Dropout
	rand        *stream.Stream // draws the batches
	reference   *reference     // reduces the energy's variance; nil: it does not
}

var (
	_ posterior.Target    = (*regression)(nil)
	_ posterior.Penalized = (*regression)(nil)
)

func (t *regression) Dim() int { return t.net.Dim() }

func (t *regression) EnergyGrad(grad, x []float32) (float64, error) {
	t.batch.Draw(t.buffer, t.batchSize, t.rand)
	workspace := t.workspaces.Take()
	defer t.workspaces.Give(workspace)
	workspace.Forward(x, &t.batch.Rows, t.dropout)
	scale := t.dataSize / float64(t.batch.Rows.N)
	energy := workspace.SquaredError(grad, x, t.batch.Arms, t.batch.Rewards, scale)
	kernel.Axpy(grad, float32(t.weightDecay), x)
	if t.reference != nil {
		energy += t.reference.correction(t, workspace, x)
	}
	return energy, nil
}

// Penalty returns the prior's share of the energy.
func (t *regression) Penalty(x []float32) float64 {
	sum := 0.0
	for _, v := range x {
		sum += float64(v) * float64(v) // exact: fused or not, the same bits
	}
	return t.weightDecay / 2 * sum
}

func (t *regression) save(w *state.Writer) {
	w.Object(t.rand)
	if t.dropout != nil {
		w.Object(t.dropout.Rand)
	}
	if t.reference != nil {
		t.reference.save(w)
	}
}

func (t *regression) restore(r *state.Reader) {
	r.Object(t.rand)
	if t.dropout != nil {
		r.Object(t.dropout.Rand)
	}
	if t.reference != nil {
		t.reference.restore(r, t.buffer)
	}
}

// newWorkspaces returns the workspaces for batches of up to batch rows.
func newWorkspaces(net *nn.MLP, batch int) *freelist.List[*nn.Workspace] {
	return &freelist.List[*nn.Workspace]{Make: func() *nn.Workspace { return net.NewWorkspace(batch) }}
}
