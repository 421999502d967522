package synthetic

import (
	"math"
	"slices"
	"testing"

	"banditsim/internal/must"
)

// TestBayesErrors compares the error of the best classifier with that in the article. It also checks, for pulls in which the likeliest
// class has a probability below 0.9, that the proportion of rewards 1 for this class agrees within five standard errors.
func TestBayesErrors(t *testing.T) {
	const pulls = 20_000
	for name, want := range map[string]struct{ low, high float64 }{
		"threenorm": {0.10, 0.11},    // Breiman, 1996: 10.5 %
		"ringnorm":  {0.010, 0.016},  // Breiman, 1996: 1.3 %; over 10⁶ contexts 1.50 ± 0.01 %
		"waveform":  {0.13, 0.155},   // Breiman et al., 1984: about 14 %; over 150,000 contexts 13.3 ± 0.1 %
		"twonorm":   {0.020, 0.0255}, // 2.3 %
	} {
		wrong, doubtful, paid := 0.0, 0.0, 0.0
		for _, o := range play(t, open(t, Classes(), `{"law":"`+name+`"}`), 1, pulls) {
			best := slices.Max(o.Mean)
			wrong += 1 - best
			if best < 0.9 {
				doubtful += best
				paid += o.Reward[slices.Index(o.Mean, best)]
			}
		}
		got := wrong / pulls
		must.That(t, got >= want.low && got <= want.high, "%s: error %.4f, want %g to %g", name, got, want.low, want.high)
		must.That(t, math.Abs(paid-doubtful) <= 5*math.Sqrt(doubtful/4),
			"%s: the likeliest class is right in %g pulls, want %.1f", name, paid, doubtful)
	}
}

// TestShares checks the proportion of the first class, from which the regret of the constant arm follows, within five standard errors.
// The 2,000 pulls of TestConformance would not distinguish 5 % from 6.7 %.
func TestShares(t *testing.T) {
	const pulls = 50_000
	for name, want := range map[string]float64{"spirals": 0.5, "plans": 0.42, "imbalance": 0.95} {
		share := 0.0
		for _, o := range play(t, open(t, Classes(), `{"law":"`+name+`","irrelevant":0}`), 1, pulls) {
			share += o.Mean[0] / pulls
		}
		must.That(t, math.Abs(share-want) <= 5*math.Sqrt(want*(1-want)/pulls),
			"%s: the first class has the share %.4f, want %g", name, share, want)
	}
}
