package page

import (
	"fmt"

	"banditsim/results"
	"banditsim/results/compare"
)

// trialSums has the data of one trial that a page needs.
type trialSums struct {
	all, after *compare.Trace // regret at the rounds axes.All and axes.After
	departs    *compare.Trace // from compare.PolicySummary.DepartureTrace; nil if not needed
	// Means per round by window: of each metric's regret, then of the pulls and the wrong pulls of each arm.
	means   [][]float64
	rows    []wrongPull // wrong pulls with a data row, from axes.firstCounted on
	sampler *diagnostics
}

// readTrial reads all rounds of a trial of the policy of a summary.
func readTrial(rec results.Record, a *axes, arms int, summary *compare.PolicySummary) (*trialSums, error) {
	metrics := compare.Metrics()
	t := &trialSums{all: compare.NewTrace(a.All, metrics...), after: compare.NewTrace(a.After, metrics...), sampler: newDiagnostics(a.Windows.N)}
	t.departs = summary.DepartureTrace(a.Rounds)
	t.means = a.Windows.lists(len(metrics) + 2*arms)
	from := a.firstCounted()
	for r, err := range rec.Rounds() {
		if err != nil {
			return nil, err
		}
		window := a.Windows.index(r.Round)
		t.all.Add(r)
		t.after.Add(r)
		if t.departs != nil {
			t.departs.Add(r)
		}
		for k, m := range metrics {
			t.means[k][window] += m.Round(r)
		}
		for arm, n := range r.Arms {
			t.means[len(metrics)+arm][window] += float64(n)
		}
		for _, w := range r.Wrong {
			if t.means[len(metrics)+arms+w[1]][window]++; w[0] >= 0 && r.Round >= from {
				t.rows = append(t.rows, wrongPull{mistake{w[0], w[1]}, window})
			}
		}
		if err := t.sampler.add(r, window); err != nil {
			return nil, results.Damaged{Path: rec.Path, Err: fmt.Errorf("page: read %s: %w", rec.Path, err)}
		}
	}
	for _, sums := range t.means {
		for i := range sums {
			sums[i] /= float64(a.Windows.length(i))
		}
	}
	return t, nil
}
