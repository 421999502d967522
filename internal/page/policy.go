package page

import (
	"fmt"
	"strconv"

	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/stats"
)

// readPolicy reads all rounds of all finished trials of a policy, in parallel on all processors, and returns its
// curves, or nil if no trial finished. It also sets the departures in its summary.
func readPolicy(set *results.Set, s *compare.PolicySummary, a *axes, d detail) (*policy, error) {
	arms, metrics := len(set.Conditions.Environment.Arms), compare.Metrics()
	out := &policy{Label: words.Plain(s.Policy), Own: make(map[string][]numbers), Final: make(map[string]final), Regret: make(map[string]regret)}
	out.mistakes = newMistakeCounts(a, arms)
	sampler := newDiagnostics(a.Windows.N)
	var all, after, means moments
	var departs []*compare.Trace
	var wrong error // first error of a trial whose diagnostics do not match those of earlier ones
	err := results.InOrder(results.Finished(set.Find(s.Policy).Records), func(rec results.Record) (*trialSums, error) {
		return readTrial(rec, a, arms, s)
	}, func(rec results.Record, t *trialSums) { // in order, as sums depend on it in the last digits
		if t.departs != nil {
			departs = append(departs, t.departs)
		}
		out.Seeds = append(out.Seeds, strconv.FormatUint(rec.Seed, 10))
		for k, m := range metrics {
			if a.Own == nil {
				break
			}
			var curve numbers
			for _, place := range a.Own {
				curve = append(curve, t.all.Regret[k][place])
			}
			out.Own[m.String()] = append(out.Own[m.String()], curve)
		}
		all.add(t.all.Regret)
		after.add(t.after.Regret)
		means.add(t.means)
		out.mistakes.add(t)
		if err := sampler.join(t.sampler); err != nil && wrong == nil {
			wrong = fmt.Errorf("page: read %s: %w", rec.Path, err)
		}
	})
	if err == nil {
		err = wrong
	}
	if err != nil || len(out.Seeds) == 0 {
		return nil, err
	}
	s.SetDepartures(departs)
	out.Sampler, out.Mistakes = sampler.result(d.thetas), out.mistakes.perRound(len(out.Seeds))
	for k, m := range metrics {
		r := regret{All: newBand(all[k]), Window: newBand(means[k])}
		if a.After != nil {
			b := newBand(after[k])
			r.After = &b
		}
		out.Regret[m.String()] = r
	}
	for _, pulls := range means[len(metrics):] {
		share := newBand(pulls).Mean
		for i := range share {
			share[i] /= float64(a.Pulls)
		}
		out.Arms = append(out.Arms, share)
	}
	return out, nil
}

// moments accumulates the mean and variance over trials of each number in several lists, without keeping the numbers.
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

func newBand(points []stats.Moments) band {
	var b band
	for _, p := range points {
		e := p.Estimate()
		b.Mean = append(b.Mean, e.Mean)
		if e.N > 1 {
			b.Half = append(b.Half, e.Half())
		}
	}
	return b
}
