package compare

import (
	"slices"

	"banditsim/results"
	"banditsim/results/stats"
)

// departureMarks is the number of rounds at which the seeds' regrets are compared: up to 2,000 intervals, and fewer
// for more than 260 seeds, so that neither time nor memory grow with rounds × seeds.
func departureMarks(seeds int) int { return max(min(2001, 1<<19/seeds), 64) }

// findDepartures sets the round from which on the worst seed is an outlier, by each metric by which it is one at
// the end.
func (s *PolicySummary) findDepartures(set *results.Set) {
	var metrics []*Metric
	for _, m := range Metrics {
		if slices.Contains(stats.Outliers(s.Regret[m].values), s.worst(m)) {
			metrics = append(metrics, m)
		}
	}
	if len(metrics) == 0 {
		return
	}
	marks := Thin(0, set.Conditions.Protocol.Rounds, departureMarks(len(s.Seeds)))
	regrets := make([][][]float64, len(metrics)) // by metric, mark and trial
	for k := range regrets {
		regrets[k] = make([][]float64, len(marks))
	}
	err := results.InOrder(results.Finished(set.Find(s.Policy).Records), func(rec results.Record) ([][]float64, error) {
		return curves(rec, marks, metrics...)
	}, func(_ results.Record, at [][]float64) {
		for k := range metrics {
			for i, v := range at[k] {
				regrets[k][i] = append(regrets[k][i], v)
			}
		}
	})
	if err != nil {
		return
	}
	for k, m := range metrics {
		r := s.Regret[m]
		for i := len(marks) - 1; i > 0 && slices.Contains(stats.Outliers(regrets[k][i]), s.worst(m)); i-- {
			r.Worst.Departs = marks[i]
		}
		s.Regret[m] = r
	}
}

// worst returns the index of the worst seed.
func (s *PolicySummary) worst(m *Metric) int { return slices.Index(s.Seeds, s.Regret[m].Worst.Seed) }
