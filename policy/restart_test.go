package policy

import (
	"math"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/moments"
	"banditsim/internal/must"
	"banditsim/posterior/exact"
)

// driftRegret returns the regret of LinUCB in 1,200 pulls of a linear bandit, whose weights are drawn anew after every period (in pulls).
func driftRegret(t *testing.T, seed uint64, period int, restart float64) float64 {
	p := make3(t, UCBKind(exact.Linear(), 1), func(o *UCBOptions[exact.LinearOptions]) {
		o.Posterior.OwnScale, o.Posterior.Restart = true, restart
	})
	r, weights, regret := stream.Root(seed), make([]float32, 9), 0.0
	for n := range 1200 {
		if n%period == 0 {
			r.Normals(weights)
		}
		round := bandit.Round{T: n + 1, Context: make([]float32, 3)}
		r.Normals(round.Context)
		var means [3]float64
		for i, w := range weights {
			means[i/3] += float64(w * round.Context[i%3])
		}
		noise, arm := 0.5*r.Normal(), n%3
		if n >= 6 {
			arm = must.Get(p.Act(round))(t)
		}
		must.OK(t, p.Learn(round, arm, means[arm]+noise))
		regret += max(means[0], means[1], means[2]) - means[arm]
	}
	return regret
}

// TestRestartInDrift checks on 24 seeds that restarts save more than 5 standard errors and half of the regret when weights
// change three times, and that they change the regret by at most 2 standard errors when weights do not change.
func TestRestartInDrift(t *testing.T) {
	for period, drifts := range map[int]bool{300: true, 1200: false} {
		var plain, saved moments.Running
		for seed := range uint64(24) {
			without := driftRegret(t, seed, period, 0)
			plain.Add(without)
			saved.Add(without - driftRegret(t, seed, period, 15))
		}
		se := math.Sqrt(saved.Squares / 23 / 24)
		must.That(t, (!drifts || saved.Mean > 5*se && saved.Mean > plain.Mean/2) && (drifts || math.Abs(saved.Mean) <= 2*se),
			"new weights every %d pulls: restarts save %.1f ± %.1f of %.1f", period, saved.Mean, se, plain.Mean)
	}
}
