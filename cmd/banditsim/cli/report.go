package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"banditsim/datasets"
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

// tableFlags are the flags that select the format and the content of tables.
type tableFlags struct {
	selection

	format report.Format
	wide   bool
}

func (t *tableFlags) add(cmd *cobra.Command) {
	usage.Format(cmd, &t.format)
	cmd.Flags().BoolVar(&t.wide, "wide", false, "show all columns, on a narrow terminal too")
	t.policiesFlag(cmd)
	t.environmentFlag(cmd)
}

// check sets the format to Wide if --wide is given. It returns an error if --wide comes with another format than text.
func (t *tableFlags) check() error {
	if t.wide && t.format != report.Text {
		return fmt.Errorf("--wide is of tables on a terminal: leave it out, -o %s has all columns", t.format)
	}
	if t.wide {
		t.format = report.Wide
	}
	return nil
}

type reportFlags struct {
	tableFlags
	watchFlags

	html, log              string
	cost, mistakes, scores bool
}

func (a *app) reportCommand() *cobra.Command {
	var f reportFlags
	cmd := &cobra.Command{
		Use:   "report DIR…",
		Short: "Summarize an output folder: regret of each policy, with intervals",
		Long: `Summarize an output folder: regret of each policy, with intervals, and the
provenance of the trials. An experiment on several environments has a table for each,
and one over all: mean ranks with Friedman's and Nemenyi's tests, wins and losses.

Trials of different data, protocols, environments or results epochs cannot be
compared: they are an error, unless --mixed selects a table for each setting. Trials
of several folders share a table, paired by seed, if they are of one setting.

--cost shows gradient steps and seconds of a trial beside the regret, --mistakes which
arms and rows cost most, by the pulls that 'run --record pulls' recorded, and --scores
how well posteriors predict, as 'run --record scores' recorded.

--html also writes a page that needs no network: curves to zoom, the comparison with any
baseline, diagnostics, mistakes and the provenance. With --log FILE, which 'banditsim
evaluate LOG -o json' wrote, it shows what a log says of the same policies.

With --watch table or page are updated while another shell runs the experiment, until
that run has ended or until Ctrl-C, which is not a failure.`,
		Args:    usage.Count(1, maxFolders),
		PreRunE: f.check,
		RunE: func(cmd *cobra.Command, args []string) error {
			args, f.html, f.log = a.Paths(args), a.Path(f.html), a.Path(f.log)
			if f.html != "" {
				if err := checkTarget(f.html); err != nil {
					return err
				}
			}
			if !f.on {
				return a.report(cmd.Context(), args, &f)
			}
			ctx, stop := exit.Interrupts(cmd.Context())
			defer stop()
			if f.html != "" {
				return a.watchPage(ctx, args[0], &f)
			}
			return a.watchTables(ctx, args[0], &f)
		},
	}
	flags := cmd.Flags()
	f.tableFlags.add(cmd)
	f.mixedFlag(cmd, ": a table for each, never one mean")
	flags.BoolVar(&f.cost, "cost", false, "gradient steps and seconds of a trial beside the regret")
	flags.BoolVar(&f.mistakes, "mistakes", false, "what the wrong pulls cost, by arm and row, of trials with recorded pulls")
	flags.BoolVar(&f.scores, "scores", false, "how well posteriors predict rewards beside the regret, of trials with recorded scores")
	f.watchFlags.add(cmd)
	flags.StringVar(&f.html, "html", "", "also write a self-contained page to this file")
	flags.StringVar(&f.log, "log", "", "on the page: what a log says of the same policies, a file of 'banditsim evaluate LOG -o json'")
	usage.Needs(cmd, "log", "html")
	cmd.MarkFlagsMutuallyExclusive("cost", "mistakes", "scores")
	cmd.MarkFlagsMutuallyExclusive("html", "mixed")
	for _, part := range []string{"environment", "policies", "cost", "mistakes", "scores"} { // --watch shows the whole folder
		cmd.MarkFlagsMutuallyExclusive("watch", part)
	}
	return cmd
}

// check sets f.format for --wide. Flags that do not fit each other or the folders and a wrong --html ending are errors.
func (f *reportFlags) check(cmd *cobra.Command, args []string) error {
	switch {
	case f.on && len(args) > 1:
		return errors.New("--watch shows one folder")
	case f.on && f.html != "" && (cmd.Flags().Changed("format") || f.wide):
		return errors.New("--watch with --html writes the page alone: leave out -o and --wide")
	case f.html != "" && !slices.Contains([]string{".html", ".htm"}, strings.ToLower(filepath.Ext(f.html))):
		return fmt.Errorf("--html %s: unknown ending %q, want .html", f.html, filepath.Ext(f.html))
	}
	return f.tableFlags.check()
}

// report prints the report of the folders and, with --html, writes their page first.
func (a *app) report(ctx context.Context, dirs []string, f *reportFlags) error {
	sets, err := a.load(dirs, f.selection)
	if err != nil {
		return err
	}
	o, err := a.pageOptions(ctx, f)
	if err != nil {
		return err
	}
	err = a.showAll(sets, func(w io.Writer, sets []*results.Set) error {
		var summaries []*compare.Summary
		if f.html != "" {
			o.Summary = func(s *compare.Summary) { summaries = append(summaries, s) }
			if err := pageOf(f.html, sets, o); err != nil {
				return err
			}
			fmt.Fprintf(a.Stderr, "page         %s\n", f.html)
		}
		r, err := f.result(sets, summaries)
		if err != nil {
			return err
		}
		return r.Render(w, f.format)
	})
	switch {
	case errors.Is(err, compare.ErrNoPulls):
		return exit.Usage(fmt.Errorf("--mistakes: %w", err))
	case errors.Is(err, compare.ErrNoScores):
		return exit.Usage(fmt.Errorf("--scores: %w", err))
	}
	return err
}

// result returns the report that the flags ask for. summaries has the summaries of sets, or is nil to compute them.
func (f *reportFlags) result(sets []*results.Set, summaries []*compare.Summary) (r report.Result, err error) {
	switch {
	case f.cost:
		return report.Costs(sets), nil
	case f.mistakes:
		return report.Mistakes(sets)
	case f.scores:
		return report.RecordedScores(sets)
	}
	if summaries == nil {
		if summaries, err = summarize(sets); err != nil {
			return r, err
		}
	}
	for i, set := range sets {
		summaries[i].Provenance = origin.Read(set)
	}
	return summaryReport(sets, summaries, f.mixed), nil
}

// pageOptions returns the options of a page.
func (a *app) pageOptions(ctx context.Context, f *reportFlags) (o page.Options, err error) {
	warned := make(map[string]bool) // names of the environments that a.warn has named: --watch makes the page many times
	o.Describe = func(e results.Environment) (*datasets.Rows, error) {
		rows, err := a.catalog.Rows(ctx, e)
		if err != nil && !warned[e.Name] {
			warned[e.Name] = true
			a.warn("the page numbers the rows of %s but does not describe them: %v", words.Plain(e.Name), err)
		}
		return rows, err
	}
	if f.log != "" {
		e, err := logs.ReadEvaluation(f.log)
		if err != nil {
			return o, exit.Usage(fmt.Errorf("--log: %w", err))
		}
		o.Log = e.Beside
	}
	return o, nil
}

// pageOf writes the page of sets to path.
func pageOf(path string, sets []*results.Set, o page.Options) error {
	if o.Log != nil && len(sets) > 1 {
		return exit.Usage(errors.New("--log: a log is of one environment: choose it with --environment"))
	}
	return page.Write(path, sets, o)
}
