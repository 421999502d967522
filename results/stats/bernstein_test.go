package stats

import (
	"math"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/must"
)

// By definition the upper end for 0 of n is 1 − .025^(1/n), and the lower end for n of n is .025^(1/n). For 4 of 20 the
// ends are .0573 and .4366 (any table of exact binomial limits).
func TestClopperPearson(t *testing.T) {
	for _, test := range []struct {
		k, n      int
		low, high float64
	}{{0, 10, 0, 0.30850}, {10, 10, 0.69150, 1}, {4, 20, 0.0573, 0.4366}, {1, 1, 0.025, 1}} {
		low, high := ClopperPearson(test.k, test.n)
		must.Near(t, "low", low, test.low, 5e-5)
		must.Near(t, "high", high, test.high, 5e-5)
	}
}

// By hand: two rows have rewards 1 and 0 in [0, 1]. λ has its bound ½, as variances are small compared with log 40 =
// 3.68888, and ψ(½) = .193147. With weights 1, ξ̂ is ½ and then (½ + 1)/2 = .75, the squares are (1 − .5)² = .25 and
// (0 − .75)² = .5625, and the lower end is (½ − 3.68888 − .193147·.8125)/1 = −3.3458, which is clipped to 0. The upper end
// is clipped to 1. With a first weight of 4, ξ is 4 and 0, and ξ̂ is ½ and then (½ + 4)/2 = 2.25, which is clipped to 1.
// The squares are 3.5² and 1², and the lower end is (½·4 − 3.68888 − .193147·13.25)/1.
func TestEmpiricalBernsteinByHand(t *testing.T) {
	rewards := []float64{1, 0}
	y := func(i int) float64 { return rewards[i] }
	must.Near(t, "end", bernsteinLow([]float64{1, 1}, y), 0.5-3.688879454-0.193147181*0.8125, 1e-8)
	must.Near(t, "end of a large weight", bernsteinLow([]float64{4, 1}, y), 2-3.688879454-0.193147181*13.25, 1e-8)
	low, high := EmpiricalBernstein([]float64{1, 1}, rewards, 0, 1)
	must.Near(t, "low", low, 0, 0)
	must.Near(t, "high", high, 1, 0)
}

// TestEmpiricalBernsteinCovers checks that the ends scale with the rewards, and that the interval covers the mean in at
// least 95 % of logs with weights 0 or 10, and the confidence sequence at all rows together.
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
		must.Near(t, "scaled low", l, 5*low-2, 1e-9)
		must.Near(t, "scaled high", h, 5*high-2, 1e-9)
		for n := 20; n <= rows; n += 20 {
			if low, high := ConfidenceSequence(w[:n], r[:n], 0, 1); low > mean || high < mean {
				ever++
				break
			}
		}
	}
	must.That(t, missed <= runs/20 && ever <= runs/20,
		"of %d logs the interval missed the mean on %d, the sequence ever on %d: want at most %d", runs, missed, ever, runs/20)
	t.Logf("missed %d, ever %d of %d", missed, ever, runs)
}

// By hand: after the values 1 and 0 the capital of a gambler with bet λ is (1 + λ(1 − ν))(1 − λν). The weights of gamblers
// are ½, 1/6, 1/12 and so on. After n values of 3 at ν = 1 the first gambler alone, who bets ¾, contributes ½·2.5ⁿ.
func TestCapitalByHand(t *testing.T) {
	want, bet := 0.0, 0.75
	for j := range bets {
		want += (1 + bet*0.6) * (1 - bet*0.4) / float64((j+1)*(j+2))
		bet /= math.Sqrt2
	}
	must.Near(t, "capital", math.Exp(logCapital([]float64{1, 0}, 0.4)), want, 1e-12)
	many := make([]float64, 5000)
	for i := range many {
		many[i] = 3
	}
	got, least := logCapital(many, 1), 5000*math.Log(2.5)-math.Ln2
	must.That(t, got >= least && got < least+1, "capital exp(%g), want a little more than exp(%g)", got, least)
	must.Near(t, "lower end of zeros", bettingLow(make([]float64, 100)), 0, 0)
}

// TestSequenceIsNarrow checks that intervals of the sequence are at most 1.1 times as wide as those of Vowpal Wabbit's own
// test, for rewards of 0 and 1: .1207 wide after 1,000 rows with mean .236, .0394 after 10,000 with mean .2122.
func TestSequenceIsNarrow(t *testing.T) {
	for _, c := range []struct {
		n           int
		mean, width float64
	}{{1000, 0.236, 0.1207}, {10_000, 0.2122, 0.0394}} {
		s := stream.Root(1)
		w, r := make([]float64, c.n), make([]float64, c.n)
		for i := range w {
			if w[i] = 1; s.Float64() < c.mean {
				r[i] = 1
			}
		}
		low, high := ConfidenceSequence(w, r, 0, 1)
		t.Logf("%d rows: [%.4f, %.4f], %.2f of %.4f", c.n, low, high, (high-low)/c.width, c.width)
		must.That(t, low < c.mean && c.mean < high && high-low <= 1.1*c.width,
			"%d rows: [%.4f, %.4f] is %.4f wide, want at most 1.1 × %.4f", c.n, low, high, high-low, c.width)
	}
}
