package resultcmd

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"banditsim/cmd/banditsim/cli/internal/folder"
	"banditsim/internal/exit"
	"banditsim/internal/usage"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/report"
	"banditsim/results/stats"
)

// CompareCommand returns the verb compare.
func (a App) CompareCommand() *cobra.Command {
	var baseline, metric, interval string
	var from, to int
	var anytime bool
	var tables tableFlags
	cmd := &cobra.Command{
		Use:   "compare DIR…",
		Short: "Compare policies with a baseline, paired by seed, or over environments",
		Long: `Compare policies with a baseline, paired by seed: policies of one seed meet the same
contexts and the same luck.

  policy         its label; the baseline is the one with the lowest mean, or --baseline
  seeds          that both finished
  difference     mean of the policy's regret less the baseline's: above 0 it is worse
  95 % interval  of the mean difference, one by one unless --interval simultaneous
  p (t)          paired t-test, corrected for all differences tested (Holm); ~ beside it:
                 not significant at 0.05; ?: fewer than 6 pairs, which settle nothing
  p (flip)       sign-flip test, which needs no normal differences, corrected too
  needed         seeds with which a t-test finds a difference of this size in 80 % of cases
  rank           mean place among all policies, over the seeds that all finished
  P(best)        share of resamples of the seeds, six or more, in which its mean is lowest

--wide adds the p-values before correction and the seeds in which a policy was best; -o
json has everything, with the ranks and all warnings. --policies leaves the others out
of the tests and of the correction.

Trials of several folders are paired too if they are of one setting: the same data,
environment, protocol and results epoch. Policies of one name then go by the options
in which they differ, and a trial that is in two folders counts once.

Of several settings, in one folder or several, policies are compared over these as
environments: mean ranks, Friedman's, Nemenyi's and Wilcoxon's tests, wins and losses,
regret relative to acting uniformly and to the best. Nothing is paired between them but
the policies, by their labels. --environment selects one.`,
		Example: `  banditsim compare out/quick --baseline Uniform
  banditsim compare out/quick out/tried
  banditsim compare out/wheel out/linear out/logistic
  banditsim compare out/showdown --environment linear`,
		Args: usage.Count(1, folder.MaxFolders),
		RunE: exit.Failing(func(cmd *cobra.Command, args []string) error {
			args = a.Paths(args)
			f, err := tables.parse()
			if err != nil {
				return exit.Usage(err)
			}
			m, err := compare.ParseMetric(metric)
			if err != nil {
				return exit.Usage(fmt.Errorf("--metric: %w", err))
			}
			method, err := stats.ParseIntervalMethod(interval)
			if err != nil {
				return exit.Usage(fmt.Errorf("--interval: %w", err))
			}
			sets, err := a.ShowAll(args, false, tables.environment, tables.policies)
			if err != nil {
				return err
			}
			if len(sets) > 1 {
				return a.compareAcross(cmd, f, sets, m)
			}
			set := sets[0]
			if anytime {
				return a.compareAnytime(cmd, f, set, m)
			}
			last := set.Conditions.Protocol.Rounds
			if !cmd.Flags().Changed("to-round") {
				to = last
			}
			if from < 1 || to < from || to > last {
				return exit.Usage(fmt.Errorf("--from-round %d and --to-round %d: want 1 ≤ from ≤ to ≤ %d", from, to, last))
			}
			sets, err = a.Show(sets, func(w io.Writer, sets []*results.Set) error {
				c, err := compare.Compare(sets[0], compare.Options{Metric: m, Interval: method, From: from, To: to, Baseline: baseline})
				switch {
				case errors.Is(err, compare.ErrNoneFinished), errors.As(err, new(results.Damaged)):
					return folder.NoneFinished(err)
				case err != nil:
					return exit.Usage(err)
				}
				return report.Comparison(c).Render(w, f)
			})
			if err != nil {
				return err
			}
			return folder.Incomplete(sets)
		}),
	}
	tables.add(cmd)
	metricFlag(cmd, &metric)
	cmd.Flags().StringVar(&baseline, "baseline", "", "policy to compare with (default the one with the lowest mean regret, corrected for all pairs)")
	cmd.Flags().BoolVar(&anytime, "anytime", false, "all pairs of policies, with intervals that hold at every number of seeds: for runs that add seeds until they tell enough (run --until)")
	cmd.Flags().IntVar(&from, "from-round", 1, "first round whose regret counts")
	cmd.Flags().IntVar(&to, "to-round", 0, "last round whose regret counts (default the last)")
	cmd.Flags().StringVar(&interval, "interval", string(stats.StudentT), "95 % interval of a difference: t, bootstrap-t, or bca, from 40 seeds on; or simultaneous: t-intervals that hold together")
	usage.CompleteValues(cmd, "interval", stats.StudentT, stats.BootstrapT, stats.BCa, stats.Simultaneous)
	return cmd
}

// compareAnytime compares all pairs of policies with intervals that hold at any number of seeds.
func (a App) compareAnytime(cmd *cobra.Command, f report.Format, set *results.Set, m *compare.Metric) error {
	for _, flag := range []string{"baseline", "from-round", "to-round", "interval"} {
		if cmd.Flags().Changed(flag) {
			return exit.Usage(fmt.Errorf("--%s: --anytime compares all pairs over all rounds, with intervals of its own: leave it out", flag))
		}
	}
	c, err := compare.Sequential(set, m, compare.Until{Separated: true})
	if err != nil {
		return folder.NoneFinished(err)
	}
	if err := report.Anytime(c).Render(a.Screen(), f); err != nil {
		return err
	}
	return folder.Incomplete([]*results.Set{set})
}

// compareAcross compares policies over the environments of the sets.
func (a App) compareAcross(cmd *cobra.Command, f report.Format, sets []*results.Set, m *compare.Metric) error {
	for _, flag := range []string{"baseline", "from-round", "to-round", "interval", "anytime"} {
		if cmd.Flags().Changed(flag) {
			return exit.Usage(fmt.Errorf("--%s is for the comparison on one environment, these are %d: choose one with --environment", flag, len(sets)))
		}
	}
	across, err := compare.CompareAcross(sets, m)
	if err != nil {
		return exit.Usage(err)
	}
	if err := report.Across(across).Render(a.Screen(), f); err != nil {
		return err
	}
	return folder.Incomplete(sets)
}
