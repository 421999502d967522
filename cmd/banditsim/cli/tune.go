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
	"banditsim/cmd/banditsim/cli/internal/folder"
	"banditsim/internal/exit"
	"banditsim/internal/report"
	"banditsim/internal/tune"
	"banditsim/internal/tuning"
	"banditsim/internal/usage"
	"banditsim/internal/wholefile"
	"banditsim/internal/words"
	"banditsim/results"
)

func (a *app) tuneCommand() *cobra.Command {
	var f runFlags
	var write, format string
	cmd := &cobra.Command{
		Use:   "tune FILE.yaml",
		Short: "Search for the options of policies with the lowest regret",
		Long: `Search for the options of policies with the lowest regret, in the ranges of the section
tune of an experiment file (docs/tuning.md), by random search or successive halving, with the
same budget for every policy. The best configuration of each policy is then judged on the
experiment's own seeds, which the search does not see.

Trials are files in the output folder as those of run, and the search depends on the file and
on their regret alone: the same command resumes a search that was interrupted or killed and
ends as if it had not been. A greater budget, or other seeds held out, add to what is there.`,
		Example: `  banditsim tune wheel.yaml --dry-run
  banditsim tune wheel.yaml --write wheel-tuned.yaml
  banditsim run wheel-tuned.yaml --seeds 1001..1020`,
		Args: usage.Count(1, 1),
		RunE: exit.Failing(func(cmd *cobra.Command, args []string) error {
			if err := usage.NoEmpty(cmd); err != nil {
				return exit.Usage(err)
			}
			write = a.Path(write)
			e, err := a.experiment(&f.planFlags, args)
			if err == nil {
				err = usage.Workers(f.workers)
			}
			if err == nil && f.every < 0 {
				err = fmt.Errorf("--checkpoint %d: want a number of rounds, or 0 for no checkpoints", f.every)
			}
			if err == nil && write != "" {
				err = checkWrite(write, a.Path(args[0]))
			}
			if err != nil {
				return exit.Usage(err)
			}
			tables, err := report.ParseFormat(format)
			if err != nil {
				return exit.Usage(err)
			}
			return a.tune(cmd.Context(), &f, e, write, tables)
		}),
	}
	a.addPlanFlags(cmd, &f.planFlags)
	f.addWork(cmd)
	cmd.Flags().StringVar(&f.out, "out", "", "output folder (default out/<experiment>-tune)")
	cmd.Flags().StringVar(&write, "write", "", "experiment file to write, with the best configurations")
	usage.FormatFlag(cmd, &format)
	return cmd
}

// checkWrite returns an error if the file of --write is not one that may be written.
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
	return folder.CheckTarget(path)
}

// tune runs the search and shows what it found.
func (a *app) tune(ctx context.Context, f *runFlags, e experiment.Experiment, write string, format report.Format) error {
	ctx, stop := exit.Interrupts(ctx)
	defer stop()
	if err := e.CheckTune(); err != nil {
		return exit.Usage(err)
	}
	plan, err := e.Resolve(ctx, a.catalog)
	if err != nil {
		return a.resolveError(ctx, err)
	}
	search, err := tune.New(e, plan, a.catalog)
	if err != nil {
		return exit.Usage(err)
	}
	dir := a.outFolder(f.out, plan)
	if f.out == "" {
		dir += "-tune"
	}
	files := &tune.Folder{Dir: dir, Experiment: e, Search: search, Catalog: a.catalog,
		Execute: func(ctx context.Context, stage tune.Stage, plan *experiment.Plan, dir string) error {
			if !f.quiet {
				fmt.Fprintf(a.Stderr, "%s: %s on %s, %s\n", stage.Name, words.Count(len(stage.Configurations), "configuration"), words.Count(len(stage.Seeds), "seed"), words.Count(stage.Rounds, "round"))
			}
			summary, err := a.work(ctx, f, plan, dir)
			if err != nil {
				return a.interrupted(ctx, err, summary, len(plan.Cells))
			}
			return nil
		}}
	if f.dryRun {
		if err := files.Check(ctx); err != nil {
			return a.resolveError(ctx, err)
		}
		return a.printLines(tuning.Stages(search, dir))
	}
	r, err := search.Run(ctx, files)
	if err != nil {
		return a.tuneError(ctx, err)
	}
	return a.concludeTune(dir, r, files, write, format)
}

// tuneError adds the exit code to an error of a search.
func (a *app) tuneError(ctx context.Context, err error) error {
	var exit *exit.Error
	if errors.As(err, &exit) {
		return err
	}
	return a.resolveError(ctx, err)
}

// concludeTune prints what was found, draws the plots and writes the file. The names of the files follow a table of text, and go to stderr with
// other formats.
func (a *app) concludeTune(dir string, r *tune.Result, files *tune.Folder, write string, format report.Format) error {
	heldOut := []*results.Set{r.HeldOut}
	heldOut, err := a.Show(heldOut, func(w io.Writer, sets []*results.Set) error {
		summaries, err := folder.Summarize(sets)
		if err != nil {
			return err
		}
		return tuning.Report(r, folder.Report(sets, summaries, false)).Render(w, format)
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
	if write != "" {
		e, err := files.Configured(r.Best())
		if err != nil {
			return err
		}
		e.Name += "-tuned"
		if err := tuning.CheckReplace(write); err != nil { // again: a search takes hours
			return err
		}
		if err := wholefile.Write(write, tuning.File(r, tune.YAML(e))); err != nil {
			return err
		}
		lines = append(lines, "File    "+write, "Next    "+a.CommandLine("run", write, "--seeds", "1001..1020"))
	}
	if format != report.Text {
		fmt.Fprintln(a.Stderr, strings.Join(lines[1:], "\n"))
	} else if err := a.printLines(lines); err != nil {
		return err
	}
	return folder.Incomplete(heldOut)
}
