package page

import (
	"fmt"

	"banditsim/results"
	"banditsim/results/compare"
)

// trialSums has what the page needs of one trial.
type trialSums struct {
	seed    uint64
	all     *compare.Trace // at axes.All
	after   *compare.Trace // at axes.After
	departs *compare.Trace // nil if no seed departs
	regrets []*perWindow   // by metric
	pulls   []*perWindow   // by arm
	wrong   []*perWindow   // wrong pulls, by arm
	rows    []wrongPull    // those that mistakeCounts counts by row
	sampler *diagnosticSums
}

// readTrial reads all rounds of a trial.
func readTrial(rec results.Record, a *axes, arms int, d *compare.Departures) (*trialSums, error) {
	t := &trialSums{seed: rec.Seed, all: compare.NewTrace(a.All, compare.Metrics()...), after: compare.NewTrace(a.After, compare.Metrics()...), sampler: newDiagnosticSums(a.Windows)}
	if d != nil {
		t.departs = d.NewTrace()
	}
	for range compare.Metrics() {
		t.regrets = append(t.regrets, newPerWindow(a.Windows))
	}
	for range arms {
		t.pulls, t.wrong = append(t.pulls, newPerWindow(a.Windows)), append(t.wrong, newPerWindow(a.Windows))
	}
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
		for k, m := range compare.Metrics() {
			t.regrets[k].sums[window] += m.Round(r)
		}
		for arm, n := range r.Arms {
			t.pulls[arm].sums[window] += float64(n)
		}
		for _, w := range r.Wrong {
			if t.wrong[w[1]].sums[window]++; w[0] >= 0 && r.Round >= from {
				t.rows = append(t.rows, wrongPull{mistake{w[0], w[1]}, window})
			}
		}
		if err := t.sampler.add(r, window); err != nil {
			return nil, results.Damaged{Path: rec.Path, Err: fmt.Errorf("page: read %s: %w", rec.Path, err)}
		}
	}
	return t, nil
}

// perWindow has the sum of the rounds of each window.
type perWindow struct {
	windows windows
	sums    []float64
}

func newPerWindow(w windows) *perWindow { return &perWindow{w, make([]float64, w.N)} }

// means turns the sums into means of a round.
func (p *perWindow) means() []float64 {
	for i := range p.sums {
		p.sums[i] /= float64(p.windows.length(i))
	}
	return p.sums
}
