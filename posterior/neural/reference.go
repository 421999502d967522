package neural

import (
	"math"

	"banditsim/internal/state"
	"banditsim/nn"
	"banditsim/posterior/neural/internal/replay"
)

// reference is the control variate of the paper's variance-reduced energy (the VR estimator of its appendix; Deng et
// al., Accelerating Convergence of Replica Exchange SGMCMC via Variance Reduction, ICLR 2021): an earlier position x̃
// of the chain, where the energy U_i of every row of the buffer is known. With a batch B of n rows of the buffer's L,
// on the scale of N data,
//
//	Ũ(x) = (N/n) Σ_{i∈B} (U_i(x) − U_i(x̃)) + (N/L) Σ_i U_i(x̃)
//
// has the mean of the batch's energy, and less variance the nearer x is to x̃. x̃ is renewed every q steps and when the
// buffer has changed, which costs a forward pass over the buffer. The gradient is the batch's.
type reference struct {
	every    int       // q
	age      int       // steps since x̃ was set
	added    int       // rows that the buffer had had by then
	energies []float64 // U_i(x̃), slot by slot
	sum      float64   // Σ_i U_i(x̃)
	batch    replay.Batch
}

// correction returns Ũ(x) less the energy of the target's present batch.
func (f *reference) correction(t *regression, pass nn.Pass, x []float32) float64 {
	if f.energies == nil || f.age >= f.every || f.added != t.buffer.Added {
		f.renew(t, pass, x)
	}
	f.age++
	batch := 0.0
	for _, slot := range t.batch.Slots {
		batch += f.energies[slot]
	}
	return t.dataSize * (f.sum/float64(t.buffer.N) - batch/float64(len(t.batch.Slots)))
}

// renew sets x̃ to x.
func (f *reference) renew(t *regression, pass nn.Pass, x []float32) {
	n := t.buffer.N
	f.age, f.added, f.sum = 0, t.buffer.Added, 0
	f.energies = f.energies[:0]
	for first := 0; first < n; first += t.batchSize {
		f.batch.Fill(t.buffer, first, min(first+t.batchSize, n))
		t.aim(&f.batch)
		out := pass.Forward(x, &f.batch.Rows, nil)
		arms := len(out) / f.batch.Rows.N
		weights := t.weigh(f.batch.Slots)
		for i, reward := range f.batch.Rewards {
			residual := float64(out[i*arms+int(f.batch.Arms[i])]) - reward
			energy := float64(residual * residual)
			if weights != nil {
				energy *= weights[i]
			}
			f.energies = append(f.energies, energy)
		}
	}
	for _, u := range f.energies {
		f.sum += u
	}
}

func (f *reference) state(c *state.Codec, buffer *replay.Buffer) {
	c.Int("age of a reference", &f.age, 0, math.MaxInt)
	c.Int("rows of a reference", &f.added, 0, math.MaxInt)
	c.Float64(&f.sum)
	f.energies = state.Resize(c, "energies of a reference", f.energies, buffer.N)
	c.Float64s(f.energies)
}
