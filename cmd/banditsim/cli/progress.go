package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"banditsim/bandit/harness"
	"banditsim/internal/report"
	"banditsim/internal/terminal"
	"banditsim/internal/words"
)

// showProgress shows the progress of a run on w until stop is called, with a line per policy. On a terminal the lines
// are below a bar. Elsewhere they are printed every 30 s.
func showProgress(w io.Writer, p *harness.Progress) (stop func()) {
	v := &view{p, time.Now()}
	return terminal.Meter{Text: v.text, Done: p.Work.Load, Total: p.Total, Below: v.regretLines}.Show(w)
}

// A view formats the progress of a run.
type view struct {
	progress *harness.Progress
	started  time.Time
}

// text returns a line such as "trials 3/18, round 1204/2000, 9812 steps/s, 2m10s left".
func (v *view) text() string {
	elapsed := time.Since(v.started)
	return fmt.Sprintf("trials %d/%d, round %d/%d, %.0f steps/s", v.progress.Trials.Load(), v.progress.Pending.Load(),
		v.progress.Latest.Load(), v.progress.Length.Load(), float64(v.progress.Steps.Load())/elapsed.Seconds()) +
		terminal.TimeLeft(v.started, v.progress.Work.Load(), v.progress.Total())
}

// order sorts policies by mean regret, the lowest first, and those without a finished trial last. On several
// environments, whose means have different scales, it only puts policies with a running trial first.
func order(policies []harness.PolicyProgress) {
	several := slices.ContainsFunc(policies, func(p harness.PolicyProgress) bool { return p.Environment != policies[0].Environment })
	slices.SortStableFunc(policies, func(a, b harness.PolicyProgress) int {
		if several {
			return cmp.Compare(min(len(b.Running), 1), min(len(a.Running), 1))
		}
		if a.Finished == 0 || b.Finished == 0 {
			return cmp.Compare(min(b.Finished, 1), min(a.Finished, 1))
		}
		return cmp.Compare(a.Mean, b.Mean)
	})
}

// finishedText returns the mean regret of a policy's finished trials.
func finishedText(p harness.PolicyProgress) string {
	if p.Finished == 0 {
		return words.None
	}
	return fmt.Sprintf("%s (%s)", words.Amount(p.Mean), words.Count(p.Finished, "seed"))
}

// runningText returns the regret of each running trial and the number of failed trials, but no mean, as rounds differ.
func runningText(p harness.PolicyProgress) string {
	var parts []string
	for _, r := range p.Running {
		parts = append(parts, fmt.Sprintf("seed %d after round %d: %s", r.Seed, r.Round, words.Amount(r.Expected)))
	}
	if p.Failed > 0 {
		parts = append(parts, fmt.Sprintf("%d failed", p.Failed))
	}
	return strings.Join(parts, ", ")
}

// maxPolicies is the largest number of policies whose regret is shown at once.
const maxPolicies = 12

// regretLines returns a table of the regrets so far. It has at most height lines, and a line at most width characters.
func (v *view) regretLines(width, height int) []string {
	policies := v.progress.Policies()
	shown := min(maxPolicies, height-2, len(policies))
	if shown <= 0 {
		return nil
	}
	order(policies)
	lines := report.NewTable(regretColumns, policies[:shown]).Lines()
	if more := len(policies) - shown; more > 0 {
		lines = append(lines, fmt.Sprintf("  and %d more", more))
	}
	for i := range lines {
		if r := []rune(lines[i]); len(r) > width {
			lines[i] = string(r[:width])
		}
	}
	return lines
}

var regretColumns = report.Columns[harness.PolicyProgress]{
	{Header: "expected regret so far", Text: func(p harness.PolicyProgress) string { return "  " + p.Policy }},
	{Header: "mean of finished trials", Right: true, Text: finishedText},
	{Header: "under way", Text: runningText},
}
