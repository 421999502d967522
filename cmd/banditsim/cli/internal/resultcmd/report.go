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
	"banditsim/internal/origin"
	"banditsim/internal/usage"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/logs"
	"banditsim/results/page"
	"banditsim/results/report"
)

// ReportCommand returns the verb report.
func (a App) ReportCommand() *cobra.Command {
	var html, log string
	var mixed, cost, mistakes, scores bool
	var tables tableFlags
	var watch watchFlags
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
			args, html, log = a.Paths(args), a.Path(html), a.Path(log)
			f, err := tables.parse()
			if err != nil {
				return exit.Usage(err)
			}
			if err := watch.check(cmd); err != nil {
				return exit.Usage(err)
			}
			switch {
			case watch.on && len(args) > 1:
				return exit.Usage(errors.New("--watch shows one folder"))
			case watch.on && (tables.environment != "" || cost || mistakes || scores):
				return exit.Usage(errors.New("--watch shows the whole folder: leave out --environment, --cost, --mistakes and --scores"))
			case cost && mistakes || scores && (cost || mistakes):
				return exit.Usage(errors.New("--cost, --mistakes and --scores are tables of their own: choose one"))
			case html != "" && mixed:
				return exit.Usage(errors.New("--html writes one page of one setting: leave out --mixed"))
			case cmd.Flags().Changed("log") && html == "":
				return exit.Usage(errors.New("--log is shown on the page: add --html FILE.html"))
			case html != "" && !slices.Contains([]string{".html", ".htm"}, strings.ToLower(filepath.Ext(html))):
				return exit.Usage(fmt.Errorf("--html %s: unknown ending %q, want .html", html, filepath.Ext(html)))
			case watch.on && tables.policies != nil:
				return exit.Usage(errors.New("--watch shows all policies: leave out --policies"))
			case watch.on && html != "":
				if cmd.Flags().Changed("format") || tables.wide {
					return exit.Usage(errors.New("--watch with --html writes the page alone: leave out -o and --wide"))
				}
				return a.watchPage(cmd.Context(), args[0], html, log, watch.every)
			case watch.on:
				return a.watch(cmd.Context(), args[0], f, mixed, watch.every)
			}
			if html != "" {
				if err := folder.CheckTarget(html); err != nil {
					return err
				}
			}
			sets, err := a.ShowAll(args, mixed, tables.environment, tables.policies)
			if err != nil {
				return err
			}
			sets, err = a.Show(sets, func(w io.Writer, sets []*results.Set) error {
				summaries, err := a.writePage(cmd.Context(), html, log, sets)
				switch {
				case err != nil:
					return err
				case cost:
					return report.Costs(sets).Render(w, f)
				case mistakes:
					r, err := report.Mistakes(sets)
					if err != nil {
						return err
					}
					return r.Render(w, f)
				case scores:
					r, err := report.RecordedScores(sets)
					if err != nil {
						return err
					}
					return r.Render(w, f)
				case html == "":
					if summaries, err = folder.Summarize(sets); err != nil {
						return err
					}
				}
				for i, set := range sets {
					summaries[i].Provenance = origin.Read(set)
				}
				return folder.Report(sets, summaries, mixed).Render(w, f)
			})
			if errors.Is(err, compare.ErrNoPulls) {
				err = exit.Usage(fmt.Errorf("--mistakes: %w", err))
			}
			if errors.Is(err, compare.ErrNoScores) {
				err = exit.Usage(fmt.Errorf("--scores: %w", err))
			}
			if err != nil {
				return err
			}
			return folder.Incomplete(sets)
		}),
	}
	tables.add(cmd)
	cmd.Flags().BoolVar(&mixed, "mixed", false, "accept trials with different settings: a table for each, never one mean")
	cmd.Flags().BoolVar(&cost, "cost", false, "gradient steps and seconds of a trial beside the regret")
	cmd.Flags().BoolVar(&mistakes, "mistakes", false, "what the wrong pulls cost, by arm and row, of trials with recorded pulls")
	cmd.Flags().BoolVar(&scores, "scores", false, "how well posteriors predict rewards beside the regret, of trials with recorded scores")
	watch.add(cmd)
	cmd.Flags().StringVar(&html, "html", "", "also write a self-contained page to this file")
	cmd.Flags().StringVar(&log, "log", "", "on the page: what a log says of the same policies, a file of 'banditsim evaluate LOG -o json'")
	return cmd
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
