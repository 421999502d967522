package stats

import (
	"math"
	"testing"

	"banditsim/bandit/stream"
)

// By hand: of the values 1 and 0 the gambler with the bet λ has (1 + λ(1 − ν))(1 − λν); their weights are ½, 1/6, 1/12 and so on. After
// twenty values of 3 at ν = 1 the first bet alone, ¾, has ½·2.5²⁰, and 1 is not excluded by values of a mean of at most 1.
func TestCapitalByHand(t *testing.T) {
	want, bet := 0.0, 0.75
	for j := range bets {
		want += (1 + bet*0.6) * (1 - bet*0.4) / float64((j+1)*(j+2))
		bet /= math.Sqrt2
	}
	closeTo(t, "capital", math.Exp(logCapital([]float64{1, 0}, 0.4)), want, 1e-12)
	many := make([]float64, 5000)
	for i := range many {
		many[i] = 3
	}
	if got, least := logCapital(many, 1), 5000*math.Log(2.5)-math.Ln2; !(got >= least && got < least+1) {
		t.Errorf("capital exp(%g), want a little more than exp(%g)", got, least)
	}
	closeTo(t, "lower end of zeros", bettingLow(make([]float64, 100)), 0, 0)
}

// The sequence is at most 1.1 times as wide as Vowpal Wabbit's confidence sequences were in its own test, .1207 about .236 after 1,000
// rows and .0394 about .2122 after 10,000, on rewards of 0 and 1 with these means.
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
		if !(low < c.mean && c.mean < high && high-low <= 1.1*c.width) {
			t.Errorf("%d rows: [%.4f, %.4f] is %.4f wide, want at most 1.1 × %.4f", c.n, low, high, high-low, c.width)
		}
	}
}
