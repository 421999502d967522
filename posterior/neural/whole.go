package neural

import "banditsim/internal/kernel"

// whole is the Target of a network over all rows of the replay buffer, n of them, without noise:
//
//	U(x) = κ(Σᵢ (f_x(cᵢ)[aᵢ] − rᵢ)² + the feel-good term),  κ = 1 for the sum, 1/n for the mean
type whole struct {
	*regression
	mean     bool
	feelGood feelGood
	part     []float32 // gradient of some rows
}

// wholeRows is the number of rows in one pass.
const wholeRows = 256

func (t *whole) EnergyGrad(grad, x []float32) (float64, error) {
	pass := t.passes.Take()
	defer t.passes.Give(pass)
	n, scale, energy := t.buffer.Len(), 1.0, 0.0
	if t.mean {
		scale = 1 / float64(n)
	}
	clear(grad)
	for first := 0; first < n; first += wholeRows {
		t.batch.Reset()
		for i := first; i < min(first+wholeRows, n); i++ {
			t.batch.Add(t.buffer, i)
		}
		out := pass.Forward(x, &t.batch.Rows, nil)
		arms := len(out) / t.batch.Rows.N
		energy += t.feelGood.begin(out, arms, scale)
		energy += squaredError(out, t.batch.Arms, t.batch.Rewards, nil, scale)
		t.feelGood.add(out, arms)
		pass.Backward(t.part, x, out)
		kernel.Axpy(grad, 1, t.part)
	}
	addPrior(grad, x, t.prior)
	return energy, nil
}
