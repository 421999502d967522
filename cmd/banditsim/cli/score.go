package cli

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"banditsim/bandit"
	"banditsim/bandit/harness"
	"banditsim/cmd/banditsim/cli/internal/terminal"
	"banditsim/cmd/banditsim/cli/internal/usage"
	"banditsim/results/report"
)

func (a *app) scoreCommand() *cobra.Command {
	var f planFlags
	var format string
	var workers int
	var quiet bool
	o := bandit.ScoreOptions{Contexts: 1000, Draws: 100, Noise: 1}
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
reward about it. Policies without a posterior are left out.`,
		Example: `  banditsim score --environment linear --policies LinTS,pSGLD,Ensemble --seeds 1..5
  banditsim score quick --policies pICSGLD,pSGLD --contexts 2000 -o csv`,
		Args:              usage.Count(0, 1),
		ValidArgsFunction: a.completePresets,
		RunE: failing(func(cmd *cobra.Command, args []string) error {
			tables, err := report.ParseFormat(format)
			if err == nil {
				err = usage.NoEmpty(cmd)
			}
			if err == nil {
				err = checkWorkers(workers)
			}
			if err == nil {
				if err = o.Validate(); err != nil {
					err = fmt.Errorf("--%w", err)
				}
			}
			if err != nil {
				return usageError(err)
			}
			e, err := a.experiment(&f, args)
			if err != nil {
				return usageError(err)
			}
			ctx, stop := notifyInterrupts(cmd.Context())
			defer stop()
			plan, err := e.Resolve(ctx, a.catalog)
			if err != nil {
				return usageError(err)
			}
			count, hide := func(int, int) {}, func() {}
			if !quiet {
				count, hide = terminal.ShowCount(a.stderr, "trials")
			}
			scores, err := harness.Score(ctx, plan, o, workers, count)
			hide()
			if cause := context.Cause(ctx); cause != nil && err != nil {
				return stopped(cause, fmt.Errorf("%w: nothing is kept", cause))
			}
			if err != nil {
				return err
			}
			return report.Scores(a.stdout, tables, o, scoresByPolicy(scores))
		}),
	}
	a.addPlanFlags(cmd, &f)
	flags := cmd.Flags()
	flags.IntVar(&o.Contexts, "contexts", o.Contexts, "contexts to score, an even number")
	flags.IntVar(&o.Draws, "draws", o.Draws, "draws of the posterior")
	flags.Var((*usage.Real)(&o.Noise), "noise", "standard deviation of a reward about its mean")
	flags.IntVar(&workers, "workers", runtime.GOMAXPROCS(0), "trials that run at a time; results do not depend on it")
	flags.BoolVar(&quiet, "quiet", false, "no progress on stderr")
	formatFlag(cmd, &format)
	return cmd
}

// scoresByPolicy puts the scores of all seeds of a policy in an environment together.
func scoresByPolicy(scores []harness.CellScore) []report.PolicyScore {
	var list []report.PolicyScore
	for _, c := range scores {
		environment := c.EnvironmentLabel
		if environment == "" {
			environment = c.Environment.Name
		}
		i := slices.IndexFunc(list, func(p report.PolicyScore) bool { return p.Policy == c.Label && p.Environment == environment })
		if i < 0 {
			i = len(list)
			list = append(list, report.PolicyScore{Environment: environment, Policy: c.Label})
		}
		list[i].Scores = append(list[i].Scores, c.Score)
	}
	return list
}
