package compare

import (
	"encoding/json"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/diagnostics"
	"banditsim/internal/resultstest"
	"banditsim/results"
)

// TestExplain: a says what b does in every round, c by coincidence alone, and d is b with a contour that moves in
// round 3.
func TestExplain(t *testing.T) {
	dir := t.TempDir()
	write := func(policy, options string, burnIn int, contour bool, regrets ...float64) {
		i := resultstest.Identity(policy, 1, len(regrets))
		i.Policy.Options, i.Protocol.BurnIn = json.RawMessage(options), burnIn
		var rounds []*bandit.RoundRecord
		for k, regret := range regrets {
			r := &bandit.RoundRecord{Round: k + 1, Arms: []int{12, 8}, Expected: regret, Realised: regret}
			if contour {
				m := 1.0
				if k == 2 {
					m = 1.5
				}
				r.Diagnostics = diagnostics.Round{WeightESS: 1, Theta: []float64{1}, Chains: []diagnostics.Chain{{MultiplierMin: 1, MultiplierMean: 1, MultiplierMax: m}}}
			}
			rounds = append(rounds, r)
		}
		resultstest.WriteRounds(t, dir, i, nil, rounds...)
	}
	messages := func() (all []string) {
		set, err := results.Load(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range summaryOf(t, set).Warnings {
			if w.Kind == Identical || w.Kind == sameTotal {
				all = append(all, string(w.Kind)+" "+w.Policy+" "+w.Other+": "+w.Message)
			}
		}
		return all
	}
	check := func(want ...string) {
		t.Helper()
		if got := messages(); strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	write("a", `{"posterior":{"width":1}}`, 20, false, 40, 30, 20, 10)
	write("b", `{"posterior":{"width":2}}`, 20, false, 40, 25, 25, 10)
	write("c", `{"posterior":{"width":2,"steps":3}}`, 20, false, 40, 25, 25, 10)
	write("d", `{"posterior":{"width":4}}`, 20, true, 40, 25, 25, 10)
	write("e", `{}`, 20, false, 40, 25, 25, 11)
	check("same-total b a: b has the same regret as a on every seed, by coincidence: they differ from round 2 of seed 1 on",
		"identical c b: c has the same regret as b in every round: both pulled the same arms, though they differ in steps",
		"identical d b: d has the same regret as b in every round: both pulled the same arms, though they differ in width; the contour of d had no effect before round 3: its multipliers are 1")
	dir = t.TempDir()
	write("a", `{}`, 80, false, 40, 30, 20, 10)
	write("b", `{}`, 80, false, 40, 30, 20, 10)
	check("identical b a: b has the same regret as a in every round: all rounds are burn-in, in which no policy acts")
}
