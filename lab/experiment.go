package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"banditsim/bandit/experiment"
	"banditsim/datasets/images"
	"banditsim/internal/exit"
	"banditsim/internal/optiontree"
	"banditsim/internal/report"
	"banditsim/internal/terminal"
	"banditsim/internal/usage"
	"banditsim/internal/wholefile"
	"banditsim/lab/deep"
	"banditsim/lab/simulation"
)

// runFlags are the flags of all experiments.
type runFlags struct {
	out     string
	workers int
	format  string
	quiet   bool
}

func (f *runFlags) add(cmd *cobra.Command, out string) {
	flags := cmd.Flags()
	flags.StringVar(&f.out, "out", out, "folder for the figures and all numbers")
	flags.IntVar(&f.workers, "workers", runtime.GOMAXPROCS(0), "runs at a time; results do not depend on it")
	flags.BoolVar(&f.quiet, "quiet", false, "no progress on stderr")
	usage.FormatFlag(cmd, &f.format)
}

// check returns the format of the table, or an error if a flag is out of range.
func (f *runFlags) check(cmd *cobra.Command) (report.Format, error) {
	if err := usage.NoEmpty(cmd); err != nil {
		return "", exit.Usage(err)
	}
	if err := usage.Workers(f.workers); err != nil {
		return "", exit.Usage(err)
	}
	format, err := report.ParseFormat(f.format)
	if err != nil {
		return "", exit.Usage(err)
	}
	return format, nil
}

// An outcome is the result of an experiment.
type outcome interface {
	Render(w io.Writer, f report.Format) error
	Plot(dir string) ([]string, error)  // writes the figures
	Write(dir string) ([]string, error) // writes all numbers
}

// A runner runs an experiment and calls done, which may be nil, after each run.
type runner func(ctx context.Context, done func(done, total int)) (outcome, error)

// experiment runs an experiment with progress on stderr. It writes figures and numbers to the folder, prints the table to stdout and
// the paths of the files to stderr. stopped returns the error of an interrupted run.
func (a app) experiment(ctx context.Context, f *runFlags, format report.Format, run runner, stopped func(cause error) error) error {
	ctx, stop := exit.Interrupts(ctx)
	defer stop()
	done, hide := a.progress(f.quiet, "runs")
	result, err := run(ctx, done)
	hide()
	if cause := context.Cause(ctx); cause != nil && err != nil {
		return stopped(cause)
	}
	if err != nil {
		return err
	}
	figures, err := result.Plot(f.out)
	if err != nil {
		return err
	}
	numbers, err := result.Write(f.out)
	if err != nil {
		return err
	}
	if err := result.Render(a.stdout, format); err != nil {
		return err
	}
	a.tellWritten(append(figures, numbers...))
	return nil
}

// progress returns a function that shows progress on stderr until hide is called; nil if quiet.
func (a app) progress(quiet bool, noun string) (count func(done, total int), hide func()) {
	if quiet {
		return nil, func() {}
	}
	return terminal.ShowCount(a.stderr, noun)
}

// tellWritten prints the paths of files.
func (a app) tellWritten(paths []string) {
	fmt.Fprintf(a.stderr, "written: %s\n", strings.Join(paths, ", "))
}

// simulate runs a simulation, of which nothing is kept if it is interrupted.
func (a app) simulate(cmd *cobra.Command, f *runFlags, format report.Format, invalid error, run func(context.Context, *simulation.Crew) (outcome, error)) error {
	if invalid != nil {
		return exit.Usage(rangeError(cmd, invalid))
	}
	if err := wholefile.MakeFolder(f.out); err != nil {
		return err
	}
	return a.experiment(cmd.Context(), f, format, func(ctx context.Context, done func(int, int)) (outcome, error) {
		return run(ctx, &simulation.Crew{Workers: f.workers, Clock: workClock(), Done: done})
	}, func(cause error) error { return exit.Stopped(cause, fmt.Errorf("%w: nothing is kept", cause)) })
}

// rangeError replaces the option in a range error by the flag of its name, if there is one.
func rangeError(cmd *cobra.Command, err error) error {
	var out *simulation.RangeError
	if !errors.As(err, &out) {
		return err
	}
	flag := strings.ReplaceAll(out.Option, "_", "-")
	if cmd.Flags().Lookup(flag) == nil {
		return err
	}
	return fmt.Errorf("--%s %v: want %s", flag, out.Value, out.Want)
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

// configure sets options to those of a preset, changed by --set, and validates them.
func configure[O any](f *deepFlags, options *O, preset O, err error, validate func() error) error {
	if err != nil {
		return exit.Usage(fmt.Errorf("--preset: %w", err))
	}
	*options = preset
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

// inputs reads the images and seeds that the flags name, and returns all images and the digits 0 to 4.
func (a app) inputs(ctx context.Context, f *deepFlags) (all *images.Set, digits deep.Named, seeds []uint64, err error) {
	if seeds, err = experiment.ParseSeeds(f.seeds); err != nil {
		return nil, digits, nil, exit.Usage(fmt.Errorf("--seeds: %w", err))
	}
	data := f.data
	if data == "" {
		fmt.Fprintln(a.stderr, "note: the digits of 8×8 that the program brings stand in for larger ones: --data FILE or FOLDER names images in the IDX format, such as those of MNIST")
		data = images.Digits
	}
	if all, err = images.Open(ctx, data); err != nil {
		return nil, digits, nil, err
	}
	digits, err = labeled(all, []uint8{0, 1, 2, 3, 4})
	return all, digits, seeds, err
}

// labeled returns the images of the classes, in the order of classes, as networks take them.
func labeled(s *images.Set, classes []uint8) (deep.Named, error) {
	only := s.Only(classes)
	if there := only.Classes(); len(there) != len(classes) {
		return deep.Named{}, fmt.Errorf("%s: it has the classes %d of %d, want all", s.Name, there, classes)
	}
	place := make(map[uint8]int32)
	for i, class := range classes {
		place[class] = int32(i)
	}
	size := s.Height * s.Width
	d := &deep.Data{Height: s.Height, Width: s.Width, Channels: 1, Classes: len(classes), Pixels: make([]float32, only.Len()*size)}
	for i, label := range only.Labels {
		only.Put(d.Pixels[i*size:(i+1)*size], i)
		d.Labels = append(d.Labels, place[label])
	}
	return deep.Named{Data: d, Source: deep.Source{Name: s.Name, SHA256: s.SHA256}}, nil
}

// study runs an experiment on networks. An interrupted one keeps what has ended.
func (a app) study(ctx context.Context, f *deepFlags, format report.Format, run runner) error {
	return a.experiment(ctx, &f.runFlags, format, run, func(cause error) error {
		return exit.Paused(cause, fmt.Errorf("%w: the same command goes on with what is left", cause))
	})
}
