package resultcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"banditsim/cmd/banditsim/cli/internal/folder"
	"banditsim/internal/exit"
	"banditsim/internal/logs"
	"banditsim/internal/origin"
	"banditsim/internal/page"
	"banditsim/internal/report"
	"banditsim/internal/usage"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
)

// reportFlags are the flags of the verb report.
type reportFlags struct {
	tables                        tableFlags
	watch                         watchFlags
	html, log                     string
	mixed, cost, mistakes, scores bool
}

// ReportCommand returns the verb report.
func (a App) ReportCommand() *cobra.Command {
	var f reportFlags
	cmd := &cobra.Command{
		Use:   "report DIR…",
		Short: "Summarize an output folder: regret of each policy, with intervals",
		Long: `Summarize an output folder: regret of each policy, with intervals, and the
provenance of the trials.

Trials of different data, protocols, environments or results epochs cannot be
compared. A folder with such trials is an error, unless --mixed selects a table for
each setting. With --watch the table is updated while another shell runs the
experiment, until that run has ended or until Ctrl-C, which is not a failure.

The trials of an experiment on several environments have a table for each, and one
over all: mean ranks with Friedman's and Nemenyi's tests, wins and losses.
--environment selects one of them.

Trials of several folders that are of one setting share a table, and are paired by
seed; those of several settings have a table for each.

--cost shows gradient steps and seconds of a trial beside the regret, and which
policies no other betters in both regret and time. --mistakes shows which arms cost a
policy most regret, and in which row of the data, by the pulls that
'run --record pulls' recorded. --scores shows how well posteriors predict rewards
beside the regret, as 'run --record scores' recorded (docs/policies.md).

--html also writes a page that needs no network: curves to zoom over rounds, pulls or
gradient steps, the comparison with any baseline, diagnostics, mistakes and the
provenance; of several environments a switch, and the ranks over them. title and
notes of an experiment file head it. With --log FILE, which 'banditsim evaluate LOG -o
json' wrote, it shows what a log says of the same policies beside the simulations.

With --watch the page is rewritten while a run goes on, and loads itself again in the
browser with what was chosen in it, until the run has ended; the folder may be one that
a run is about to fill.`,
		Args: usage.Count(1, folder.MaxFolders),
		RunE: exit.Failing(func(cmd *cobra.Command, args []string) error {
			args, f.html, f.log = a.Paths(args), a.Path(f.html), a.Path(f.log)
			format, err := f.tables.parse()
			if err != nil {
				return exit.Usage(err)
			}
			if err := f.check(cmd, args); err != nil {
				return exit.Usage(err)
			}
			switch {
			case f.watch.on && f.html != "":
				return a.watchPage(cmd.Context(), args[0], f.html, f.log, f.watch.every)
			case f.watch.on:
				return a.watch(cmd.Context(), args[0], format, f.mixed, f.watch.every)
			}
			return a.report(cmd.Context(), args, &f, format)
		}),
	}
	f.tables.add(cmd)
	cmd.Flags().BoolVar(&f.mixed, "mixed", false, "accept trials with different settings: a table for each, never one mean")
	cmd.Flags().BoolVar(&f.cost, "cost", false, "gradient steps and seconds of a trial beside the regret")
	cmd.Flags().BoolVar(&f.mistakes, "mistakes", false, "what the wrong pulls cost, by arm and row, of trials with recorded pulls")
	cmd.Flags().BoolVar(&f.scores, "scores", false, "how well posteriors predict rewards beside the regret, of trials with recorded scores")
	f.watch.add(cmd)
	cmd.Flags().StringVar(&f.html, "html", "", "also write a self-contained page to this file")
	cmd.Flags().StringVar(&f.log, "log", "", "on the page: what a log says of the same policies, a file of 'banditsim evaluate LOG -o json'")
	cmd.MarkFlagsMutuallyExclusive("cost", "mistakes", "scores")
	cmd.MarkFlagsMutuallyExclusive("html", "mixed")
	for _, part := range []string{"environment", "policies", "cost", "mistakes", "scores"} { // --watch shows the whole folder
		cmd.MarkFlagsMutuallyExclusive("watch", part)
	}
	return cmd
}

