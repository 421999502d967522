package cli

import (
	"context"
	"fmt"
	"time"

	"banditsim/bandit/experiment"
	"banditsim/bandit/harness"
	"banditsim/cmd/banditsim/cli/internal/plantext"
)

// dryRun prints what would be run, with all options, and how long it would take. It does not fail for the
// state of the folder, but says what it is.
func (a *app) dryRun(ctx context.Context, f *runFlags, plan *experiment.Plan, dir string) error {
	expected, err := harness.Expect(ctx, plan, dir, f.workers, processor(), time.Now)
	if err != nil {
		return a.interrupted(ctx, err, harness.Summary{}, 0)
	}
	_, err = fmt.Fprint(a.Stdout, plantext.Plan(plan, dir, expected, f.workers))
	return err
}
