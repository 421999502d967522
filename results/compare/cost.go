package compare

import (
	"math"
	"slices"

	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/stats"
)

// A Cost is what the trials of a policy cost beside their regret, over those that did all their rounds.
type Cost struct {
	Policy string         // label
	Regret stats.Estimate // regret by the Primary metric, over all rounds
	// Steps are the gradient steps of all chains of a trial, and Seconds its wall time, both as means. NaN
	// where no sidecar has them. Seconds depend on the machine and on what else it did.
	Steps   words.Float
	Seconds words.Float
	// Undominated: no other policy has both a mean regret and a mean time that are not higher, and one of them lower.
	Undominated bool
}

// Costs returns the costs of all policies of a set, the lowest mean regret first. It reads the sidecars.
//
// There is no regret at equal compute: a policy that is stopped early pulls less often, and so has the lower
// cumulative regret whatever it learned. Undominated compares both without that.
func Costs(set *results.Set) []Cost {
	list := []Cost{}
	for _, p := range set.Policies {
		c := Cost{Policy: p.Label, Steps: words.Float(math.NaN()), Seconds: words.Float(math.NaN())}
		var regret []float64
		var steps, seconds stats.Moments
		for _, rec := range results.Finished(p.Records) {
			regret = append(regret, Primary().Total(rec.Totals))
			s, err := rec.Sidecar()
			if err != nil {
				continue
			}
			time := s.Seconds
			for _, run := range s.Earlier {
				time += run.Seconds
			}
			seconds.Add(time)
			if s.Steps != nil {
				steps.Add(float64(*s.Steps))
			}
		}
		c.Regret, c.Steps, c.Seconds = stats.NewEstimate(regret), words.Float(steps.Estimate().Mean), words.Float(seconds.Estimate().Mean)
		list = append(list, c)
	}
	for i := range list {
		c := &list[i]
		c.Undominated = words.Finite(float64(c.Seconds)) && words.Finite(c.Regret.Mean) && !slices.ContainsFunc(list, func(o Cost) bool {
			return o.Seconds <= c.Seconds && o.Regret.Mean <= c.Regret.Mean && (o.Seconds < c.Seconds || o.Regret.Mean < c.Regret.Mean)
		})
	}
	slices.SortStableFunc(list, func(a, b Cost) int { return compareMeans(a.Regret, b.Regret) })
	return list
}
