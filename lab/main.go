// Command lab checks samplers against known answers and repeats the experiments of the ICSGLD paper (Deng et al., ICLR
// 2022). From the root of the repository:
//
//	go -C lab run . verify pICSGLD
//	go -C lab run . landscape
//
// Paths of files are relative to the folder lab.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"banditsim/bandit/experiment"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/internal/exit"
	"banditsim/internal/report"
	"banditsim/internal/terminal"
	"banditsim/internal/usage"
	"banditsim/internal/wholefile"
	"banditsim/lab/tables"
)

func main() { os.Exit(run(builtin.Default(), os.Args[1:], os.Stdout, os.Stderr)) }

// app has the catalog and the output streams of all commands.
type app struct {
	catalog        *experiment.Catalog
	stdout, stderr io.Writer
}

// run runs the command line args and returns the exit code of the process.
func run(catalog *experiment.Catalog, args []string, stdout, stderr io.Writer) int {
	dir, _ := os.Getwd() // on an error "", which terminal.Plain ignores
	names := append(slices.Clone(args), dir)
	a := app{catalog, terminal.Plain(stdout, names), terminal.Plain(stderr, names)}
	root := a.root()
	root.SetArgs(args)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	return exit.Print(a.stderr, "lab", root.ExecuteContext(context.Background()))
}

func (a app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "lab",
		Short: "Test samplers on known distributions, and repeat the experiments of the ICSGLD paper",
		Long: `Test samplers on known distributions, and repeat the experiments of the ICSGLD paper.
From the root of the repository:

  go -C lab run . verify pICSGLD
  go -C lab run . landscape

Paths of files are relative to the folder lab.`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	usage.Group(root)
	root.SetFlagErrorFunc(usage.FlagError)
	root.SetGlobalNormalizationFunc(usage.Rename)
	root.AddCommand(a.verifyCommand(), a.landscapeCommand(), a.varianceCommand(), a.basinsCommand(), a.uncertaintyCommand())
	return root
}

// runFlags are the flags that all experiments share.
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

// checked returns a RunE function that checks the flags with usage.Check, and then calls run.
func checked(run func(cmd *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return exit.Failing(func(cmd *cobra.Command, args []string) error {
		if err := usage.Check(cmd); err != nil {
			return exit.Usage(err)
		}
		return run(cmd, args)
	})
}

// conduct makes the folder f.out, calls run, and converts the result to a report with render. It writes the report's
// figures and numbers to the folder, its table to stdout and the paths of the files to stderr. run must call done, if
// it is not nil, after each part of its work with the number of parts done and the total number: done shows them on
// stderr. If a signal stops run, the text of the error ends with the argument left, which says what is kept. The exit
// code is then the argument code, except after Ctrl-C.
func conduct[R any](ctx context.Context, a app, f *runFlags,
	run func(ctx context.Context, done func(done, total int)) (R, error), render func(R) tables.Report, left string, code int) error {
	if err := wholefile.MakeFolder(f.out); err != nil {
		return fmt.Errorf("--out: %w: name a folder that can be written", err)
	}
	ctx, stop := exit.Interrupts(ctx)
	defer stop()
	done, hide := a.progress(f.quiet, "runs")
	result, err := run(ctx, done)
	hide()
	if err != nil {
		return exit.Stopped(ctx, err, left, code)
	}
	report := render(result)
	paths, err := report.Write(f.out)
	if err != nil {
		return err
	}
	if err := report.Render(a.stdout, f.format); err != nil {
		return err
	}
	a.printPaths(paths)
	return nil
}

// progress returns a function that shows a count on stderr and one that removes it. count is nil if quiet is set.
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
