package cli

import (
	"fmt"
	"strings"

	"banditsim/bandit/experiment"
	"banditsim/internal/exit"
	"banditsim/results"
)

// judge prints the results of the thresholds and returns exit code 4 as missed if one is missed. A
// shard has only a part of the trials, so its thresholds are not judged.
func (a *app) judge(f *runFlags, plan *experiment.Plan, sets []*results.Set) (missed, err error) {
	if len(plan.Thresholds) == 0 {
		return nil, nil
	}
	var b strings.Builder
	n := 0
	for _, j := range plan.Judge(sets) {
		text := j.String()
		switch {
		case f.part() != "":
			text = fmt.Sprintf("%s: not judged: %s has only a part of the trials", j.Threshold.Text, f.part())
		case !j.Met:
			n++
		}
		fmt.Fprintf(&b, "threshold  %s\n", text)
	}
	if n > 0 {
		missed = exit.With(ExitThreshold, fmt.Errorf("%d of %d thresholds missed", n, len(plan.Thresholds)))
	}
	_, err = fmt.Fprintln(a.Stdout, b.String())
	return missed, err
}
