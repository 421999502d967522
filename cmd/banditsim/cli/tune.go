package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"banditsim/bandit/experiment"
	"banditsim/internal/exit"
	"banditsim/internal/report"
	"banditsim/internal/tune"
	"banditsim/internal/tuning"
	"banditsim/internal/usage"
	"banditsim/internal/wholefile"
	"banditsim/internal/words"
	"banditsim/results"
)

type tuneFlags struct {
	runFlags

	write  string
	format report.Format
}

func (a *app) tuneCommand() *cobra.Command {
	var f tuneFlags
	cmd := &cobra.Command{
		Use:   "tune FILE.yaml",
		Short: "Search for the options of policies with the lowest regret",
		Long: `Search for the options of policies with the lowest regret, in the ranges of the section
tune of an experiment file (docs/tuning.md), by random search or successive halving, with the
same budget for every policy, in trials or in minutes of processor time. The best configuration of each policy is then judged on the
experiment's own seeds, which the search does not see.

Trials are files in the output folder as those of run, and the search depends on the file and
on their regret alone: the same command resumes a search that was interrupted or killed and
ends as if it had not been. A greater budget, or other seeds held out, add to what is there.`,
		Example: `  banditsim tune wheel.yaml --dry-run
  banditsim tune wheel.yaml --write wheel-tuned.yaml
  banditsim run wheel-tuned.yaml --seeds 1001..1020`,
		Args: usage.Count(1, 1),
		RunE: interruptible(func(ctx context.Context, args []string) error {
			f.write = a.Path(f.write)
			e, err := a.experiment(&f.planFlags, args)
			if err == nil && f.write != "" {
				err = checkWrite(f.write, a.Path(args[0]))
			}
			if err == nil {
				err = tuning.Check(e)
			}
			if err != nil {
				return exit.Usage(err)
			}
			return a.tune(ctx, &f, e)
		}),
	}
	a.addPlanFlags(cmd, &f.planFlags)
	f.workFlags.add(cmd, "-tune")
	cmd.Flags().StringVar(&f.write, "write", "", "experiment file to write, with the best configurations")
	usage.Format(cmd, &f.format)
	return cmd
}

// checkWrite returns an error if --write may not write to path. The argument from names the file with the ranges.
func checkWrite(path, from string) error {
	if !isExperimentFile(path) {
		return fmt.Errorf("--write %s: want a name that ends in .yaml, by which 'run' knows a file from a preset", path)
	}
	is, err := os.Stat(path)
	if was, err2 := os.Stat(from); err == nil && err2 == nil && os.SameFile(is, was) {
		return fmt.Errorf("--write %s: that is the file with the ranges: choose another name", path)
	}
	if err := tuning.CheckReplace(path); err != nil {
		return err
	}
	return checkTarget(path)
}

// tune runs the search and shows what it found.
func (a *app) tune(ctx context.Context, f *tuneFlags, e experiment.Experiment) error {
	plan, err := a.resolve(ctx, e)
	if err != nil {
		return err
	}
	search, err := tuning.NewSearch(e, plan, a.catalog)
	if err != nil {
		return exit.Usage(err)
	}
	dir := a.outFolder(f.out, plan, "-tune")
	files := &tuning.Folder{Dir: dir, Experiment: e, Search: search, Catalog: a.catalog,
		Execute: func(ctx context.Context, stage tune.Stage, plan *experiment.Plan, dir string) error {
			if !f.quiet {
				fmt.Fprintf(a.Stderr, "%s: %s on %s, %s\n", stage.Name, words.Count(len(stage.Configurations), "configuration"), words.Count(len(stage.Seeds), "seed"), words.Count(stage.Rounds, "round"))
			}
			_, err := a.work(ctx, &f.runFlags, plan, dir)
			return err
		}}
	search.Seconds = files.Seconds
	if f.dryRun {
		if err := files.Check(ctx); err != nil {
			return a.resolveError(ctx, err)
		}
		return a.printLines(tuning.Stages(search, dir))
	}
	r, err := search.Run(ctx, files.Run)
	if errors.As(err, new(*exit.Error)) {
		return err
	} else if err != nil {
		return a.resolveError(ctx, err)
	}
	return a.concludeTune(dir, r, files, f)
}

// concludeTune prints what was found, draws the plots and writes the file of --write. In text the paths of these
// files follow the table; with other formats they go to stderr.
func (a *app) concludeTune(dir string, r *tune.Result, files *tuning.Folder, f *tuneFlags) error {
	heldOut, err := a.show(files.Sets, func(w io.Writer, sets []*results.Set) error {
		summaries, err := summarize(sets)
		if err != nil {
			return err
		}
		return tuning.Report(r, summaryReport(sets, summaries, false)).Render(w, f.format)
	})
	if err != nil {
		return err
	}
	lines := []string{"", "Trials  " + dir}
	for i := range r.Found {
		path := filepath.Join(dir, fmt.Sprintf("tune-%d.svg", i+1))
		if err := tuning.Plot(path, r, &r.Found[i]); err != nil {
			return err
		}
		lines = append(lines, "Plot    "+path+"  "+words.Plain(r.Found[i].Policy))
	}
	if f.write != "" {
		e, err := files.Configured(r.Best())
		if err == nil {
			err = tuning.CheckReplace(f.write) // again, as the file may have changed during the search
		}
		if err == nil && r.Judges != nil { // leave out the environments of the search, on which regret is too low
			_, err = e.SelectEnvironments(r.Judges)
		}
		if err != nil {
			return err
		}
		e.Name += "-tuned"
		if err := wholefile.Write(f.write, tuning.File(r, tuning.YAML(e, ""))); err != nil {
			return err
		}
		lines = append(lines, "File    "+f.write, "Next    "+a.CommandLine("run", f.write, "--seeds", "1001..1020"))
	}
	if f.format != report.Text {
		fmt.Fprintln(a.Stderr, strings.Join(lines[1:], "\n"))
	} else if err := a.printLines(lines); err != nil {
		return err
	}
	return incomplete(heldOut)
}
