package cli

import (
	"cmp"
	"context"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"banditsim/bandit"
	"banditsim/bandit/harness"
	"banditsim/internal/report"
	"banditsim/internal/terminal"
	"banditsim/internal/usage"
	"banditsim/results"
	"banditsim/results/compare"
)

type scoreFlags struct {
	planFlags

	format  report.Format
	workers int
	quiet   bool
	scores  bandit.ScoreOptions
}

func (a *app) scoreCommand() *cobra.Command {
	f := scoreFlags{workers: runtime.GOMAXPROCS(0)}
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
		PreRunE: func(*cobra.Command, []string) error {
			if err := f.scores.Validate(); err != nil {
				return fmt.Errorf("--%w", err)
			}
			return nil
		},
		RunE: keepsNothing(func(ctx context.Context, args []string) error { return a.score(ctx, args, &f) }),
	}
	a.addPlanFlags(cmd, &f.planFlags)
	addScoreFlags(cmd.Flags(), &f.scores, "")
	usage.Workers(cmd, &f.workers, "trials that run at a time; results do not depend on it")
	usage.Quiet(cmd, &f.quiet)
	usage.Format(cmd, &f.format)
	return cmd
}

func (a *app) score(ctx context.Context, args []string, f *scoreFlags) error {
	plan, err := a.plan(ctx, &f.planFlags, args)
	if err != nil {
		return err
	}
	count, hide := func(int, int) {}, func() {}
	if !f.quiet {
		count, hide = terminal.ShowCount(a.Stderr, "trials")
	}
	scores, err := harness.Score(ctx, plan, f.scores, f.workers, count)
	hide()
	if err != nil {
		return err
	}
	var conditions []results.Conditions
	for _, e := range plan.Environments {
		conditions = append(conditions, results.Conditions{Environment: e.Identity, Protocol: e.Protocol})
	}
	return report.Scores(f.scores, compare.PolicyScores(len(scores), func(i int) (string, string, bandit.Score) {
		return cmp.Or(scores[i].EnvironmentLabel, scores[i].Environment.Name), scores[i].Label, scores[i].Score
	}), conditions...).Render(a.Stdout, f.format)
}
