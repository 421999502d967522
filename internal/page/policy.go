package page

import (
	"cmp"
	"fmt"
	"strconv"

	"banditsim/internal/lists"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/stats"
)

// readPolicy reads all rounds of all finished trials of a policy, in parallel on all processors, and returns its
// curves, or nil if no trial finished. s is the summary of the policy; readPolicy also calls s.SetDepartures.
func readPolicy(set *results.Set, s *compare.PolicySummary, a *axes, d detail) (*policy, error) {
	arms, metrics := len(set.Conditions.Environment.Arms), compare.Metrics()
	out := &policy{Label: words.Plain(s.Policy), Own: make(map[string][]numbers), Final: make(map[string]final), Regret: make(map[string]regret)}
	out.mistakes = newMistakeCounts(a.Windows)
	sampler := newDiagnostics(a.Windows.N)
	var all, after, means moments
	var departs []*compare.Trace
	var wrong error // error of the first trial whose diagnostics do not match those of earlier trials
	err := results.InOrder(results.Finished(set.Find(s.Policy).Records), func(rec results.Record) (*trialSums, error) {
		return readTrial(rec, a, arms, s)
	}, func(rec results.Record, t *trialSums) { // in the order of the seeds, because rounding errors depend on the order
		if t.departs != nil {
			departs = append(departs, t.departs)
		}
		out.Seeds = append(out.Seeds, strconv.FormatUint(rec.Seed, 10))
		for k, m := range metrics {
			if a.Own == nil {
				break
			}
			curve := lists.Each(a.Own, func(place int) float64 { return toDigits(t.all.Regret[k][place], fewDigits) })
			out.Own[m.String()] = append(out.Own[m.String()], curve)
		}
		all.add(t.all.Regret)
		after.add(t.after.Regret)
		means.add(t.means)
		for _, w := range t.rows {
			out.mistakes.at(w.mistake)[w.window]++
		}
		if err := sampler.join(t.sampler); err != nil && wrong == nil {
			wrong = fmt.Errorf("page: read %s: %w", rec.Path, err)
		}
	})
	if err = cmp.Or(err, wrong); err != nil || len(out.Seeds) == 0 {
		return nil, err
	}
	s.SetDepartures(departs)
	out.Sampler = sampler.result(d)
	for k, m := range metrics {
		r := regret{All: newBand(all[k], d.digits), Window: newBand(means[k], d.digits)}
		if a.After != nil {
			r.After = new(newBand(after[k], d.digits))
		}
		out.Regret[m.String()] = r
	}
	for i := range arms {
		share := newBand(means[len(metrics)+i], fullDigits).Mean
		for k, pulls := range share {
			share[k] = toDigits(pulls/float64(a.Pulls), d.digits)
		}
		out.Arms = append(out.Arms, share)
		out.Mistakes = append(out.Mistakes, newBand(means[len(metrics)+arms+i], d.digits).Mean)
	}
	return out, nil
}

// moments accumulates, for each element of several lists, the mean and variance over trials, without keeping the lists.
type moments [][]stats.Moments

func (m *moments) add(lists [][]float64) {
	for k, list := range lists {
		if k == len(*m) {
			*m = append(*m, make([]stats.Moments, len(list)))
		}
		for i, v := range list {
			(*m)[k][i].Add(v)
		}
	}
}

// newBand returns the means and half intervals with the given number of significant digits.
func newBand(points []stats.Moments, digits int) band {
	var b band
	for _, p := range points {
		e := p.Estimate()
		b.Mean = append(b.Mean, toDigits(e.Mean, digits))
		if e.N > 1 {
			b.Half = append(b.Half, toDigits(e.Half(), digits))
		}
	}
	return b
}

// trialSums has the data of one trial that a page needs.
type trialSums struct {
	all, after *compare.Trace // regret at the rounds axes.All and axes.After
	departs    *compare.Trace // regret for PolicySummary.SetDepartures; nil if the worst seed is no outlier
	// [quantity][window]: means per round. Quantities: regret by each metric, pulls of each arm, wrong pulls of each arm.
	means   [][]float64
	rows    []wrongPull // wrong pulls with a data row, from axes.firstCounted on
	sampler *diagnostics
}

// readTrial reads all rounds of a trial of the policy that summary describes.
func readTrial(rec results.Record, a *axes, arms int, summary *compare.PolicySummary) (*trialSums, error) {
	metrics := compare.Metrics()
	t := &trialSums{all: compare.NewTrace(a.All, metrics...), after: compare.NewTrace(a.After, metrics...), sampler: newDiagnostics(a.Windows.N)}
	t.departs = summary.DepartureTrace(a.Rounds)
	t.means = make([][]float64, len(metrics)+2*arms)
	for k := range t.means {
		t.means[k] = make([]float64, a.Windows.N)
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
