package neural

import (
	"math"

	"banditsim/bandit/stream"
	"banditsim/internal/kernel"
	"banditsim/internal/lists"
	"banditsim/internal/state"
	"banditsim/nn"
	"banditsim/posterior/neural/internal/replay"
)

// regression is the Target of a network f that learns rewards from a replay buffer. Its energy is estimated from a
// batch B of n rows (context cᵢ, arm aᵢ, reward rᵢ), and has the scale of N rows:
//
//	Û(x) = (N/n) Σ_{i∈B} (f_x(cᵢ)[aᵢ] − rᵢ)²,  g = ∇Û(x) + λx
type regression struct {
	model     *nn.Network
	passes    *lists.Free[*nn.Pass] // shared by the chains of a network
	buffer    *replay.Buffer
	batch     replay.Batch
	batchSize int
	dataSize  float64   // N
	prior     []penalty // λ
	anchor    []float32 // x₀, means of the prior; nil: 0
	scale     *scale    // units of the rewards
	offsets   []float64 // subtracted from the standardized rewards, one for each slot of the buffer; nil: none
	noise     []float64 // added to the rewards, slot by slot, in units of reward (with own_scale: of their noise); nil: none
	dropout   *nn.Dropout
	rand      *stream.Stream // draws the batches
	reference *reference     // reduces the variance of the energy; nil: the energy is that of the batch
	counts    []float64      // how often each row counts, slot by slot; nil: once
}

var _ chainTarget = (*regression)(nil)

func (t *regression) Dim() int { return t.model.Dim() }

func (t *regression) rescale([]float32, float64) {}

func (t *regression) EnergyGrad(grad, x []float32) (float64, error) {
	t.draw()
	pass := t.passes.Take()
	defer t.passes.Give(pass)
	return t.energyGrad(pass, grad, x, pass.Forward(x, &t.batch.Rows, t.dropout)), nil
}

// energyGrad returns the energy of the batch, given the outputs that the pass has just computed, and writes the
// gradient, which includes the term of the prior.
func (t *regression) energyGrad(pass *nn.Pass, grad, x, out []float32) float64 {
	energy := squaredError(out, &t.batch, t.counts, t.dataSize/float64(t.batch.Rows.N))
	pass.Backward(grad, x, out)
	t.addPrior(grad, x)
	if t.reference != nil {
		energy += t.reference.correction(t, pass, x)
	}
	return energy
}

// draw draws t.batch.
func (t *regression) draw() {
	t.batch.Draw(t.buffer, t.batchSize, t.rand)
	t.setTargets(&t.batch)
}

// setTargets replaces the rewards of a batch by the targets of the fit: standardized rewards minus offsets plus noise.
func (t *regression) setTargets(b *replay.Batch) {
	unit := t.scale.noise()
	for i := range b.Rewards {
		r := &b.Rewards[i]
		*r = t.scale.standard(*r)
		if t.offsets != nil {
			*r -= t.offsets[b.Slots[i]]
		}
		if t.noise != nil {
			*r += float64(unit * t.noise[b.Slots[i]])
		}
	}
}

// squaredError returns scale·Σᵢ nᵢ(outᵢ[aᵢ] − rᵢ)² over a batch, where nᵢ is the count of row i, or 1 if counts is nil.
// It replaces out by the derivative with respect to out, which is 0 for the arms that were not chosen.
func squaredError(out []float32, b *replay.Batch, counts []float64, scale float64) float64 {
	energy, width := 0.0, len(out)/len(b.Arms)
	for i, arm := range b.Arms {
		row := out[i*width : (i+1)*width]
		residual := float64(row[arm]) - b.Rewards[i]
		weighted := residual
		if counts != nil {
			weighted *= counts[b.Slots[i]]
		}
		energy += float64(weighted * residual)
		clear(row)
		row[arm] = float32(2 * scale * weighted)
	}
	return scale * energy
}

// addPrior adds λ(x − x₀) to the gradient, where x₀ is the mean of the prior.
func (t *regression) addPrior(grad, x []float32) {
	for _, p := range t.prior {
		lambda := float32(t.scale.lambda(p))
		kernel.Axpy(grad[p.first:p.end], lambda, x[p.first:p.end])
		if t.anchor != nil {
			kernel.Axpy(grad[p.first:p.end], -lambda, t.anchor[p.first:p.end])
		}
	}
}

