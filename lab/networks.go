package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"banditsim/bandit/experiment"
	"banditsim/datasets/images"
	"banditsim/internal/exit"
	"banditsim/internal/optiontree"
	"banditsim/internal/usage"
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
		RunE: checked(func(cmd *cobra.Command, args []string) error {
			_, digits, seeds, err := a.inputs(cmd.Context(), &f)
			if err != nil {
				return err
			}
			run := deep.Run[deep.BasinsOptions]{Images: digits, Methods: args, Seeds: seeds, Dir: f.out, Workers: f.workers}
			preset, err := deep.BasinsPreset(f.preset, digits.Len())
			if err := configure(&f, &run, deep.BasinsMethods(), preset, err, run.Options.Validate); err != nil {
				return err
			}
			return study(cmd.Context(), a, &f, &run, deep.Basins, tables.Basins)
		}),
	}
	f.add(cmd, "out/sampler-basins", deep.BasinsPresets())
	return cmd
}

func (a app) uncertaintyCommand() *cobra.Command {
	var f deepFlags
	var other string
	cmd := &cobra.Command{
		Use:   "uncertainty [METHOD…]",
		Short: "Compare what samplers of networks know that they do not know",
		Long: `Compare what samplers of networks know that they do not know. This is the table of the
ICSGLD paper (Deng et al., ICLR 2022), on images of digits in place of CIFAR100 and SVHN:
` + strings.Join(deep.UncertaintyMethods()[:5], ", ") + `, and beside them
` + strings.Join(deep.UncertaintyMethods()[5:], ", ") + `, all with the same number of gradients.
A convolutional network learns the digits 0 to 4. Measured are accuracy, log loss and
calibration on digits 0 to 4 that were held out, and what is predicted of the digits 5 to
9, of which no answer is right: Brier score, entropy, and how well the largest probability
tells them from the others (AUROC).

The default is all methods. Differences are paired by seed, with Holm's correction, and the
claims of the paper get a verdict. The presets: small takes two idle cores half an hour on
ten seeds; paper has the paper's numbers of steps. Each method and seed is kept in the folder
as soon as it has ended: a command that was stopped goes on where it was. The folder gets the
figure (uncertainty.svg) and all numbers (uncertainty.json, uncertainty.csv).`,
		Example: `  go -C lab run . uncertainty --data ../t10k-images-idx3-ubyte.gz --seeds 1..10
  go -C lab run . uncertainty M-SGD ICSGHMC --set zeta=3000 --out out/zeta-3000`,
		ValidArgs: deep.UncertaintyMethods(),
		RunE: checked(func(cmd *cobra.Command, args []string) error {
			run := deep.Run[deep.UncertaintyOptions]{Methods: args, Dir: f.out, Workers: f.workers}
			preset, err := deep.UncertaintyPreset(f.preset)
			if err := configure(&f, &run, deep.UncertaintyMethods(), preset, err, run.Options.Validate); err != nil {
				return err
			}
			all, digits, seeds, err := a.inputs(cmd.Context(), &f)
			if err != nil {
				return err
			}
			run.Images, run.Seeds = digits, seeds
			rest, err := labeled(all, []uint8{5, 6, 7, 8, 9})
			if err != nil {
				return err
			}
			run.Outside = []deep.Outside{{Set: "5 to 9", Images: rest}}
			if other != "" {
				set, err := images.Open(cmd.Context(), other)
				if err != nil {
					return err
				}
				more, err := labeled(set, set.Classes())
				if err != nil {
					return err
				}
				run.Outside = append(run.Outside, deep.Outside{Set: "other", Images: more})
			}
			return study(cmd.Context(), a, &f, &run, deep.Uncertainty, tables.Uncertainty)
		}),
	}
	f.add(cmd, "out/sampler-uncertainty", deep.UncertaintyPresets())
	cmd.Flags().StringVar(&other, "outside", "", "more images of none of the digits, in the IDX format, such as Fashion-MNIST's")
	return cmd
}

// deepFlags are the flags that the experiments on networks share.
type deepFlags struct {
	runFlags
	preset string
	data   string
	seeds  string
	set    []string
}

