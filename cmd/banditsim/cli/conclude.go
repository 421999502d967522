package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"banditsim/bandit/experiment"
	"banditsim/bandit/harness"
	"banditsim/internal/exit"
	"banditsim/internal/figure"
	"banditsim/internal/report"
	"banditsim/internal/usage"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/plot"
)

// conclude draws the plot and prints the paths of the results, the findings, the tables, the thresholds and, as the
// last line, the next command.
func (a *app) conclude(f *runFlags, plan *experiment.Plan, dir string, summary harness.Summary) error {
	sets, err := a.loadEach([]string{dir}, false)
	if err != nil {
		return err
	}
	resumed := ""
	if summary.Resumed > 0 {
		resumed = fmt.Sprintf(", %d of them from a checkpoint", summary.Resumed)
	}
	var summaries []*compare.Summary
	sets, err = a.show(sets, func(w io.Writer, sets []*results.Set) (err error) {
		picture, err := a.picture(dir, plan, sets)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "Trials  %s (%d run now%s, %d there already)\nPlot    %s\n\n", filepath.Join(dir, results.TrialsDir), summary.Run, resumed, summary.Skipped, picture)
		if err != nil {
			return err
		}
		if summaries, err = summarize(sets); err != nil {
			return err
		}
		if f.until != (compare.Until{}) {
			if err := concludeUntil(sets, summaries, f.until); err != nil {
				return err
			}
		}
		if err := summaryReport(sets, summaries, false).Render(w, report.Text); err != nil {
			return err
		}
		_, err = fmt.Fprintln(w)
		return err
	})
	if err != nil {
		return err
	}
	judged, missed := judge(f.part(), plan, sets)
	_, err = fmt.Fprintf(a.Stdout, "%s%sNext: %s\n", judged, report.WrapText(a.screen(a.Stdout), alike(summaries)), a.nextCommand(f, plan, dir, sets))
	switch {
	case err != nil:
		return err
	case len(summary.Failed) > 0:
		for _, f := range summary.Failed {
			fmt.Fprintf(a.Stderr, "failed: %s, seed %d, round %d: %s\n", f.Policy, f.Seed, f.Round, f.Cause)
		}
		return exit.With(exit.CodeIncomplete, fmt.Errorf("%d of %d trials failed", len(summary.Failed), len(plan.Cells)))
	case missed != nil:
		return missed
	}
	return incompleteBy(0, len(sets[0].Damaged))
}

// picture draws the plot of a run into dir and returns its path, or why there is no plot. plan.Figure sets the kind of
// plot. The default is regret if there is one environment, or if each has a panel, else ranks. If regret cannot be
// drawn with plan.Figure, picture warns and uses the default options, because the trials have already been run.
func (a *app) picture(dir string, plan *experiment.Plan, sets []*results.Set) (string, error) {
	o := plot.DefaultOptions()
	if plan.Figure != nil {
		o = plan.Figure.Restrict(results.Labels(sets))
	}
	o.Picture = o.Picture.Of(len(sets), o.Facets)
	path := filepath.Join(dir, string(o.Picture)+".svg")
	if o.Picture != figure.Regret {
		drawn, err := a.scores(sets, o)
		if err != nil {
			return "none: " + err.Error(), nil
		}
		return path, plot.Write(path, drawn)
	}
	err := plot.Regret(path, sets, o)
	if err != nil && plan.Figure != nil && !errors.Is(err, compare.ErrNoneFinished) {
		a.warn("the plot is drawn without the figure section: %v", err)
		plain := plot.DefaultOptions()
		plain.Facets = o.Facets
		err = plot.Regret(path, sets, plain)
	}
	if errors.Is(err, compare.ErrNoneFinished) {
		return "none: no trial is finished", nil
	}
	return path, err
}

// judge returns the results of the thresholds as text, and an error with exit code 4 if a threshold is missed. If part
// is not "", it names the part of the trials that was run, and no threshold is judged.
func judge(part string, plan *experiment.Plan, sets []*results.Set) (text string, missed error) {
	if len(plan.Thresholds) == 0 {
		return "", nil
	}
	var b strings.Builder
	n := 0
	for _, j := range plan.Judge(sets) {
		text := j.String()
		if part != "" {
			text = fmt.Sprintf("%s: not judged: %s has only a part of the trials", j.Threshold.Text, part)
		} else if !j.Met {
			n++
		}
		fmt.Fprintf(&b, "threshold  %s\n", text)
	}
	if n > 0 {
		missed = exit.With(exit.CodeThreshold, fmt.Errorf("%d of %d thresholds missed", n, len(plan.Thresholds)))
	}
	return b.String() + "\n", missed
}

// nextCommand returns the command to run next:
//   - after a part of the trials (--shard, --trial), the command that merges it with the others: to a part, more seeds add nothing;
//   - after --until, the comparison whose intervals hold although --until chose the number of seeds;
//   - with enough seeds and a finished trial, the comparison;
//   - if all trials of a policy failed, the same command in another folder, after a change of that policy, since more
//     seeds would fail too;
//   - else the same command with as many seeds as the verdict needs.
func (a *app) nextCommand(f *runFlags, plan *experiment.Plan, dir string, sets []*results.Set) string {
	if part, _, _ := strings.Cut(strings.TrimPrefix(f.part(), "--"), " "); part != "" { // shard or trial
		return a.CommandLine("merge", dir+"-merged", dir) + " and the folders of the other " + part + "s"
	}
	seeds := map[uint64]bool{}
	for _, t := range plan.Cells {
		seeds[t.Seed] = true
	}
	failing, finished := neverFinished(sets)
	switch {
	case finished && f.until != (compare.Until{}):
		return a.CommandLine("compare", "--anytime", dir)
	case finished && len(seeds) >= compare.MinSeeds:
		return a.CommandLine("compare", dir)
	case len(failing) > 0: // the trials of a changed policy are another experiment
		return "change " + words.Plain(strings.Join(failing, ", ")) + ", then " + a.CommandLine(append(usage.Without(a.Args[1:], "--out"), "--out", dir+"-2")...)
	}
	args := usage.Without(a.Args[1:], "--seeds")
	if len(args) == 1 {
		args = append(args, "quick") // the default of run
	}
	return a.CommandLine(append(args, "--seeds", compare.MoreSeeds(sets...))...)
}

// neverFinished returns the labels of the policies without a finished trial, and reports whether any policy has one.
func neverFinished(sets []*results.Set) (failing []string, finished bool) {
	for _, label := range slices.Sorted(slices.Values(results.Labels(sets))) {
		if slices.ContainsFunc(sets, func(set *results.Set) bool {
			p := set.Find(label)
			return p != nil && len(results.Finished(p.Records)) > 0
		}) {
			finished = true
		} else {
			failing = append(failing, label)
		}
	}
	return failing, finished
}

// alike returns a line per warning about policies with equal pulls in all rounds, as more seeds hardly tell them apart.
func alike(summaries []*compare.Summary) string {
	var b strings.Builder
	for _, s := range summaries {
		for _, w := range s.Warnings {
			if w.Kind == compare.Identical {
				fmt.Fprintf(&b, "%s; more rounds or other options may tell them apart, more seeds hardly\n", words.Plain(w.Message))
			}
		}
	}
	return b.String()
}
