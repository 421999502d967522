package main

import (
	"context"

	"github.com/spf13/cobra"

	"banditsim/internal/exit"
	"banditsim/internal/usage"
	"banditsim/lab/simulation"
	"banditsim/lab/tables"
)

func (a app) landscapeCommand() *cobra.Command {
	var f runFlags
	o := simulation.DefaultLandscape()
	all := o.Methods
	cmd := &cobra.Command{
		Use:   "landscape [METHOD…]",
		Short: "Compare how fast samplers find the masses of 25 modes",
		Long: `Compare how fast samplers find the masses of 25 modes. This is the simulation of the
ICSGLD paper (Deng et al., ICLR 2022): SGLD, cyclical SGLD, SVGD, replica exchange
SGLD, CSGLD and ICSGLD, all in the same box and, except for SVGD, with the same number
of gradient evaluations. The measures are KL(truth‖estimate) of the 25 masses and
KL(estimate‖truth) of 50×50 cells.

The default is all methods. Differences are to ICSGLD, paired by repeat. The folder
gets the figures (landscape-density.svg, landscape-kl.svg) and all numbers
(landscape.json, landscape.csv).`,
		Example: `  go -C lab run . landscape
  go -C lab run . landscape SGLD ICSGLD --repeats 5 -o md`,
		ValidArgs: all,
		RunE: exit.Failing(func(cmd *cobra.Command, args []string) error {
			format, err := f.check(cmd)
			if err != nil {
				return err
			}
			if len(args) > 0 {
				o.Methods = args
			}
			return a.simulate(cmd, &f, format, o.Validate(), func(ctx context.Context, crew *simulation.Crew) (outcome, error) {
				r, err := simulation.Landscape(ctx, o, crew)
				return tables.LandscapeResult{LandscapeResult: r}, err
			})
		}),
	}
	f.add(cmd, "out/sampler-landscape")
	cmd.Flags().IntVar(&o.Repeats, "repeats", o.Repeats, "repeats of each method")
	cmd.Flags().IntVar(&o.Steps, "steps", o.Steps, "steps of each of five chains, to which all lengths are proportional")
	cmd.Flags().Var((*usage.Real)(&o.LearningRate), "learning-rate", "step of SGLD, of the contour samplers and of SVGD")
	cmd.Flags().Var((*usage.Real)(&o.Noise), "noise", "standard deviation of the noise of energy and gradient")
	cmd.Flags().Uint64Var(&o.Seed, "seed", o.Seed, "seed of all randomness")
	return cmd
}
