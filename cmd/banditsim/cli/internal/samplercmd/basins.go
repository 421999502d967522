package samplercmd

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"banditsim/bandit/experiment"
	"banditsim/cmd/banditsim/cli/internal/exit"
	"banditsim/cmd/banditsim/cli/internal/terminal"
	"banditsim/cmd/banditsim/cli/internal/usage"
	"banditsim/internal/optiontree"
	"banditsim/posterior/deep"
	"banditsim/results/samplers"
)

// deepFlags are the flags that the experiments on networks share.
type deepFlags struct {
	simulationFlags
	preset string
	data   string
	seeds  string
	set    []string
}

func (f *deepFlags) add(cmd *cobra.Command, out string, presets []string) {
	f.simulationFlags.add(cmd, out)
	cmd.Flags().StringVar(&f.preset, "preset", presets[0], "settings: "+strings.Join(presets, ", "))
	cmd.Flags().StringVar(&f.data, "data", "", "images in the IDX format, FILE or FOLDER, such as MNIST's (default the digits of 8×8)")
	cmd.Flags().StringVar(&f.seeds, "seeds", "1..3", "list of seeds, such as 1..10")
	cmd.Flags().StringArrayVar(&f.set, "set", nil, "change a setting of the preset, KEY=VALUE; repeat")
	usage.CompleteValues(cmd, "preset", presets...)
}

// apply changes options by --set.
func (f *deepFlags) apply(options any) error {
	for _, setting := range f.set {
		key, value, ok := strings.Cut(setting, "=")
		if !ok {
			return fmt.Errorf("--set %s: want KEY=VALUE", setting)
		}
		b, err := optiontree.Encode(options)
		if err == nil {
			b, err = optiontree.Set(b, strings.Split(key, "."), value)
		}
		if err == nil {
			err = optiontree.Decode(b, options)
		}
		if err != nil {
			return fmt.Errorf("--set %s: %w", setting, err)
		}
	}
	return nil
}

// watch calls run with progress on stderr. An interrupted run keeps what has ended: its error says that the same command goes
// on.
func (a App) watch(ctx context.Context, f *simulationFlags, noun string, run func(ctx context.Context, done func(done, total int)) error) error {
	ctx, stop := exit.Interrupts(ctx)
	defer stop()
	var done func(int, int)
	hide := func() {}
	if !f.quiet {
		done, hide = terminal.ShowCount(a.Stderr, noun)
	}
	err := run(ctx, done)
	hide()
	if cause := context.Cause(ctx); cause != nil && err != nil {
		code := exit.Resumable
		if errors.Is(cause, exit.ErrInterrupted) {
			code = exit.Interrupted
		}
		return exit.With(code, fmt.Errorf("%w: the same command goes on with what is left", cause))
	}
	return err
}

func (a App) basinsCommand() *cobra.Command {
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

The presets: small takes two cores 20 minutes on three seeds; paper and authors have the
settings of the paper and of its authors' program and want MNIST's training images. Each
method and seed is kept in the folder as soon as it has ended: a command that was stopped
goes on where it was. The folder gets the figures (basins-energy.svg, basins-path.svg) and
all numbers (basins.json, basins.csv, basins-series.csv).`,
		Example: `  banditsim sampler basins --data train-images-idx3-ubyte.gz --seeds 1..3
  banditsim sampler basins ICSGLD --set zeta=1000 --out out/zeta-1000`,
		ValidArgs: deep.BasinsMethods(),
		RunE: exit.Failing(func(cmd *cobra.Command, args []string) error {
			format, err := f.check(cmd)
			if err != nil {
				return exit.Usage(err)
			}
			run := deep.Basins{Methods: args, Dir: f.out, Workers: f.workers}
			if len(args) == 0 {
				run.Methods = deep.BasinsMethods()
			}
			if run.Seeds, err = experiment.ParseSeeds(f.seeds); err != nil {
				return exit.Usage(fmt.Errorf("--seeds: %w", err))
			}
			set, err := a.openImages(cmd.Context(), f.data)
			if err != nil {
				return err
			}
			if run.Data, run.Source, err = labeled(set, []uint8{0, 1, 2, 3, 4}); err != nil {
				return err
			}
			if run.Options, err = deep.BasinsPreset(f.preset, run.Data.Len()); err != nil {
				return exit.Usage(fmt.Errorf("--preset: %w", err))
			}
			if err := f.apply(&run.Options); err != nil {
				return exit.Usage(err)
			}
			if err := run.Options.Validate(); err != nil {
				return exit.Usage(err)
			}
			var records []deep.BasinsRecord
			if err := a.watch(cmd.Context(), &f.simulationFlags, "runs", func(ctx context.Context, done func(int, int)) (err error) {
				run.Done = done
				records, err = run.Run(ctx)
				return err
			}); err != nil {
				return err
			}
			result := &samplers.BasinsResult{Identity: run.Identity(), Records: records}
			figures, err := result.Plot(f.out)
			if err != nil {
				return err
			}
			numbers, err := result.Write(f.out)
			if err != nil {
				return err
			}
			if err := samplers.SummarizeBasins(result).Render(a.Stdout, format); err != nil {
				return err
			}
			a.tellWritten(append(figures, numbers...))
			return nil
		}),
	}
	f.add(cmd, "out/sampler-basins", deep.BasinsPresets())
	return cmd
}
