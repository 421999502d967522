package page

import (
	"fmt"

	"banditsim/results"
	"banditsim/results/compare"
)

// trialSums has what the page needs of one trial.
type trialSums struct {
	regrets []regretSums // by metric
	pulls   []*perWindow // by arm
	wrong   []wrongPull
	sampler *diagnosticSums
}

// readTrial reads all rounds of a trial.
func readTrial(rec results.Record, a *axes, arms int) (*trialSums, error) {
	t := &trialSums{sampler: newDiagnosticSums(a.Windows)}
	for range compare.Metrics {
		t.regrets = append(t.regrets, regretSums{newCumulative(a.All), newCumulative(a.After), newPerWindow(a.Windows)})
	}
	for range arms {
		t.pulls = append(t.pulls, newPerWindow(a.Windows))
	}
	for r, err := range rec.Rounds() {
		if err != nil {
			return nil, err
		}
		window := a.Windows.index(r.Round)
		for k, m := range compare.Metrics {
			t.regrets[k].add(r.Round, window, m.Round(r))
		}
		for arm, n := range r.Arms {
			t.pulls[arm].sums[window] += float64(n)
		}
		for _, w := range r.Wrong {
			t.wrong = append(t.wrong, wrongPull{mistake{w[0], w[1]}, r.Round, window})
		}
		if err := t.sampler.add(r, window); err != nil {
			return nil, fmt.Errorf("page: read %s: %w", rec.Path, err)
		}
	}
	return t, nil
}

// regretSums has the curves of one metric.
type regretSums struct {
	all, after *cumulative
	windows    *perWindow
}

// add adds the regret of the next round.
func (r *regretSums) add(round, window int, v float64) {
	r.all.add(round, v)
	r.after.add(round, v)
	r.windows.sums[window] += v
}

// cumulative has the sum of all rounds after marks[0] at every mark.
type cumulative struct {
	marks  []int
	points []float64
	total  float64
	next   int
}

func newCumulative(marks []int) *cumulative {
	return &cumulative{marks: marks, points: make([]float64, len(marks)), next: 1}
}

func (c *cumulative) add(round int, v float64) {
	if c.next >= len(c.marks) || round <= c.marks[0] {
		return
	}
	c.total += v
	if round == c.marks[c.next] {
		c.points[c.next] = c.total
		c.next++
	}
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
