package page

import (
	"fmt"
	"strconv"

	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/stats"
)

// readPolicy reads all rounds of all finished trials of a policy, on all processors. It returns nil if no trial
// is finished. It adds them to d, if that is not nil.
func readPolicy(set *results.Set, p *results.PolicyRecords, a *axes, d *compare.Departures, how detail) (*policy, error) {
	arms := len(set.Conditions.Environment.Arms)
	sums := newPolicySums(a, arms)
	var wrong error // error of two trials together
	err := results.InOrder(results.Finished(p.Records), func(rec results.Record) (*trialSums, error) {
		return readTrial(rec, a, arms, d)
	}, func(rec results.Record, t *trialSums) {
		if d != nil {
			d.Add(t.departs)
		}
		if err := sums.add(t, a); err != nil && wrong == nil {
			wrong = fmt.Errorf("page: read %s: %w", rec.Path, err)
		}
	})
	if err == nil {
		err = wrong
	}
	if err != nil || sums.seeds == 0 {
		return nil, err
	}
	return sums.result(words.Plain(p.Label), a, how), nil
}

// policySums accumulates trials. Its size does not depend on their number.
type policySums struct {
	seeds    int
	regrets  []regretMoments // by metric
	arms     [][]stats.Moments
	mistakes *mistakeCounts
	sampler  *diagnosticSums
	names    []string             // of the seeds
	own      map[string][]numbers // by metric: their curves
}

// regretMoments are those of a regret at each of its points.
type regretMoments struct{ all, after, window []stats.Moments }

func newPolicySums(a *axes, arms int) *policySums {
	s := &policySums{own: make(map[string][]numbers), mistakes: newMistakeCounts(a, arms), sampler: newDiagnosticSums(a.Windows)}
	for range compare.Metrics() {
		s.regrets = append(s.regrets, regretMoments{make([]stats.Moments, len(a.All)), make([]stats.Moments, len(a.After)), make([]stats.Moments, a.Windows.N)})
	}
	for range arms {
		s.arms = append(s.arms, make([]stats.Moments, a.Windows.N))
	}
	return s
}

// add adds a trial; the order of trials counts in the last digits.
func (s *policySums) add(t *trialSums, a *axes) error {
	s.seeds++
	s.names = append(s.names, strconv.FormatUint(t.seed, 10))
	for k, m := range compare.Metrics() {
		if a.Own == nil {
			break
		}
		var curve numbers
		for _, place := range a.Own {
			curve = append(curve, t.all.Regret[k][place])
		}
		s.own[m.String()] = append(s.own[m.String()], curve)
	}
	for k, r := range t.regrets {
		addAll(s.regrets[k].all, t.all.Regret[k])
		addAll(s.regrets[k].after, t.after.Regret[k])
		addAll(s.regrets[k].window, r.means())
	}
	for arm, pulls := range t.pulls {
		addAll(s.arms[arm], pulls.means())
	}
	s.mistakes.add(t)
	return s.sampler.join(t.sampler)
}

func addAll(to []stats.Moments, values []float64) {
	for i, v := range values {
		to[i].Add(v)
	}
}

func (s *policySums) result(label string, a *axes, how detail) *policy {
	out := &policy{Label: label, Seeds: s.names, Own: s.own, Final: make(map[string]final), Regret: make(map[string]regret), Sampler: s.sampler.result(how.thetas), Mistakes: s.mistakes.perRound(s.seeds), mistakes: s.mistakes}
	for k, m := range compare.Metrics() {
		r := regret{All: newBand(s.regrets[k].all), Window: newBand(s.regrets[k].window)}
		if a.After != nil {
			b := newBand(s.regrets[k].after)
			r.After = &b
		}
		out.Regret[m.String()] = r
	}
	for _, windows := range s.arms {
		share := newBand(windows).Mean
		for i := range share {
			share[i] /= float64(a.Pulls)
		}
		out.Arms = append(out.Arms, share)
	}
	return out
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