// check returns an error if a flag asks for what the others or the folders exclude.
func (f *reportFlags) check(cmd *cobra.Command, args []string) error {
	switch {
	case f.watch.on && len(args) > 1:
		return errors.New("--watch shows one folder")
	case f.watch.on && f.html != "" && (cmd.Flags().Changed("format") || f.tables.wide):
		return errors.New("--watch with --html writes the page alone: leave out -o and --wide")
	case cmd.Flags().Changed("log") && f.html == "":
		return errors.New("--log is shown on the page: add --html FILE.html")
	case f.html != "" && !slices.Contains([]string{".html", ".htm"}, strings.ToLower(filepath.Ext(f.html))):
		return fmt.Errorf("--html %s: unknown ending %q, want .html", f.html, filepath.Ext(f.html))
	}
	return f.watch.check(cmd)
}

// report shows the folders, and writes their page if the flags ask for one.
func (a App) report(ctx context.Context, dirs []string, f *reportFlags, format report.Format) error {
	if f.html != "" {
		if err := folder.CheckTarget(f.html); err != nil {
			return err
		}
	}
	sets, err := a.ShowAll(dirs, f.mixed, f.tables.environment, f.tables.policies)
	if err != nil {
		return err
	}
	sets, err = a.Show(sets, func(w io.Writer, sets []*results.Set) error {
		summaries, err := a.writePage(ctx, f.html, f.log, sets)
		if err != nil {
			return err
		}
		r, err := f.result(sets, summaries)
		if err != nil {
			return err
		}
		return r.Render(w, format)
	})
	switch {
	case errors.Is(err, compare.ErrNoPulls):
		return exit.Usage(fmt.Errorf("--mistakes: %w", err))
	case errors.Is(err, compare.ErrNoScores):
		return exit.Usage(fmt.Errorf("--scores: %w", err))
	case err != nil:
		return err
	}
	return folder.Incomplete(sets)
}

// result returns the report that the flags ask for. summaries are those of the page, nil without one.
func (f *reportFlags) result(sets []*results.Set, summaries []*compare.Summary) (report.Result, error) {
	switch {
	case f.cost:
		return report.Costs(sets), nil
	case f.mistakes:
		return report.Mistakes(sets)
	case f.scores:
		return report.RecordedScores(sets)
	}
	if summaries == nil {
		var err error
		if summaries, err = folder.Summarize(sets); err != nil {
			return report.Result{}, err
		}
	}
	for i, set := range sets {
		summaries[i].Provenance = origin.Read(set)
	}
	return folder.Report(sets, summaries, f.mixed), nil
}

// errSeveral is the error of --log with trials of several environments.
var errSeveral = exit.Usage(errors.New("--log: a log is of one environment: choose it with --environment"))

// pageOptions returns the options of a page. log is the file of a log's evaluation, or "".
func (a App) pageOptions(ctx context.Context, log string) (o page.Options, err error) {
	warned := make(map[string]bool) // by environment: a page that is watched is made many times
	o.Describe = func(e results.Environment) (*page.Rows, error) {
		rows, err := a.Catalog.Rows(ctx, e)
		if err != nil && !warned[e.Name] {
			warned[e.Name] = true
			a.Warn("the page numbers the rows of %s but does not describe them: %v", words.Plain(e.Name), err)
		}
		return (*page.Rows)(rows), err
	}
	if log != "" {
		e, err := logs.ReadEvaluation(log)
		if err != nil {
			return o, exit.Usage(fmt.Errorf("--log: %w", err))
		}
		o.Log = e.Beside
	}
	return o, nil
}

// writePage writes the page of the sets of a folder to path, unless path is "", and returns their summaries. log is the file of a log's evaluation, or "".
func (a App) writePage(ctx context.Context, path, log string, sets []*results.Set) (summaries []*compare.Summary, err error) {
	if path == "" {
		return nil, nil
	}
	o, err := a.pageOptions(ctx, log)
	if err != nil {
		return nil, err
	}
	if o.Log != nil && len(sets) > 1 {
		return nil, errSeveral
	}
	o.Summary = func(s *compare.Summary) { summaries = append(summaries, s) }
	if err := page.Write(path, sets, o); err != nil {
		return nil, err
	}
	_, err = fmt.Fprintf(a.Stderr, "page         %s\n", path)
	return summaries, err
}
