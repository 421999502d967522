package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"banditsim/datasets/images"
	"banditsim/internal/exit"
	"banditsim/lab/deep"
	"banditsim/lab/tables"
)

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
		RunE: exit.Failing(func(cmd *cobra.Command, args []string) error {
			format, err := f.check(cmd)
			if err != nil {
				return err
			}
			var run deep.Uncertainty
			run.Methods, run.Dir, run.Workers = args, f.out, f.workers
			if len(args) == 0 {
				run.Methods = deep.UncertaintyMethods()
			}
			preset, err := deep.UncertaintyPreset(f.preset)
			if err := configure(&f, &run.Options, preset, err, run.Validate); err != nil {
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
			run.Outside = []deep.Outside{{Name: "5 to 9", Named: rest}}
			if other != "" {
				set, err := images.Open(cmd.Context(), other)
				if err != nil {
					return err
				}
				more, err := labeled(set, set.Classes())
				if err != nil {
					return err
				}
				run.Outside = append(run.Outside, deep.Outside{Name: "other", Named: more})
			}
			return a.study(cmd.Context(), &f, format, func(ctx context.Context, done func(int, int)) (outcome, error) {
				run.Done = done
				records, err := run.Records(ctx)
				return &tables.UncertaintyResult{Identity: run.Identity(), Records: records}, err
			})
		}),
	}
	f.add(cmd, "out/sampler-uncertainty", deep.UncertaintyPresets())
	cmd.Flags().StringVar(&other, "outside", "", "more images of none of the digits, in the IDX format, such as Fashion-MNIST's")
	return cmd
}
