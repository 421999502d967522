package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"banditsim/internal/exit"
	"banditsim/internal/usage"
	"banditsim/lab/simulation"
	"banditsim/lab/tables"
)

func (a app) varianceCommand() *cobra.Command {
	var f runFlags
	o := simulation.DefaultVariance()
	cmd := &cobra.Command{
		Use:   "variance",
		Short: "Compare the variance of θ from interacting chains with that from one long chain",
		Long: `Compare the variance of θ from interacting chains with that from one long chain. This is
the simulation of the ICSGLD paper (Deng et al., ICLR 2022) on a mixture of two
Gaussians: ten chains of ICSGLD against one chain of CSGLD that is ten times as long.
The truth is θ in the limit of small steps; the table also gives θ at the step size of
the chain, for bins that have one.

The folder gets the figure (variance.svg) and all numbers (variance.json, variance.csv).`,
		Example: `  go -C lab run . variance
  go -C lab run . variance --repeats 40 -o md`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("variance compares ICSGLD with CSGLD and takes no names: got %q", args[0])
			}
			return nil
		},
		RunE: exit.Failing(func(cmd *cobra.Command, _ []string) error {
			format, err := f.check(cmd)
			if err != nil {
				return err
			}
			return a.simulate(cmd, &f, format, o.Validate(), func(ctx context.Context, crew *simulation.Crew) (outcome, error) {
				r, err := simulation.Variance(ctx, o, crew)
				if err != nil {
					return nil, err
				}
				return tables.SummarizeVariance(r), nil
			})
		}),
	}
	f.add(cmd, "out/sampler-variance")
	cmd.Flags().IntVar(&o.Repeats, "repeats", o.Repeats, "repeats of both methods")
	cmd.Flags().IntVar(&o.Chains, "chains", o.Chains, "interacting chains; the single chain is this many times as long")
	cmd.Flags().IntVar(&o.Steps, "steps", o.Steps, "steps of each interacting chain")
	cmd.Flags().Var((*usage.Real)(&o.LearningRate), "learning-rate", "step size ε")
	cmd.Flags().Uint64Var(&o.Seed, "seed", o.Seed, "seed of all randomness")
	return cmd
}
