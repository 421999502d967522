package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"banditsim/bandit/experiment"
	"banditsim/bandit/harness"
	"banditsim/cmd/banditsim/cli/internal/folder"
	"banditsim/internal/exit"
	"banditsim/internal/report"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/plot"
)

// conclude draws the plot and prints where the results are, what was found, the tables, the thresholds and, as the last line, the next command.
func (a *app) conclude(f *runFlags, plan *experiment.Plan, dir string, summary harness.Summary) error {
	sets, err := a.Load(dir, false)
	if err != nil {
		return err
	}
	resumed := ""
	if summary.Resumed > 0 {
		resumed = fmt.Sprintf(", %d of them from a checkpoint", summary.Resumed)
	}
	var summaries []*compare.Summary
	sets, err = a.Show(sets, func(w io.Writer, sets []*results.Set) (err error) {
		picture, err := a.picture(dir, plan, sets)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "Trials  %s (%d run now%s, %d there already)\nPlot    %s\n\n", filepath.Join(dir, results.TrialsDir), summary.Run, resumed, summary.Skipped, picture)
		if err != nil {
			return err
		}
		if summaries, err = folder.Summarize(sets); err != nil {
			return err
		}
		if err := folder.Report(sets, summaries, false).Render(w, report.Text); err != nil {
			return err
		}
		_, err = fmt.Fprintln(w)
		return err
	})
	if err != nil {
		return err
	}
	missed, err := a.judge(f, plan, sets)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.Stdout, "%sNext: %s\n", report.WrapText(a.Screen(), alike(summaries)), a.nextCommand(f, plan, dir, sets))
	if err != nil {
		return err
	}
	if damaged := len(sets[0].Damaged); missed == nil && damaged > 0 && len(summary.Failed) == 0 {
		return exit.With(ExitIncomplete, fmt.Errorf("damaged files: %d", damaged))
	}
	if len(summary.Failed) == 0 {
		return missed
	}
	for _, f := range summary.Failed {
		fmt.Fprintf(a.Stderr, "failed: %s, seed %d, round %d: %s\n", f.Policy, f.Seed, f.Round, f.Cause)
	}
	return exit.With(ExitIncomplete, fmt.Errorf("%d of %d trials failed", len(summary.Failed), len(plan.Cells)))
}

// picture draws the regret of a set, or the ranks over several, into the folder; a figure section with facets the
// regret on each. It returns the file, or why there is none.
func (a *app) picture(dir string, plan *experiment.Plan, sets []*results.Set) (string, error) {
	path := filepath.Join(dir, "regret.svg")
	if len(sets) == 1 || plan.Figure != nil && plan.Figure.Facets {
		err := a.draw(path, plan, sets)
		if errors.Is(err, compare.ErrNoneFinished) {
			return "none: no trial is finished", nil
		}
		return path, err
	}
	path = filepath.Join(dir, "ranks.svg")
	across, err := compare.CompareAcross(sets, compare.Expected())
	if err != nil {
		return "none: " + err.Error(), nil
	}
	return path, plot.Write(path, plot.Ranks(across))
}

// draw draws the plot of a run. A figure section without room for what is there gives way to the default: by then
// the trials are done.
func (a *app) draw(path string, plan *experiment.Plan, sets []*results.Set) error {
	o := plot.DefaultOptions()
	if plan.Figure != nil {
		err := plot.Regret(path, sets, plan.Figure.Restrict(results.Labels(sets)))
		if err == nil || errors.Is(err, compare.ErrNoneFinished) {
			return err
		}
		a.Warn("the plot is drawn without the figure section: %v", err)
		o.Facets = plan.Figure.Facets
	}
	return plot.Regret(path, sets, o)
}
