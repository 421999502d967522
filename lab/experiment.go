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
)

// runFlags are the flags that all experiments have.
type runFlags struct {
	out     string
	workers int
	format  report.Format
	quiet   bool
}

// add adds the flags to cmd; out is the default folder.
func (f *runFlags) add(cmd *cobra.Command, out string) {
	f.workers = runtime.GOMAXPROCS(0)
	cmd.Flags().StringVar(&f.out, "out", out, "folder for the figures and all numbers")
	usage.Workers(cmd, &f.workers, "runs at a time; results do not depend on it")
	usage.Quiet(cmd, &f.quiet)
	usage.Format(cmd, &f.format)
}

// checked returns run as the RunE of a command, behind a check that no flag is empty.
func checked(run func(cmd *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return exit.Failing(func(cmd *cobra.Command, args []string) error {
		if err := usage.NoEmpty(cmd); err != nil {
			return exit.Usage(err)
		}
		return run(cmd, args)
	})
}

// An outcome is the result of an experiment. Write writes figures and all numbers to dir, and returns the paths of the files.
type outcome interface {
	Render(w io.Writer, f report.Format) error
	Write(dir string) ([]string, error)
}

// A runner runs an experiment. It calls done, unless nil, after each run with the number of runs done and of all.
type runner func(ctx context.Context, done func(done, total int)) (outcome, error)

// experiment runs an experiment with progress on stderr. It writes figures and numbers to the folder f.out, prints the table to stdout
// and the paths of the files to stderr. stopped returns the error for a run that was interrupted by cause.
func (a app) experiment(ctx context.Context, f *runFlags, run runner, stopped func(cause error) error) error {
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
	paths, err := result.Write(f.out)
	if err != nil {
		return err
	}
	if err := result.Render(a.stdout, f.format); err != nil {
		return err
	}
	a.printPaths(paths)
	return nil
}

// progress returns a function that shows the number of runs done on stderr, and one that removes the line. count is nil if quiet.
func (a app) progress(quiet bool, noun string) (count func(done, total int), hide func()) {
	if quiet {
		return nil, func() {}
	}
	return terminal.ShowCount(a.stderr, noun)
}

// printPaths prints the paths of written files to stderr.
func (a app) printPaths(paths []string) {
	fmt.Fprintf(a.stderr, "written: %s\n", strings.Join(paths, ", "))
}
