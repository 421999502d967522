package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"banditsim/internal/exit"
	"banditsim/internal/report"
	"banditsim/internal/terminal"
	"banditsim/internal/usage"
	"banditsim/internal/wholefile"
	"banditsim/lab/simulation"
)

// simulationFlags are the common flags of the simulations.
type simulationFlags struct {
	out     string
	workers int
	format  string
	quiet   bool
}

func (f *simulationFlags) add(cmd *cobra.Command, out string) {
	flags := cmd.Flags()
	flags.StringVar(&f.out, "out", out, "folder for the figures and all numbers")
	flags.IntVar(&f.workers, "workers", runtime.GOMAXPROCS(0), "runs at a time; results do not depend on it")
	flags.BoolVar(&f.quiet, "quiet", false, "no progress on stderr")
	usage.FormatFlag(cmd, &f.format)
}

// check returns the format of the table, or an error if a flag is out of range.
func (f *simulationFlags) check(cmd *cobra.Command) (report.Format, error) {
	if err := usage.NoEmpty(cmd); err != nil {
		return "", err
	}
	if err := usage.Workers(f.workers); err != nil {
		return "", err
	}
	return report.ParseFormat(f.format)
}

// A table of results.
type renderer interface {
	Render(w io.Writer, f report.Format) error
}

// simulate runs a simulation with progress on stderr. It prints the table to stdout and the paths
// of figures and numbers to stderr.
func (a app) simulate(ctx context.Context, f *simulationFlags, format report.Format,
	run func(context.Context, *simulation.Crew) (renderer, error), keep func() ([]string, error)) error {
	if err := wholefile.MakeFolder(f.out); err != nil {
		return err
	}
	ctx, stop := exit.Interrupts(ctx)
	defer stop()
	crew, hide := a.crew(f)
	table, err := run(ctx, crew)
	hide()
	if cause := context.Cause(ctx); cause != nil && err != nil {
		return exit.Stopped(cause, fmt.Errorf("%w: nothing is kept", cause))
	}
	if err != nil {
		return err
	}
	paths, err := keep()
	if err != nil {
		return err
	}
	if err := table.Render(a.stdout, format); err != nil {
		return err
	}
	a.tellWritten(paths)
	return nil
}

// tellWritten prints the paths of files.
func (a app) tellWritten(paths []string) {
	fmt.Fprintf(a.stderr, "written: %s\n", strings.Join(paths, ", "))
}

// crew returns workers whose progress is shown until hide is called.
func (a app) crew(f *simulationFlags) (crew *simulation.Crew, hide func()) {
	crew = &simulation.Crew{Workers: f.workers, Clock: workClock()}
	if f.quiet {
		return crew, func() {}
	}
	crew.Done, hide = terminal.ShowCount(a.stderr, "runs")
	return crew, hide
}
