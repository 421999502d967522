package cli

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"banditsim/cmd/banditsim/cli/internal/usage"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/report"
	"banditsim/results/stats"
)

func (a *app) compareCommand() *cobra.Command {
	var format, baseline, metric, interval, environment string
	var from, to int
	var wide bool
	cmd := &cobra.Command{
		Use:   "compare DIR...",
		Short: "Compare policies with a baseline, paired by seed, or over environments",
		Long: `Compare policies with a baseline, paired by seed.

Of several folders, or one of an experiment on several environments, policies are
compared over the environments: mean ranks, Friedman's, Nemenyi's and Wilcoxon's
tests, wins and losses, regret relative to acting uniformly and to the best. Policies
go by their labels. --environment selects one environment.`,
		Example: `  banditsim compare out/quick --baseline Uniform
  banditsim compare out/wheel out/linear out/logistic
  banditsim compare out/showdown --environment linear`,
		Args: usage.Count(1, 1000),
		RunE: failing(func(cmd *cobra.Command, args []string) error {
			f, err := tableFormat(format, wide)
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
			var sets []*results.Set
			for _, dir := range args {
				more, err := a.show(dir, false)
				if err != nil {
					return err
				}
				sets = append(sets, more...)
			}
			if sets, err = pick(sets, environment); err != nil {
				return err
			}
			if len(sets) > 1 {
				return a.compareAcross(cmd, f, sets, m)
			}
			set := sets[0]
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
			case errors.Is(err, compare.ErrNoneFinished), errors.As(err, &damaged):
				return noneFinished(err)
			case err != nil:
				return usageError(err)
			}
			if err := report.Comparison(a.screen(), f, c); err != nil {
				return err
			}
			return incomplete(sets)
		}),
	}
	formatFlag(cmd, &format)
	wideFlag(cmd, &wide)
	a.environmentFlag(cmd, &environment)
	metricFlag(cmd, &metric)
	cmd.Flags().StringVar(&baseline, "baseline", "", "policy to compare with (default the one with the lowest mean regret, corrected for all pairs)")
	cmd.Flags().IntVar(&from, "from-round", 1, "first round whose regret counts")
	cmd.Flags().IntVar(&to, "to-round", 0, "last round whose regret counts (default the last)")
	cmd.Flags().StringVar(&interval, "interval", string(stats.StudentT), "95 % interval of a difference: t, bootstrap-t, or bca, from 40 seeds on; or simultaneous: t-intervals that hold together")
	completeValues(cmd, "interval", stats.StudentT, stats.BootstrapT, stats.BCa, stats.Simultaneous)
	return cmd
}

// compareAcross compares policies over the environments of the sets. Sets of the same name, from several
// folders, get those of their folders before it.
func (a *app) compareAcross(cmd *cobra.Command, f report.Format, sets []*results.Set, m *compare.Metric) error {
	for _, flag := range []string{"baseline", "from-round", "to-round", "interval"} {
		if cmd.Flags().Changed(flag) {
			return usageError(fmt.Errorf("--%s is for the comparison on one environment, these are %d: choose one with --environment", flag, len(sets)))
		}
	}
	uses := make(map[string]int)
	for _, set := range sets {
		uses[set.Label]++
	}
	for _, set := range sets {
		if uses[set.Label] > 1 {
			set.Label = filepath.Base(set.Dir) + " " + set.Label
		}
	}
	across, err := compare.CompareAcross(sets, m)
	if err != nil {
		return usageError(err)
	}
	if err := report.Across(a.screen(), f, across); err != nil {
		return err
	}
	return incomplete(sets)
}
