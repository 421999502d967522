package cli

import (
	"cmp"
	"context"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"banditsim/bandit"
	"banditsim/bandit/harness"
	"banditsim/internal/exit"
	"banditsim/internal/report"
	"banditsim/internal/terminal"
	"banditsim/internal/usage"
	"banditsim/results"
	"banditsim/results/compare"
)

func (a *app) scoreCommand() *cobra.Command {
	var f planFlags
	var format string
	var workers int
	var quiet bool
	o := bandit.DefaultScoreOptions()
	cmd := &cobra.Command{
		Use:   "score [PRESET|FILE.yaml]",
		Short: "Score posteriors by their predictions at the end of their trials",
		Long: `Score posteriors by their predictions at the end of their trials. The trials of an
experiment run again, and write no files; then draws of each policy's posterior predict the
reward of the arm that it chooses in contexts that come after the trial. The table has

  log loss           −log of the predictive density of the reward, in nats
  joint log loss     the same of the rewards of two contexts together, whose draws they share
  calibration error  how far the shares of rewards below the predicted quantiles .1 … .9 are off

Lower is better. A draw is of the expected reward: --noise is the standard deviation of a
reward about it. Policies without a posterior are left out.

'run --record scores' does the same at the end of its trials, and 'report --scores' shows
it beside the regret.`,
		Example: `  banditsim score --environment linear --policies LinTS,pSGLD,Ensemble --seeds 1..5
  banditsim score quick --policies pICSGLD,pSGLD --contexts 2000 -o csv`,
		Args:              a.oneExperiment,
		ValidArgsFunction: a.completePresets,
		RunE: exit.Failing(func(cmd *cobra.Command, args []string) error {
			tables, err := report.ParseFormat(format)
			if err == nil {
				err = usage.NoEmpty(cmd)
			}
			if err == nil {
				err = usage.Workers(workers)
			}
			if err == nil {
				if err = o.Validate(); err != nil {
					err = fmt.Errorf("--%w", err)
				}
			}
			if err != nil {
				return exit.Usage(err)
			}
			e, err := a.experiment(&f, args)
			if err != nil {
				return exit.Usage(err)
			}
			ctx, stop := exit.Interrupts(cmd.Context())
			defer stop()
			plan, err := e.Resolve(ctx, a.catalog)
			if err != nil {
				return exit.Usage(err)
			}
			a.warnOfData(plan)
			count, hide := func(int, int) {}, func() {}
			if !quiet {
				count, hide = terminal.ShowCount(a.Stderr, "trials")
			}
			scores, err := harness.Score(ctx, plan, o, workers, count)
			hide()
			if cause := context.Cause(ctx); cause != nil && err != nil {
				return exit.Stopped(cause, fmt.Errorf("%w: nothing is kept", cause))
			}
			if err != nil {
				return err
			}
			var under []results.Conditions
			for _, e := range plan.Environments {
				under = append(under, results.Conditions{Environment: e.Identity, Protocol: e.Protocol})
			}
			return report.Scores(o, compare.PolicyScores(len(scores), func(i int) (string, string, bandit.Score) {
				return cmp.Or(scores[i].EnvironmentLabel, scores[i].Environment.Name), scores[i].Label, scores[i].Score
			}), under...).Render(a.Stdout, tables)
		}),
	}
	a.addPlanFlags(cmd, &f)
	flags := cmd.Flags()
	addScoreFlags(flags, &o, "")
	flags.IntVar(&workers, "workers", runtime.GOMAXPROCS(0), "trials that run at a time; results do not depend on it")
	flags.BoolVar(&quiet, "quiet", false, "no progress on stderr")
	usage.FormatFlag(cmd, &format)
	return cmd
}

// addScoreFlags adds the flags of scores, whose names begin with prefix.
func addScoreFlags(flags *pflag.FlagSet, o *bandit.ScoreOptions, prefix string) {
	flags.IntVar(&o.Contexts, prefix+"contexts", o.Contexts, "contexts to score, an even number")
	flags.IntVar(&o.Draws, prefix+"draws", o.Draws, "draws of the posterior")
	flags.Var((*usage.Real)(&o.Noise), prefix+"noise", "standard deviation of a reward about its mean")
}
