package resultcmd

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"banditsim/cmd/banditsim/cli/internal/folder"
	"banditsim/internal/exit"
	"banditsim/internal/report"
	"banditsim/internal/usage"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/stats"
)

// compareFlags are the flags of compare.
type compareFlags struct {
	tables           tableFlags
	metric, interval string
	anytime          bool
	options          compare.Options // To is 0 for the last round
}

// ofBaseline are the flags of the comparison with one baseline.
var ofBaseline = []string{"baseline", "from-round", "to-round", "interval"}

// CompareCommand returns the verb compare.
func (a App) CompareCommand() *cobra.Command {
	var f compareFlags
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
			format, err := f.read(cmd)
			if err != nil {
				return exit.Usage(err)
			}
			sets, err := a.ShowAll(a.Paths(args), false, f.tables.environment, f.tables.policies)
			if err != nil {
				return err
			}
			if len(sets) > 1 {
				for _, flag := range append(ofBaseline, "anytime") {
					if cmd.Flags().Changed(flag) {
						return exit.Usage(fmt.Errorf("--%s is for the comparison on one environment, these are %d: choose one with --environment", flag, len(sets)))
					}
				}
			}
			sets, err = a.Show(sets, func(w io.Writer, sets []*results.Set) error {
				r, err := f.compare(sets)
				if err != nil {
					return err
				}
				return r.Render(w, format)
			})
			if err != nil {
				return err
			}
			return folder.Incomplete(sets)
		}),
	}
	f.tables.add(cmd)
	metricFlag(cmd, &f.metric)
	flags := cmd.Flags()
	flags.StringVar(&f.options.Baseline, "baseline", "", "policy to compare with (default the one with the lowest mean regret, corrected for all pairs)")
	flags.BoolVar(&f.anytime, "anytime", false, "all pairs of policies, with intervals that hold at every number of seeds: for runs that add seeds until they tell enough (run --until)")
	flags.IntVar(&f.options.From, "from-round", 1, "first round whose regret counts")
	flags.IntVar(&f.options.To, "to-round", 0, "last round whose regret counts (default the last)")
	flags.StringVar(&f.interval, "interval", string(stats.StudentT), "95 % interval of a difference: t, bootstrap-t, or bca, from 40 seeds on; or simultaneous: t-intervals that hold together")
	usage.CompleteValues(cmd, "interval", stats.StudentT, stats.BootstrapT, stats.BCa, stats.Simultaneous)
	for _, flag := range ofBaseline { // an anytime comparison is of all pairs over all rounds, with intervals of its own
		cmd.MarkFlagsMutuallyExclusive("anytime", flag)
	}
	return cmd
}

// read sets the options that flags name, and returns the format.
func (f *compareFlags) read(cmd *cobra.Command) (format report.Format, err error) {
	if format, err = f.tables.parse(); err != nil {
		return format, err
	}
	if f.options.Metric, err = compare.ParseMetric(f.metric); err != nil {
		return format, fmt.Errorf("--metric: %w", err)
	}
	if f.options.Interval, err = stats.ParseIntervalMethod(f.interval); err != nil {
		return format, fmt.Errorf("--interval: %w", err)
	}
	if f.options.To < 1 && cmd.Flags().Changed("to-round") {
		return format, fmt.Errorf("--to-round %d: want 1 or more", f.options.To)
	}
	return format, nil
}

// compare compares the policies of one set, or over the environments of several.
func (f *compareFlags) compare(sets []*results.Set) (report.Result, error) {
	if len(sets) > 1 {
		across, err := compare.CompareAcross(sets, f.options.Metric)
		if err != nil {
			return report.Result{}, exit.Usage(err)
		}
		return report.Across(across), nil
	}
	if f.anytime {
		c, err := compare.Sequential(sets[0], f.options.Metric, compare.Until{Separated: true})
		if err != nil {
			return report.Result{}, folder.NoneFinished(err)
		}
		return report.Anytime(c), nil
	}
	o, last := f.options, sets[0].Conditions.Protocol.Rounds
	if o.To == 0 {
		o.To = last
	}
	if o.From < 1 || o.To < o.From || o.To > last {
		return report.Result{}, exit.Usage(fmt.Errorf("--from-round %d and --to-round %d: want 1 ≤ from ≤ to ≤ %d", o.From, o.To, last))
	}
	c, err := compare.Compare(sets[0], o)
	switch {
	case errors.Is(err, compare.ErrNoneFinished), errors.As(err, new(results.Damaged)):
		return report.Result{}, folder.NoneFinished(err)
	case err != nil:
		return report.Result{}, exit.Usage(err)
	}
	return report.Comparison(c), nil
}
