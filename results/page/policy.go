package page

import (
	"fmt"

	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
)

// readPolicy reads all rounds of all finished trials of a policy. It returns nil if no trial is
// finished.
func readPolicy(set *results.Set, p *results.PolicyRecords, a *axes) (*policy, error) {
	arms := len(set.Conditions.Environment.Arms)
	regrets := make([]*regretSums, len(compare.Metrics))
	for k := range regrets {
		regrets[k] = newRegretSums(a)
	}
	sampler, mistakes := newDiagnosticSums(a.Windows), newMistakeCounts(a, arms)
	pulls := make([]*perWindow, arms)
	for arm := range pulls {
		pulls[arm] = newPerWindow(a.Windows)
	}
	out := &policy{Label: words.Plain(p.Label), Regret: make(map[string]regret), mistakes: mistakes}
	for _, t := range p.Records {
		if t.Totals.Failure != nil {
			continue
		}
		for r, err := range t.Rounds() {
			if err != nil {
				return nil, err
			}
			for k, m := range compare.Metrics {
				regrets[k].add(r.Round, m.Round(r))
			}
			for arm, n := range r.Arms {
				pulls[arm].add(r.Round, float64(n))
			}
			mistakes.add(r)
			if err := sampler.add(r); err != nil {
				return nil, fmt.Errorf("page: read %s: %w", t.Path, err)
			}
		}
		for _, r := range regrets {
			r.endTrial()
		}
		for _, p := range pulls {
			p.endTrial()
		}
		out.Seeds++
	}
	if out.Seeds == 0 {
		return nil, nil
	}
	for k, m := range compare.Metrics {
		out.Regret[m.Name] = regrets[k].result()
	}
	out.Sampler = sampler.result()
	out.Mistakes = mistakes.perRound(out.Seeds)
	for _, p := range pulls {
		share := newBand(p.points).Mean
		for i := range share {
			share[i] /= float64(a.Pulls)
		}
		out.Arms = append(out.Arms, share)
	}
	return out, nil
}
