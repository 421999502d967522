package page

import (
	"fmt"

	"banditsim/internal/words"
	"banditsim/results"
)

// A policy is what its trials came to, over the seeds that did all their rounds: the
// part of a page that page.js draws.
type policy struct {
	Label    string       `json:"label"`
	Style    int          `json:"style"` // of its curves: colour and dashes
	Seeds    int          `json:"seeds"`
	Expected regret       `json:"expected"`
	Realised regret       `json:"realised"`
	Arms     []numbers    `json:"arms"`     // [arm][window]: the arm's share of the pulls
	Mistakes []numbers    `json:"mistakes"` // [arm][window]: wrong pulls a round
	Sampler  *diagnostics `json:"sampler"`  // null for a policy without one

	mistakes *mistakesOf
}

// gather reads every finished trial of a policy once, from its first byte to its last. It
// returns nil if no trial is finished.
func gather(set *results.Set, p *results.PolicyRecords, a *axes) (*policy, error) {
	arms := len(set.Conditions.Environment.Arms)
	expected, realised := newRegretOf(a), newRegretOf(a)
	sampler, mistakes := newDiagnosticsOf(a.Windows), newMistakesOf(a, arms)
	pulls := make([]*perWindow, arms)
	for arm := range pulls {
		pulls[arm] = newPerWindow(a.Windows)
	}
	out := &policy{Label: words.Plain(p.Label), mistakes: mistakes}
	for _, t := range p.Records {
		if t.Totals.Failure != nil {
			continue
		}
		for r, err := range t.Rounds() {
			if err != nil {
				return nil, err
			}
			expected.add(r.Round, r.Expected)
			realised.add(r.Round, r.Realised)
			for arm, n := range r.Arms {
				pulls[arm].add(r.Round, float64(n))
			}
			mistakes.add(r)
			if err := sampler.add(r); err != nil {
				return nil, fmt.Errorf("page: read %s: %w", t.Path, err)
			}
		}
		expected.endTrial()
		realised.endTrial()
		for _, p := range pulls {
			p.endTrial()
		}
		out.Seeds++
	}
	if out.Seeds == 0 {
		return nil, nil
	}
	out.Expected, out.Realised, out.Sampler = expected.result(), realised.result(), sampler.result()
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
