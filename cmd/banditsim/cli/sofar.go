package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"banditsim/bandit/harness"
	"banditsim/internal/words"
)

// maxPolicies bounds the policies whose regret is shown at once.
const maxPolicies = 12

// regrets are the policies' regret so far, the lowest mean first and those without a
// finished trial last: at most n of them, and how many more there are.
func (v *view) regrets(n int) (policies []harness.PolicyProgress, more int) {
	policies = v.progress.Policies()
	slices.SortStableFunc(policies, func(a, b harness.PolicyProgress) int {
		if a.Finished == 0 || b.Finished == 0 {
			return cmp.Compare(min(b.Finished, 1), min(a.Finished, 1))
		}
		return cmp.Compare(a.Mean, b.Mean)
	})
	n = max(min(n, len(policies)), 0)
	return policies[:n], len(policies) - n
}

// soFar says of a policy what its finished trials came to, and each of those under way:
// these are in no mean, as their rounds differ.
func soFar(p harness.PolicyProgress) (finished, running string) {
	if p.Finished > 0 {
		finished = fmt.Sprintf("%s (%s)", words.Amount(p.Mean), words.Count(p.Finished, "seed"))
	}
	var parts []string
	for _, r := range p.Running {
		parts = append(parts, fmt.Sprintf("seed %d after round %d: %s", r.Seed, r.Round, words.Amount(r.Expected)))
	}
	if p.Failed > 0 {
		parts = append(parts, fmt.Sprintf("%d failed", p.Failed))
	}
	return finished, strings.Join(parts, ", ")
}

// regretLine is all of regrets, to be added to a line.
func (v *view) regretLine() string {
	var parts []string
	policies, more := v.regrets(maxPolicies)
	for _, p := range policies {
		switch finished, running := soFar(p); {
		case finished != "" && running != "":
			parts = append(parts, p.Policy+" "+finished+", "+running)
		case finished+running != "":
			parts = append(parts, p.Policy+" "+finished+running)
		default:
			more++
		}
	}
	if len(parts) == 0 {
		return ""
	}
	if more > 0 {
		parts = append(parts, fmt.Sprintf("%d more", more))
	}
	return "; mean expected regret so far: " + strings.Join(parts, "; ")
}

// regretLines are a table of regrets, at most height lines of at most width characters.
func (v *view) regretLines(width, height int) []string {
	policies, more := v.regrets(min(maxPolicies, height-2))
	if len(policies) == 0 {
		return nil
	}
	rows := [][2]string{{"expected regret so far", "mean of finished trials"}}
	notes := []string{"under way"}
	for _, p := range policies {
		finished, running := soFar(p)
		if finished == "" {
			finished = "–"
		}
		rows, notes = append(rows, [2]string{"  " + p.Policy, finished}), append(notes, running)
	}
	var wide [2]int
	for _, r := range rows {
		for k := range r {
			wide[k] = max(wide[k], utf8.RuneCountInString(r[k]))
		}
	}
	var lines []string
	for i, r := range rows {
		lines = append(lines, fmt.Sprintf("%-*s  %*s  %s", wide[0], r[0], wide[1], r[1], notes[i]))
	}
	if more > 0 {
		lines = append(lines, fmt.Sprintf("  and %d more", more))
	}
	for i := range lines {
		if r := []rune(lines[i]); len(r) > width {
			lines[i] = string(r[:width])
		}
	}
	return lines
}
