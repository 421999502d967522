package posterior

import (
	"banditsim/bandit/stream"
	"banditsim/internal/kernel"
	"banditsim/nn"
)

// regression is the Target of a network that learns rewards from a replay
// buffer. Its energy, estimated from a batch B of n rows, is on the scale of N
// data (algorithms.md, section 2):
//
//	Û(x) = (N/n) Σ_{i∈B} (f_x(cᵢ)[aᵢ] − rᵢ)²,  g = ∇Û(x) + λx
type regression struct {
	net         *nn.MLP
	workspaces  *freeList[*nn.Workspace] // shared by the chains of a network
	buffer      *Replay
	batch       Batch
	batchSize   int
	dataSize    float64 // N
	weightDecay float64 // λ
	dropout     *nn.Dropout
	rand        *stream.Stream // draws the batches
}

var _ Target = (*regression)(nil)

func (t *regression) Dim() int { return t.net.Dim() }

func (t *regression) EnergyGrad(grad, x []float32) (float64, error) {
	t.batch.Draw(t.buffer, t.batchSize, t.rand)
	workspace := t.workspaces.take()
	defer t.workspaces.give(workspace)
	workspace.Forward(x, &t.batch.Rows, t.dropout)
	scale := t.dataSize / float64(t.batch.Rows.N)
	energy := workspace.SquaredError(grad, x, t.batch.Arms, t.batch.Rewards, scale)
	kernel.Axpy(grad, float32(t.weightDecay), x)
	return energy, nil
}

// newWorkspaces returns the workspaces for batches of up to batch rows.
func newWorkspaces(net *nn.MLP, batch int) *freeList[*nn.Workspace] {
	return &freeList[*nn.Workspace]{make: func() *nn.Workspace { return net.NewWorkspace(batch) }}
}
