package sgmcmc

import (
	"fmt"
	"math"
	"testing"

	"banditsim/internal/checktest"
	"banditsim/internal/kernel"
)

// TestAuthors follows two chains over m = 5 bins of width 2, with ζ = 1.5, τ = .4, ω = .3 (no float32) and reg = 1e-3.
//
// The numbers come from a Python script that does what the authors' program does (Sampler.step and RLReg.train of its
// contextual_bandits) in plain loops, with struct.pack('f', x) to round to float32 wherever that program has a tensor:
//
//	d = f(f(log(θ[J])) − f(log(θ[J−1])));  mul = 1 + ζ·τ·d/Δu if J < m−1 else 1
//	if J < m−1: R = [f(−θ[J]·θ[i])];  R[J] = f(θ[J]·f(1 − θ[J]))
//	J = int(min(max(Û/Δu, 1), m−1))
//	w = (θ[J]**ζ + reg if J < m−1 else reg) + 1e-10
//	after all chains: θ[i] = f(θ[i] + f(f(ω)·f(ΣR[i]/n))), over the n chains with J < m−1
//
// J starts at m−1 and R at −1/m². What each row shows is in its comment.
func TestAuthors(t *testing.T) {
	inf := math.Inf(1)
	o := ContourOptions{Bins: 5, Width: 2, Zeta: 1.5, Omega: 0.3, Overflow: "skip", Field: "theta", Weights: "theta", WeightRegularizer: 1e-3}
	h := newAuthorsHistogram(o, 0.4, 2)
	m, w := make([]float64, 2), make([]float64, 2)
	for k, want := range []struct {
		energies, multipliers, weights []float64
		bins                           []int // from 1
		theta                          []float32
	}{
		{ // The first field, −1/m² everywhere, is added for the chain that is in range now.
			[]float64{3, 9.5}, []float64{1.0, 1.0}, []float64{0.09044272119919215, 0.0010000001}, []int{2, 5},
			[]float32{0.188000008, 0.188000008, 0.188000008, 0.188000008, 0.188000008},
		},
		{ // 0.5 is clipped to index 1. Chain 1 comes from the last bin: it adds −1/m² still.
			[]float64{0.5, 5.9}, []float64{1.0, 1.0}, []float64{0.08251486314619542, 0.08251486314619542}, []int{2, 3},
			[]float32{0.176698402, 0.204898417, 0.176698402, 0.176698402, 0.176698402},
		},
		{ // Multipliers go by the index before; index 1 is compared with θ[0]. Chain 1 leaves: not in the sum.
			[]float64{7.9, 100}, []float64{1.0444209933280946, 0.9555790066719055}, []float64{0.07527607257002353, 0.0010000001}, []int{4, 5},
			[]float32{0.165836841, 0.253772944, 0.165836841, 0.165836841, 0.165836841},
		},
		{ // Chain 1 comes back, and adds the field it had before it left. −3 is clipped to index 1.
			[]float64{inf, -3}, []float64{1.0, 1.0}, []float64{0.0010000001, 0.1288403578866975}, []int{5, 2},
			[]float32{0.15647015, 0.242911384, 0.20947966, 0.15647015, 0.15647015},
		},
		{ // An energy on an edge belongs to the bin above it.
			[]float64{2, 6.1}, []float64{1.0, 1.1319494128227234}, []float64{0.12072140411213488, 0.06289381436573362}, []int{2, 4},
			[]float32{0.146643609, 0.264184475, 0.19772163, 0.171519145, 0.146643609},
		},
		{ // None in range: θ stays, the weights are the regularizer.
			[]float64{9, 9}, []float64{1.1765927433967591, 0.9573504447937011}, []float64{0.0010000001, 0.0010000001}, []int{5, 5},
			[]float32{0.146643609, 0.264184475, 0.19772163, 0.171519145, 0.146643609},
		},
		{ // Both come back with old fields.
			[]float64{4.5, 1}, []float64{1.0, 1.0}, []float64{0.08891870342435727, 0.1367878583795552}, []int{3, 2},
			[]float32{0.137059629, 0.28654623, 0.184799433, 0.186037287, 0.137059629},
		},
	} {
		name := fmt.Sprintf("step %d: ", k+1)
		h.Meet(m, want.energies)
		h.Weights(w)
		theta, bins := h.State()
		checktest.Vector(t, name+"multipliers", m, want.multipliers, 1e-15)
		checktest.Vector(t, name+"weights", w, want.weights, 1e-15)
		checktest.Bits(t, name+"θ", checktest.Narrow(theta), want.theta)
		for p := range bins {
			if bins[p] != want.bins[p] {
				t.Errorf("%schain %d is in bin %d, want %d", name, p, bins[p], want.bins[p])
			}
		}
	}
}

// TestAuthorsFrozen: while θ is held, indices, fields and weights go on.
func TestAuthorsFrozen(t *testing.T) {
	o := ContourOptions{Bins: 4, Width: 1, Zeta: 2, Omega: 0.5, WeightRegularizer: 0.25}
	h := newAuthorsHistogram(o, 1, 1)
	h.frozen = true
	m, w := make([]float64, 1), make([]float64, 1)
	h.Meet(m, []float64{2.5})
	h.Weights(w)
	checktest.Vector(t, "weights", w, []float64{0.25*0.25 + 0.25 + 1e-10}, 1e-15)
	h.Meet(m, []float64{1.5})
	theta, bins := h.State()
	checktest.Vector(t, "θ", theta, []float64{0.25, 0.25, 0.25, 0.25}, 0)
	if bins[0] != 2 {
		t.Errorf("bin %d, want 2", bins[0])
	}
	// Let go, θ learns from the field of the index before: θ(2) = .25 grows.
	h.frozen = false
	h.Meet(m, []float64{2.5})
	theta, _ = h.State()
	checktest.Vector(t, "θ", theta, []float64{0.25 - 0.5/16, 0.25 + 0.5*3/16, 0.25 - 0.5/16, 0.25 - 0.5/16}, 1e-7)
	checktest.Near(t, "multiplier", m[0], 1, 0)
	h.Meet(m, []float64{2.5})
	checktest.Near(t, "multiplier", m[0], 1+2*(kernel.Log(0.21875)-kernel.Log(0.34375)), 1e-6)
}
