package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"banditsim/internal/exit"
	"banditsim/internal/report"
	"banditsim/internal/usage"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/stats"
)

type compareFlags struct {
	tableFlags

	anytime bool
	options compare.Options // options.To is 0 for the last round
}

// ofBaseline lists the flags that only apply to a comparison with one baseline.
var ofBaseline = []string{"baseline", "from-round", "to-round", "interval"}

func (a *app) compareCommand() *cobra.Command {
	f := compareFlags{options: compare.Options{Metric: compare.Expected(), Interval: stats.StudentT, From: 1}}
	cmd := &cobra.Command{
		Use:   "compare DIR…",
		Short: "Compare policies with a baseline, paired by seed, or over environments",
		Long: `Compare policies with a baseline, paired by seed: policies of one seed meet the same
contexts and the same luck. The baseline is the one with the lowest mean, or --baseline.

A difference is the mean of the policy's regret less the baseline's, with its 95 %
interval: above 0 it is worse. p (t) is of the paired t-test, p (flip) of the sign-flip
test, which needs no normal differences, both corrected for all differences tested
(Holm); ~ beside it: not significant at 0.05; ?: fewer than 6 pairs, which settle
nothing. docs/columns.md describes all columns; --wide and -o json have more.

Trials of several folders are paired too if they are of one setting: the same data,
environment, protocol and results epoch. Policies of one name then go by the options
in which they differ, and a trial that is in two folders counts once.

Of several settings, in one folder or several, policies are compared over these as
environments: mean ranks, Friedman's, Nemenyi's and Wilcoxon's tests, wins and losses,
regret relative to acting uniformly and to the best, and the interquartile mean, the
optimality gap and the probability of improvement on the baseline. Nothing is paired
between them but the policies, by their labels. --environment selects one.`,
		Example: `  banditsim compare out/quick --baseline Uniform
  banditsim compare out/quick out/tried
  banditsim compare out/wheel out/linear out/logistic
  banditsim compare out/showdown --environment linear`,
		Args:    usage.Count(1, maxFolders),
		PreRunE: func(*cobra.Command, []string) error { return f.check() },
		RunE: func(cmd *cobra.Command, args []string) error {
			sets, err := a.load(a.Paths(args), f.selection)
			if err != nil {
				return err
			}
			for _, flag := range append(ofBaseline, "anytime") {
				if flag != "baseline" && len(sets) > 1 && cmd.Flags().Changed(flag) {
					return exit.Usage(fmt.Errorf("--%s is for the comparison on one environment, these are %d: choose one with --environment", flag, len(sets)))
				}
			}
			return a.showAll(sets, func(w io.Writer, sets []*results.Set) error {
				r, err := f.compare(sets)
				if err != nil {
					return err
				}
				return r.Render(w, f.format)
			})
		},
	}
	f.add(cmd)
	flags := cmd.Flags()
	usage.Parsed(flags, &f.options.Metric, "metric", f.options.Metric.String(), "kind of regret: "+strings.Join(compare.MetricNames(), " or "), compare.ParseMetric)
	usage.CompleteValues(cmd, "metric", compare.MetricNames()...)
	flags.StringVar(&f.options.Baseline, "baseline", "", "policy to compare with (default the one with the lowest mean regret, corrected for all pairs; over environments the lowest mean rank)")
	flags.BoolVar(&f.anytime, "anytime", false, "all pairs of policies, with intervals that hold at every number of seeds: for runs that add seeds until they tell enough (run --until)")
	usage.Whole(flags, &f.options.From, "from-round", 1, 1e9, "first round whose regret counts")
	usage.Whole(flags, &f.options.To, "to-round", 1, 1e9, "last round whose regret counts (default the last)")
	usage.Parsed(flags, &f.options.Interval, "interval", string(stats.StudentT), "95 % interval of a difference: t, bootstrap-t, or bca, from 40 seeds on; or simultaneous: t-intervals that hold together", stats.ParseIntervalMethod)
	usage.CompleteValues(cmd, "interval", stats.StudentT, stats.BootstrapT, stats.BCa, stats.Simultaneous)
	for _, flag := range ofBaseline { // an anytime comparison is of all pairs over all rounds, with intervals of its own
		cmd.MarkFlagsMutuallyExclusive("anytime", flag)
	}
	return cmd
}

// compare compares the policies of one set or, with several sets, the policies over all their environments.
func (f *compareFlags) compare(sets []*results.Set) (report.Result, error) {
	if len(sets) > 1 {
		across, err := compare.CompareAcross(sets, f.options.Metric, f.options.Baseline)
		if err != nil {
			return report.Result{}, exit.Usage(err)
		}
		return report.Across(across), nil
	}
	if f.anytime {
		c, err := compare.Sequential(sets[0], f.options.Metric, compare.Until{Separated: true})
		if err != nil {
			return report.Result{}, err
		}
		return report.Anytime(c), nil
	}
	o, last := f.options, sets[0].Conditions.Protocol.Rounds
	o.To = cmp.Or(o.To, last)
	if o.To < o.From || o.To > last {
		return report.Result{}, exit.Usage(fmt.Errorf("--from-round %d and --to-round %d: want 1 ≤ from ≤ to ≤ %d", o.From, o.To, last))
	}
	c, err := compare.Compare(sets[0], o)
	switch {
	case errors.Is(err, compare.ErrNoneFinished), errors.As(err, new(results.Damaged)):
		return report.Result{}, err
	case err != nil:
		return report.Result{}, exit.Usage(err)
	}
	return report.Comparison(c), nil
}
