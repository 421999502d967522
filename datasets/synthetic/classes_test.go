package synthetic

import (
	"math"
	"slices"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/must"
)

// TestBayesErrors compares the error of the best classifier with that in the article. It also checks, for pulls in which the likeliest
// class has a probability below 0.9, that the proportion of rewards 1 for this class agrees within five standard errors.
func TestBayesErrors(t *testing.T) {
	const pulls = 20_000
	for name, want := range map[string]struct{ low, high float64 }{
		"threenorm": {0.10, 0.11},    // Breiman, 1996: 10.5 %
		"ringnorm":  {0.010, 0.016},  // 1.3 %
		"waveform":  {0.13, 0.155},   // Breiman et al., 1984: about 14 %
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

// TestFriedman checks the mean and standard deviation of the arms' means, the noise, and the regret of acting uniformly. The mean of
// function 1 is 14.4136 by hand. In Friedman's article, the ratio of signal to noise is about 3.
func TestFriedman(t *testing.T) {
	const pulls = 100_000
	for function, want := range map[string]struct{ mean, sd, noise float64 }{
		"1": {14.413, 4.88, 1},
		"2": {479.5, 378.9, 125},
		"3": {1.324, 0.316, 0.1},
	} {
		w := open(t, Friedman(), `{"function":`+function+`}`)
		mean, square, noise, regret, regrets := 0.0, 0.0, 0.0, 0.0, 0.0
		for _, o := range play(t, w, 1, pulls) {
			best, sum := math.Inf(-1), 0.0
			for a, m := range o.Mean {
				best, sum = max(best, m), sum+m
				square += m * m / (4 * pulls)
				noise += (o.Reward[a] - m) * (o.Reward[a] - m) / (4 * pulls)
			}
			mean += sum / (4 * pulls)
			regret += (best - sum/4) / pulls
			regrets += (best - sum/4) * (best - sum/4) / pulls
		}
		must.Near(t, "function "+function+": mean", mean, want.mean, 5*want.sd/math.Sqrt(4*pulls))
		must.Near(t, "function "+function+": deviation", math.Sqrt(square-mean*mean), want.sd, 0.01*want.sd)
		must.Near(t, "function "+function+": noise", math.Sqrt(noise), want.noise, 0.01*want.noise)
		must.Near(t, "function "+function+": regret", regret, must.Get(w.New(stream.Root(1)))(t).Spec().UniformRegret, 5*math.Sqrt((regrets-regret*regret)/pulls))
	}
}

// TestNormalParameters checks that the variance of an arm's scores, which is ‖θ‖², is dim on average over seeds.
func TestNormalParameters(t *testing.T) {
	const seeds, pulls, dim = 200, 20, 6
	sum := 0.0
	for seed := range uint64(seeds) {
		for _, o := range play(t, open(t, Linear(), `{"parameters":"normal","dim":6}`), seed, pulls) {
			for _, m := range o.Mean {
				sum += m * m / (5 * seeds * pulls)
			}
		}
	}
	// The 5 arms of a pull share its context, so there are about seeds·pulls independent mean squares, of variance 2·dim·(dim+2)/5 + 2·dim.
	tolerance := 5 * math.Sqrt((2*dim*(dim+2)/5+2*dim)/float64(seeds*pulls))
	must.That(t, math.Abs(sum-dim) < tolerance, "mean square %.3f, want %d ± %.2g", sum, dim, tolerance)
}
