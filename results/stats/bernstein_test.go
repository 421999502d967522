package stats

import (
	"testing"

	"banditsim/bandit/stream"
)

// The ends by their definition, from tables of the Beta distribution: 0 of n has the upper end 1 − .025^(1/n), n of n the lower end
// .025^(1/n); 4 of 20 is .0573 to .4366 (any table of exact binomial limits).
func TestClopperPearson(t *testing.T) {
	for _, test := range []struct {
		k, n      int
		low, high float64
	}{{0, 10, 0, 0.30850}, {10, 10, 0.69150, 1}, {4, 20, 0.0573, 0.4366}, {1, 1, 0.025, 1}} {
		low, high := ClopperPearson(test.k, test.n)
		closeTo(t, "low", low, test.low, 5e-5)
		closeTo(t, "high", high, test.high, 5e-5)
	}
}

// By hand: two rows with rewards 1 and 0 in [0, 1], λ at its bound ½ as variances are small against log 40 = 3.68888. ψ(½) = .193147.
// Of weight 1: ξ̂ is ½, then (½ + 1)/2 = .75; the squares are (1 − .5)² = .25 and (0 − .75)² = .5625; the end is
// (½ − 3.68888 − .193147·.8125)/1 = −3.3458, which is cut at 0. From above the same of 0 and 1: cut at 1.
// With a weight of 4: ξ is 4 and 0, the center ½ and then (½ + 4)/2 = 2.25, of which no more than 1 is taken off, as a value is at
// most 1. The squares are 3.5² and 1², the end is (½·4 − 3.68888 − .193147·13.25)/1.
func TestEmpiricalBernsteinByHand(t *testing.T) {
	rewards := []float64{1, 0}
	y := func(i int) float64 { return rewards[i] }
	closeTo(t, "end", bernsteinLow([]float64{1, 1}, y), 0.5-3.688879454-0.193147181*0.8125, 1e-8)
	closeTo(t, "end of a large weight", bernsteinLow([]float64{4, 1}, y), 2-3.688879454-0.193147181*13.25, 1e-8)
	low, high := EmpiricalBernstein([]float64{1, 1}, rewards, 0, 1)
	closeTo(t, "low", low, 0, 0)
	closeTo(t, "high", high, 1, 0)
}

// Rewards on another scale move the ends with them, and both intervals hold the mean of a logged policy with weights 0 or 10 far more
// often than 95 %; the sequence does so at all rows together.
func TestEmpiricalBernsteinCovers(t *testing.T) {
	missed, ever := 0, 0
	const runs, rows, mean = 400, 400, 0.3
	for run := range runs {
		s := stream.Root(uint64(run)).Child("bernstein")
		w, r := make([]float64, rows), make([]float64, rows)
		for i := range w {
			if s.Float64() < 0.1 {
				w[i] = 10
			}
			if s.Float64() < mean {
				r[i] = 1
			}
		}
		low, high := EmpiricalBernstein(w, r, 0, 1)
		if low > mean || high < mean {
			missed++
		}
		scaled := make([]float64, rows)
		for i, v := range r {
			scaled[i] = 5*v - 2
		}
		l, h := EmpiricalBernstein(w, scaled, -2, 3)
		closeTo(t, "scaled low", l, 5*low-2, 1e-9)
		closeTo(t, "scaled high", h, 5*high-2, 1e-9)
		for n := 20; n <= rows; n += 20 {
			if low, high := ConfidenceSequence(w[:n], r[:n], 0, 1); low > mean || high < mean {
				ever++
				break
			}
		}
	}
	if missed > runs/20 || ever > runs/20 {
		t.Errorf("of %d logs the interval missed the mean on %d, the sequence ever on %d: want at most %d", runs, missed, ever, runs/20)
	}
	t.Logf("missed %d, ever %d of %d", missed, ever, runs)
}
