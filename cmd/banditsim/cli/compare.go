package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/report"
	"banditsim/results/stats"
)

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
			sets, err := a.show(args[0], false)
			if err != nil {
				return err
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
			if err := report.Comparison(a.stdout, f, c); err != nil {
				return err
			}
			return incomplete(sets)
		}),
	}
	formatFlag(cmd, &format)
	metricFlag(cmd, &metric)
	cmd.Flags().StringVar(&baseline, "baseline", "", "policy to compare with (default the one with the lowest mean regret, corrected for all pairs)")
	cmd.Flags().IntVar(&from, "from-round", 1, "first round whose regret counts")
	cmd.Flags().IntVar(&to, "to-round", 0, "last round whose regret counts (default the last)")
	cmd.Flags().StringVar(&interval, "interval", string(stats.StudentT), "95 % interval of a difference: t, bootstrap-t, or bca, from 40 seeds on; or simultaneous: t-intervals that hold together")
	completeValues(cmd, "interval", stats.StudentT, stats.BootstrapT, stats.BCa, stats.Simultaneous)
	return cmd
}
