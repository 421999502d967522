package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"banditsim/bandit/experiment"
	"banditsim/datasets/images"
	"banditsim/internal/exit"
	"banditsim/internal/optiontree"
	"banditsim/internal/report"
	"banditsim/internal/terminal"
	"banditsim/internal/usage"
	"banditsim/lab/deep"
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
	cmd.Flags().StringVar(&f.preset, "preset", presets[0], "options to begin with: "+strings.Join(presets, ", "))
	cmd.Flags().StringVar(&f.data, "data", "", "images in the IDX format, FILE or FOLDER, such as MNIST's (default the digits of 8×8)")
	cmd.Flags().StringVar(&f.seeds, "seeds", "1..3", "list of seeds, such as 1..10")
	cmd.Flags().StringArrayVar(&f.set, "set", nil, "change an option: key=value (repeatable)")
	usage.CompleteValues(cmd, "preset", presets...)
}

// configure sets options to those of the preset, changed by --set, and validates them.
func configure[O any](f *deepFlags, options *O, preset func(name string) (O, error), validate func() error) (err error) {
	if *options, err = preset(f.preset); err != nil {
		return exit.Usage(fmt.Errorf("--preset: %w", err))
	}
	for _, setting := range f.set {
		if err := set(options, setting); err != nil {
			return exit.Usage(fmt.Errorf("--set %s: %w", setting, err))
		}
	}
	if err := validate(); err != nil {
		return exit.Usage(err)
	}
	return nil
}

// set changes options by a setting KEY=VALUE.
func set[O any](options *O, setting string) error {
	key, value, ok := strings.Cut(setting, "=")
	if !ok {
		return errors.New("want KEY=VALUE")
	}
	changed, err := optiontree.Set(*options, strings.Split(key, "."), value)
	if err == nil {
		*options = changed.(O)
	}
	return err
}

// deepInputs are the seeds and images of an experiment on networks.
type deepInputs struct {
	seeds  []uint64
	all    *images.Set
	digits *deep.Data // 0 to 4
	source deep.Source
}

// inputs reads the seeds and images that the flags name.
func (a app) inputs(ctx context.Context, f *deepFlags) (in deepInputs, err error) {
	if in.seeds, err = experiment.ParseSeeds(f.seeds); err != nil {
		return in, exit.Usage(fmt.Errorf("--seeds: %w", err))
	}
	if in.all, err = a.openImages(ctx, f.data); err != nil {
		return in, err
	}
	in.digits, in.source, err = labeled(in.all, []uint8{0, 1, 2, 3, 4})
	return in, err
}

// watch returns the records of run, called with progress on stderr. An interrupted run keeps what has ended: its error says
// that the same command goes on.
func watch[R any](ctx context.Context, a app, f *deepFlags, run func(ctx context.Context, done func(done, total int)) ([]R, error)) ([]R, error) {
	ctx, stop := exit.Interrupts(ctx)
	defer stop()
	var done func(int, int)
	hide := func() {}
	if !f.quiet {
		done, hide = terminal.ShowCount(a.stderr, "runs")
	}
	records, err := run(ctx, done)
	hide()
	if cause := context.Cause(ctx); cause != nil && err != nil {
		return nil, exit.Paused(cause, fmt.Errorf("%w: the same command goes on with what is left", cause))
	}
	return records, err
}

// conclude writes a result to the folder, prints its table to stdout and the paths of its files to stderr.
func (a app) conclude(f *deepFlags, format report.Format, table renderer, write ...func(dir string) ([]string, error)) error {
	var paths []string
	for _, w := range write {
		more, err := w(f.out)
		if err != nil {
			return err
		}
		paths = append(paths, more...)
	}
	if err := table.Render(a.stdout, format); err != nil {
		return err
	}
	a.tellWritten(paths)
	return nil
}