// Penalty returns Σ λ‖x − x₀‖²/2, summed over the groups of parameters, each with its own λ.
func (t *regression) Penalty(x []float32) float64 {
	penalty := 0.0
	for _, p := range t.prior {
		sum := 0.0
		for i, v := range x[p.first:p.end] {
			if t.anchor != nil {
				v -= t.anchor[p.first+i]
			}
			sum += float64(v) * float64(v) // the square of a float32 is exact in float64, so FMA gives the same result
		}
		penalty += float64(t.scale.lambda(p) / 2 * sum)
	}
	return penalty
}

func (t *regression) state(c *state.Codec) {
	c.Object(t.rand)
	if t.anchor != nil {
		c.Float32s(t.anchor) // with own_scale it is rescaled when the inputs are standardized anew
	}
	if t.dropout != nil {
		c.Object(t.dropout.Rand)
	}
	if t.reference != nil {
		t.reference.state(c, t.buffer)
	}
}

// newPasses returns a free list of passes for batches of up to batch rows.
func newPasses(model *nn.Network, batch int) *lists.Free[*nn.Pass] {
	return &lists.Free[*nn.Pass]{Make: func() *nn.Pass { return model.NewPass(batch) }}
}

// A reference is the control variate of a variance-reduced energy (the VR estimator in the paper's appendix; Deng et
// al., Accelerating Convergence of Replica Exchange SGMCMC via Variance Reduction, ICLR 2021): an earlier position x̃
// of the chain, where the energy U_i of every row of the buffer is known. If the buffer has L rows and the batch B has
// n of them, then, scaled to N rows,
//
//	Ũ(x) = (N/n) Σ_{i∈B} (U_i(x) − U_i(x̃)) + (N/L) Σ_i U_i(x̃)
//
// has the same mean as the batch's energy, and less variance the nearer x is to x̃. Every q steps, and when the buffer
// has changed, x̃ is renewed, which costs a forward pass over the buffer. The gradient remains that of the batch.
type reference struct {
	refresh  int       // q
	age      int       // steps since x̃ was set
	added    int       // buffer.Added at the last renewal
	energies []float64 // U_i(x̃), slot by slot
	sum      float64   // Σ_i U_i(x̃)
	batch    replay.Batch
}

// correction returns Ũ(x) minus the energy of the current batch.
func (f *reference) correction(t *regression, pass *nn.Pass, x []float32) float64 {
	if f.energies == nil || f.age >= f.refresh || f.added != t.buffer.Added {
		f.renew(t, pass, x)
	}
	f.age++
	batch := 0.0
	for _, slot := range t.batch.Slots {
		batch += f.energies[slot]
	}
	return t.dataSize * (f.sum/float64(t.buffer.N) - batch/float64(len(t.batch.Slots)))
}

// renew sets x̃ to x and computes the energies of all rows at x̃, without dropout.
func (f *reference) renew(t *regression, pass *nn.Pass, x []float32) {
	n := t.buffer.N
	f.age, f.added, f.sum = 0, t.buffer.Added, 0
	f.energies = f.energies[:0]
	for first := 0; first < n; first += t.batchSize {
		f.batch.Fill(t.buffer, first, min(first+t.batchSize, n))
		t.setTargets(&f.batch)
		out := pass.Forward(x, &f.batch.Rows, nil)
		arms := len(out) / f.batch.Rows.N
		for i, reward := range f.batch.Rewards {
			residual := float64(out[i*arms+int(f.batch.Arms[i])]) - reward
			energy := float64(residual * residual)
			if t.counts != nil {
				energy *= t.counts[f.batch.Slots[i]]
			}
			f.energies = append(f.energies, energy)
			f.sum += energy
		}
	}
}

func (f *reference) state(c *state.Codec, buffer *replay.Buffer) {
	c.Int("age of a reference", &f.age, 0, math.MaxInt)
	c.Int("rows of a reference", &f.added, 0, math.MaxInt)
	c.Float64(&f.sum)
	f.energies = state.Resize(c, "energies of a reference", f.energies, buffer.N)
	c.Float64s(f.energies)
}
