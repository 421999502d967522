package main

import (
	"context"
	"fmt"
	"strings"

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
		RunE: checked(func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.Methods = args
			}
			return simulate(cmd, a, &f, o, o.Validate(), simulation.Landscape, tables.Landscape)
		}),
	}
	f.add(cmd, "out/sampler-landscape")
	cmd.Flags().IntVar(&o.Repeats, "repeats", o.Repeats, "repeats of each method")
	cmd.Flags().IntVar(&o.Steps, "steps", o.Steps, "steps of each of five chains, to which all lengths are proportional")
	usage.Real(cmd.Flags(), &o.LearningRate, "learning-rate", "step of SGLD, of the contour samplers and of SVGD")
	usage.Real(cmd.Flags(), &o.Noise, "noise", "standard deviation of the noise of energy and gradient")
	cmd.Flags().Uint64Var(&o.Seed, "seed", o.Seed, "seed of all randomness")
	return cmd
}

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
		RunE: checked(func(cmd *cobra.Command, _ []string) error {
			return simulate(cmd, a, &f, o, o.Validate(), simulation.Variance, tables.Variance)
		}),
	}
	f.add(cmd, "out/sampler-variance")
	cmd.Flags().IntVar(&o.Repeats, "repeats", o.Repeats, "repeats of both methods")
	cmd.Flags().IntVar(&o.Chains, "chains", o.Chains, "interacting chains; the single chain is this many times as long")
	cmd.Flags().IntVar(&o.Steps, "steps", o.Steps, "steps of each interacting chain")
	usage.Real(cmd.Flags(), &o.LearningRate, "learning-rate", "step size ε")
	cmd.Flags().Uint64Var(&o.Seed, "seed", o.Seed, "seed of all randomness")
	return cmd
}

// simulate runs a simulation. The argument invalid is the result of o.Validate; if it is not nil, simulate returns it
// as a usage error. An interrupted simulation leaves no results.
func simulate[O, R any](cmd *cobra.Command, a app, f *runFlags, o O, invalid error,
	run func(context.Context, O, *simulation.Crew) (R, error), render func(R) tables.Report) error {
	if invalid != nil {
		return exit.Usage(rangeError(cmd, invalid))
	}
	return conduct(cmd.Context(), a, f, func(ctx context.Context, done func(int, int)) (R, error) {
		return run(ctx, o, &simulation.Crew{Workers: f.workers, Clock: workClock(), Done: done})
	}, render, "nothing is kept", exit.CodeFailure)
}

// rangeError returns err with the option name at its start replaced by the corresponding flag, if that flag exists.
func rangeError(cmd *cobra.Command, err error) error {
	option, rest, _ := strings.Cut(err.Error(), ": ")
	flag := strings.ReplaceAll(option, "_", "-")
	if cmd.Flags().Lookup(flag) == nil {
		return err
	}
	return fmt.Errorf("--%s: %s", flag, rest)
}
