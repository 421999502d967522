package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/plot"
	"banditsim/results/report"
	"banditsim/results/stats"
)

// load reads an output folder and warns of files that are left out.
func (a *app) load(dir string) (*results.Set, error) {
	set, err := results.Load(dir)
	if err != nil {
		return nil, mixedError(err)
	}
	a.warnOf(set)
	return set, nil
}

// show reads an output folder that a person asks to see.
func (a *app) show(dir string) (*results.Set, error) {
	set, err := a.load(dir)
	if err == nil {
		a.warnOfReplica(set)
	}
	return set, err
}

// incomplete is exit code 3 where trials of the sets, all of one folder, are damaged or failed.
func incomplete(sets ...*results.Set) error {
	failed, damaged := 0, len(sets[0].Damaged) // each set has all of the folder
	for _, set := range sets {
		for _, p := range set.Policies {
			for _, t := range p.Records {
				if t.Totals.Failure != nil {
					failed++
				}
			}
		}
	}
	if failed == 0 && damaged == 0 {
		return nil
	}
	return exitWith(ExitIncomplete, fmt.Errorf("failed trials: %d, damaged files: %d", failed, damaged))
}

func (a *app) reportCommand() *cobra.Command {
	var format, html string
	var mixed bool
	var watch watchFlags
	cmd := &cobra.Command{
		Use:   "report DIR",
		Short: "Summarise an output folder: regret of every policy, with intervals",
		Long: `Summarise an output folder: regret of every policy, with intervals, and the
provenance of the trials.

Trials of different data, protocols, environments or results epochs cannot be
compared; a folder that holds such is refused, unless --mixed asks for a table
of each. With --watch the table is kept up to date while another shell runs the
experiment, until that run has ended, or until Ctrl-C, which is no failure.

--html writes a page besides, which needs no network: curves to zoom and to
hover, the comparison, diagnostics, mistakes and the provenance.`,
		Args: argCount(1, 1),
		RunE: failing(func(cmd *cobra.Command, args []string) error {
			f, err := report.ParseFormat(format)
			if err != nil {
				return usageError(err)
			}
			if err := watch.check(cmd); err != nil {
				return usageError(err)
			}
			switch {
			case html != "" && (watch.on || mixed):
				return usageError(errors.New("--html: a page is of one setting, and written once: leave out --watch and --mixed"))
			case watch.on:
				return a.watch(cmd.Context(), args[0], f, mixed, watch.every)
			case mixed:
				return a.reportMixed(args[0], f)
			}
			set, err := a.show(args[0])
			if err != nil {
				return err
			}
			if err := a.writePage(cmd.Context(), html, set); err != nil {
				return err
			}
			summary := compare.Summarise(set)
			summary.Provenance = results.ReadProvenance(set)
			if err := report.Summary(a.stdout, f, summary); err != nil {
				return err
			}
			return incomplete(set)
		}),
	}
	formatFlag(cmd, &format)
	cmd.Flags().BoolVar(&mixed, "mixed", false, "take trials that are not alike: a table of each setting, never one mean")
	watch.add(cmd)
	cmd.Flags().StringVar(&html, "html", "", "write a self-contained page to this file too")
	return cmd
}

func (a *app) compareCommand() *cobra.Command {
	var format, baseline, metric, interval string
	var from, to int
	cmd := &cobra.Command{
		Use:   "compare DIR",
		Short: "Compare policies with a baseline, paired by seed",
		Args:  argCount(1, 1),
		RunE: failing(func(cmd *cobra.Command, args []string) error {
			f, err := report.ParseFormat(format)
			if err != nil {
				return usageError(err)
			}
			m, err := compare.ParseMetric(metric)
			if err != nil {
				return usageError(err)
			}
			method, err := stats.ParseIntervalMethod(interval)
			if err != nil {
				return usageError(err)
			}
			set, err := a.show(args[0])
			if err != nil {
				return err
			}
			last := set.Conditions.Protocol.Rounds
			if !cmd.Flags().Changed("to-round") {
				to = last
			}
			if from < 1 || to < from || to > last {
				return usageError(fmt.Errorf("--from-round %d and --to-round %d: want 1 ≤ from ≤ to ≤ %d", from, to, last))
			}
			c, err := compare.Compare(set, compare.Options{Metric: m, Interval: method, From: from, To: to, Baseline: baseline})
			var damaged results.Damaged
			switch {
			case errors.Is(err, compare.ErrNoneFinished):
				return exitWith(ExitIncomplete, err)
			case errors.As(err, &damaged):
				return err
			case err != nil:
				return usageError(err)
			}
			if err := report.Comparison(a.stdout, f, c); err != nil {
				return err
			}
			return incomplete(set)
		}),
	}
	formatFlag(cmd, &format)
	metricFlag(cmd, &metric)
	cmd.Flags().StringVar(&baseline, "baseline", "", "policy to compare with (default the one of lowest mean regret, tested against all pairs)")
	cmd.Flags().IntVar(&from, "from-round", 1, "first round whose regret counts")
	cmd.Flags().IntVar(&to, "to-round", 0, "last round whose regret counts (default the last)")
	cmd.Flags().StringVar(&interval, "interval", string(stats.StudentT), "95 % interval of a difference: t, bootstrap-t, or bca, from 40 seeds on")
	completeValues(cmd, "interval", stats.StudentT, stats.BootstrapT, stats.BCa)
	return cmd
}

func (a *app) plotCommand() *cobra.Command {
	var out, metric string
	var from int
	var term termFlags
	cmd := &cobra.Command{
		Use:   "plot DIR",
		Short: "Plot cumulative regret by round, a curve a policy",
		Args:  argCount(1, 1),
		RunE: failing(func(cmd *cobra.Command, args []string) error {
			if err := term.check(cmd); err != nil {
				return usageError(err)
			}
			if out == "" {
				out = filepath.Join(args[0], "regret.svg")
			}
			if err := plot.CheckPath(out); err != nil {
				return usageError(err)
			}
			m, err := compare.ParseMetric(metric)
			if err != nil {
				return usageError(err)
			}
			set, err := a.show(args[0])
			if err != nil {
				return err
			}
			if rounds := set.Conditions.Protocol.Rounds; from < 1 || from > rounds {
				return usageError(fmt.Errorf("--from-round %d: want 1 to %d", from, rounds))
			}
			if term.on {
				err = a.termPlot(set, term, m, from)
			} else {
				err = plot.Regret(out, set, plot.Options{Metric: m, From: from})
			}
			switch {
			case errors.Is(err, compare.ErrNoneFinished):
				return exitWith(ExitIncomplete, err)
			case err != nil:
				return err
			}
			if !term.on {
				if _, err = fmt.Fprintln(a.stdout, out); err != nil {
					return err
				}
			}
			return incomplete(set)
		}),
	}
	cmd.Flags().StringVar(&out, "out", "", "file to write: .svg, .png or .pdf (default DIR/regret.svg)")
	cmd.Flags().IntVar(&from, "from-round", 1, "first round to count regret from")
	metricFlag(cmd, &metric)
	term.add(cmd)
	return cmd
}

func formatFlag(cmd *cobra.Command, format *string) {
	cmd.Flags().StringVarP(format, "output", "o", string(report.Text), "form of the output: table, md, csv or json")
	completeValues(cmd, "output", report.Text, report.Markdown, report.CSV, report.JSON)
}

func metricFlag(cmd *cobra.Command, metric *string) {
	cmd.Flags().StringVar(metric, "metric", compare.Expected.Name, "kind of regret: "+strings.Join(compare.MetricNames(), " or "))
	completeValues(cmd, "metric", compare.MetricNames()...)
}