func (f *deepFlags) add(cmd *cobra.Command, out string, presets []string) {
	f.runFlags.add(cmd, out)
	cmd.Flags().StringVar(&f.preset, "preset", presets[0], "options to begin with: "+strings.Join(presets, ", "))
	cmd.Flags().StringVar(&f.data, "data", "", "images in the IDX format, FILE or FOLDER, such as MNIST's (default the digits of 8×8)")
	cmd.Flags().StringVar(&f.seeds, "seeds", "1..3", "list of seeds, such as 1..10")
	cmd.Flags().StringArrayVar(&f.set, "set", nil, "change an option: key=value (repeatable)")
	usage.CompleteValues(cmd, "preset", presets...)
}

// configure sets run.Options to preset, changed by --set. It validates the options with validate, and run.Methods with
// known, which has the names of all methods. err is the error of the search for the preset.
func configure[O any](f *deepFlags, run *deep.Run[O], known []string, preset O, err error, validate func() error) error {
	if err != nil {
		return exit.Usage(fmt.Errorf("--preset: %w", err))
	}
	run.Options = preset
	for _, setting := range f.set {
		key, value, ok := strings.Cut(setting, "=")
		if !ok {
			return exit.Usage(fmt.Errorf("--set %s: want KEY=VALUE", setting))
		}
		changed, err := optiontree.Set(run.Options, strings.Split(key, "."), value)
		if err != nil {
			return exit.Usage(fmt.Errorf("--set %s: %w", setting, err))
		}
		run.Options = changed.(O)
	}
	if err := cmp.Or(run.CheckMethods(known), validate()); err != nil {
		return exit.Usage(errors.New(strings.TrimPrefix(err.Error(), "sgmcmc: contour."))) // --set takes names without this prefix
	}
	return nil
}

// inputs reads the images and seeds that the flags name. It returns all images, those of digits 0 to 4, and the seeds.
func (a app) inputs(ctx context.Context, f *deepFlags) (all *images.Set, digits *deep.Data, seeds []uint64, err error) {
	if seeds, err = experiment.ParseSeeds(f.seeds); err != nil {
		return nil, nil, nil, exit.Usage(fmt.Errorf("--seeds: %w", err))
	}
	data := f.data
	if data == "" {
		fmt.Fprintln(a.stderr, "note: the digits of 8×8 that the program brings stand in for larger ones: --data FILE or FOLDER names images in the IDX format, such as those of MNIST")
		data = images.Digits
	}
	if all, err = images.Open(ctx, data); err != nil {
		return nil, nil, nil, err
	}
	digits, err = labeled(all, []uint8{0, 1, 2, 3, 4})
	return all, digits, seeds, err
}

// labeled returns the images of s whose class is in classes. Label i of the result stands for classes[i]. It is an
// error if s has no image of one of the classes.
func labeled(s *images.Set, classes []uint8) (*deep.Data, error) {
	only := s.Only(classes)
	if there := only.Classes(); len(there) != len(classes) {
		return nil, fmt.Errorf("%s: it has the classes %d of %d, want all", s.Name, there, classes)
	}
	size := s.Height * s.Width
	d := &deep.Data{Height: s.Height, Width: s.Width, Classes: len(classes), Name: s.Name, SHA256: s.SHA256}
	d.Pixels = make([]float32, only.Len()*size)
	for i, label := range only.Labels {
		only.Put(d.Pixels[i*size:(i+1)*size], i)
		d.Labels = append(d.Labels, int32(slices.Index(classes, label)))
	}
	return d, nil
}

// study runs an experiment on networks. If it is interrupted, the results of finished runs stay in the folder.
func study[O, R any](ctx context.Context, a app, f *deepFlags, r *deep.Run[O],
	run func(context.Context, *deep.Run[O]) (*deep.Result[O, R], error), render func(*deep.Result[O, R]) tables.Report) error {
	return conduct(ctx, a, &f.runFlags, func(ctx context.Context, done func(int, int)) (*deep.Result[O, R], error) {
		r.Done = done
		return run(ctx, r)
	}, render, "the same command goes on with what is left", exit.Resumable)
}
