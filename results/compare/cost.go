package compare

import (
	"math"
	"slices"

	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/stats"
)

// A Cost is the computing cost and the regret of a policy, over the trials that played all their rounds.
type Cost struct {
	Policy string         // label
	Regret stats.Estimate // regret over all rounds; CostsAcross sets it to the optimality gap in percent
	// Steps is the mean number of gradient steps of all chains of a trial, and Seconds the mean time of a trial. They are
	// NaN if no sidecar has them. In results of CostsAcross they are NaN if in some environment none has them.
	Steps   words.Float
	Seconds words.Float
	// Processor is set if Seconds is processor time: if every policy finished a trial, and the sidecars of all finished
	// trials have processor times. Otherwise Seconds is wall time, which also depends on other load of the machine.
	Processor bool
	// Undominated reports whether the policy is Pareto optimal in mean regret and mean time; false if either is NaN.
	Undominated bool

	wall, processor float64 // mean wall time and processor time of a trial, in seconds
}

// Costs returns the costs of all policies of a set, the lowest mean regret first. It reads the sidecars.
//
// Costs does not compare regrets at equal computing time: a policy that is stopped early has fewer pulls, and so a
// lower cumulative regret whatever it learned. Undominated compares the regret and the time of whole trials.
func Costs(set *results.Set, m *Metric) []Cost {
	list := []Cost{}
	for _, p := range set.Policies {
		list = append(list, newCost(p.Label, results.Finished(p.Records), m))
	}
	return inOrder(list)
}

// CostsAcross returns the costs of the policies in a, over the seeds in a, which is the result of CompareAcross for
// sets. Time and steps are means over the environments. Regret is the optimality gap; for expected regret, that is the
// mean percentage of the uniform regret.
func CostsAcross(a *Across, sets []*results.Set) []Cost {
	list := []Cost{}
	for _, p := range a.Policies {
		gap := p.OptimalityGap
		gap.Mean, gap.StdErr, gap.Low, gap.High = 100*gap.Mean, 100*gap.StdErr, 100*gap.Low, 100*gap.High
		c := Cost{Policy: p.Policy, Regret: gap}
		var steps stats.Moments
		for e, env := range a.Environments {
			part := newCost(p.Policy, slices.DeleteFunc(results.Finished(sets[e].Find(p.Policy).Records), func(rec results.Record) bool {
				return !slices.Contains(env.Seeds, rec.Seed)
			}), a.Metric)
			c.wall, c.processor = c.wall+part.wall/float64(len(sets)), c.processor+part.processor/float64(len(sets))
			steps.Add(float64(part.Steps))
		}
		c.Steps = words.Float(steps.Mean)
		list = append(list, c)
	}
	return inOrder(list)
}

// newCost returns the cost of a policy over records.
func newCost(label string, records []results.Record, m *Metric) Cost {
	var regret []float64
	var steps, wall, processor stats.Moments
	for _, rec := range records {
		regret = append(regret, m.Total(rec.Totals))
		s, err := rec.Sidecar()
		if err != nil {
			processor.Add(math.NaN())
			continue
		}
		wall.Add(s.WallTime())
		processor.Add(s.ProcessorTime())
		if s.Steps != nil {
			steps.Add(float64(*s.Steps))
		}
	}
	return Cost{Policy: label, Regret: stats.NewEstimate(regret), Steps: words.Float(steps.Estimate().Mean),
		wall: wall.Estimate().Mean, processor: processor.Estimate().Mean}
}

// inOrder sets Seconds, Processor and Undominated of all costs, and sorts them by the mean regret.
func inOrder(list []Cost) []Cost {
	known := !slices.ContainsFunc(list, func(c Cost) bool { return !words.Finite(c.processor) })
	for i := range list {
		c := &list[i]
		if c.Seconds, c.Processor = words.Float(c.wall), known; known {
			c.Seconds = words.Float(c.processor)
		}
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
