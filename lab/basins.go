package main

import (
	"context"

	"github.com/spf13/cobra"

	"banditsim/internal/exit"
	"banditsim/lab/deep"
	"banditsim/lab/tables"
)

func (a app) basinsCommand() *cobra.Command {
	var f deepFlags
	cmd := &cobra.Command{
		Use:   "basins [METHOD…]",
		Short: "See whether samplers get stuck in the basins of a network's loss",
		Long: `See whether samplers get stuck in the basins of a network's loss. This is the experiment of
the ICSGLD paper (Deng et al., ICLR 2022) on MNIST: SGD, SGLD and ICSGLD train a
convolutional network on the digits 0 to 4 from the same starts, at a fixed learning rate.
The contour of ICSGLD penalizes energies that were visited too often, by multipliers
below 0 that drive a chain uphill.

Measured are the shares of steps with a multiplier below 0 and of exactly 1, the passages
between low and high energies, and the number of distinct minima to which plain gradient
steps descend from snapshots, told apart by predictions on images held out.

The presets: small takes two idle cores 10 minutes on three seeds; paper and authors have the
settings of the paper and of its authors' program and want MNIST's training images. Each
method and seed is kept in the folder as soon as it has ended: a command that was stopped
goes on where it was. The folder gets the figures (basins-energy.svg, basins-path.svg) and
all numbers (basins.json, basins.csv).`,
		Example: `  go -C lab run . basins --data ../train-images-idx3-ubyte.gz --seeds 1..3
  go -C lab run . basins ICSGLD --set zeta=1000 --out out/zeta-1000`,
		ValidArgs: deep.BasinsMethods(),
		RunE: exit.Failing(func(cmd *cobra.Command, args []string) error {
			format, err := f.check(cmd)
			if err != nil {
				return err
			}
			_, digits, seeds, err := a.inputs(cmd.Context(), &f)
			if err != nil {
				return err
			}
			run := deep.Basins{Images: digits, Methods: args, Seeds: seeds, Dir: f.out, Workers: f.workers}
			if len(args) == 0 {
				run.Methods = deep.BasinsMethods()
			}
			preset, err := deep.BasinsPreset(f.preset, digits.Data.Len())
			if err := configure(&f, &run.Options, preset, err, run.Options.Validate); err != nil {
				return err
			}
			return a.study(cmd.Context(), &f, format, func(ctx context.Context, done func(int, int)) (outcome, error) {
				run.Done = done
				records, err := run.Run(ctx)
				return &tables.BasinsResult{Identity: run.Identity(), Records: records}, err
			})
		}),
	}
	f.add(cmd, "out/sampler-basins", deep.BasinsPresets())
	return cmd
}
