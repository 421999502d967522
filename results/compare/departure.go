package compare

import (
	"slices"

	"banditsim/results"
	"banditsim/results/stats"
)

// departureMarks is the number of rounds at which the seeds' regrets are compared: up to 2,000 intervals, and fewer
// for more than 260 seeds, so that neither time nor memory grow with rounds × seeds.
func departureMarks(seeds int) int { return max(min(2001, 1<<19/seeds), 64) }

// Departures finds the round from which on the worst seed of a policy is an outlier among all, by each metric by
// which it is one at the end.
type Departures struct {
	of      *PolicySummary
	metrics []*Metric
	marks   []int
	regrets [][][]float64 // by metric, mark and trial
}

// Departures returns nil if the worst seed is an outlier by no metric. rounds is the length of the trials.
func (s *PolicySummary) Departures(rounds int) *Departures {
	d := &Departures{of: s}
	for _, m := range Metrics() {
		if slices.Contains(stats.Outliers(s.Regret[m].values), s.worst(m)) {
			d.metrics = append(d.metrics, m)
		}
	}
	if len(d.metrics) == 0 {
		return nil
	}
	d.marks = Thin(0, rounds, departureMarks(len(s.Seeds)))
	for range d.metrics {
		d.regrets = append(d.regrets, make([][]float64, len(d.marks)))
	}
	return d
}

// NewTrace returns a trace that Add takes when a trial's rounds were added to it.
func (d *Departures) NewTrace() *Trace { return NewTrace(d.marks, d.metrics...) }

// Add adds a trial. It is called for the finished trials in the order of their seeds.
func (d *Departures) Add(t *Trace) {
	for k := range d.metrics {
		for i, v := range t.Regret[k] {
			d.regrets[k][i] = append(d.regrets[k][i], v)
		}
	}
}

// Set sets the rounds in the summary. All trials have been added.
func (d *Departures) Set() {
	for k, m := range d.metrics {
		r := d.of.Regret[m]
		for i := len(d.marks) - 1; i > 0 && slices.Contains(stats.Outliers(d.regrets[k][i]), d.of.worst(m)); i-- {
			r.Worst.Departs = d.marks[i]
		}
		d.of.Regret[m] = r
	}
}

// findDepartures reads the trial files of a policy whose worst seed is an outlier.
func (s *PolicySummary) findDepartures(set *results.Set) error {
	d := s.Departures(set.Conditions.Protocol.Rounds)
	if d == nil {
		return nil
	}
	err := results.InOrder(results.Finished(set.Find(s.Policy).Records), func(rec results.Record) (*Trace, error) {
		return trace(rec, d.marks, d.metrics...)
	}, func(_ results.Record, t *Trace) { d.Add(t) })
	if err == nil {
		d.Set()
	}
	return err
}

// worst returns the index of the worst seed.
func (s *PolicySummary) worst(m *Metric) int { return slices.Index(s.Seeds, s.Regret[m].Worst.Seed) }
