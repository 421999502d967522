package cli

import (
	"context"

	"github.com/spf13/cobra"

	"banditsim/posterior/simulation"
	"banditsim/results/samplers"
)

func (a *app) landscapeCommand() *cobra.Command {
	var f simulationFlags
	o := simulation.DefaultLandscape()
	all := o.Methods
	cmd := &cobra.Command{
		Use:   "landscape [METHOD…]",
		Short: "How fast do samplers find the masses of 25 modes?",
		Long: `How fast do samplers find the masses of 25 modes? The simulation of the ICSGLD paper
(Deng et al., ICLR 2022): SGLD, cyclical SGLD, SVGD, replica exchange SGLD, CSGLD and
ICSGLD, all in the same box and, but for SVGD, with as many evaluations of the gradient.
Estimates are judged by KL(truth‖estimate) of the 25 masses and KL(estimate‖truth) of
50×50 cells.

Without arguments all methods are run. Differences are to ICSGLD, paired by repeat.
Figures (landscape-density.svg, landscape-kl.svg) and all numbers (landscape.json,
landscape.csv) go to the folder.`,
		Example: `  banditsim sampler landscape
  banditsim sampler landscape SGLD ICSGLD --repeats 5 -o md`,
		ValidArgs: all,
		RunE: failing(func(cmd *cobra.Command, args []string) error {
			format, err := f.check(cmd)
			if err != nil {
				return usageError(err)
			}
			if len(args) > 0 {
				o.Methods = args
			}
			if err := o.Validate(); err != nil {
				return usageError(rangeError(cmd, err))
			}
			var r *simulation.LandscapeResult
			return a.simulate(cmd.Context(), &f, format, func(ctx context.Context, crew *simulation.Crew) (table renderer, err error) {
				if r, err = simulation.Landscape(ctx, o, crew); err != nil {
					return nil, err
				}
				return samplers.SummariseLandscape(r), nil
			}, func() ([]string, error) {
				figures, err := samplers.PlotLandscape(f.out, r)
				if err != nil {
					return nil, err
				}
				numbers, err := samplers.WriteLandscape(f.out, r)
				return append(figures, numbers...), err
			})
		}),
	}
	f.add(cmd, "out/sampler-landscape")
	cmd.Flags().IntVar(&o.Repeats, "repeats", o.Repeats, "repeats of every method")
	cmd.Flags().IntVar(&o.Steps, "steps", o.Steps, "steps of a chain of five; all lengths go by it")
	cmd.Flags().Float64Var(&o.LearningRate, "learning-rate", o.LearningRate, "step of SGLD, of the contour samplers and of SVGD")
	cmd.Flags().Float64Var(&o.Noise, "noise", o.Noise, "standard deviation of the noise of energy and gradient")
	cmd.Flags().Uint64Var(&o.Seed, "seed", o.Seed, "seed of all randomness")
	return cmd
}
