// Package cli implements the command line of banditsim. A program that adds posteriors, policies or
// environments to a catalog gets the whole command line by passing the catalog to Exec.
//
// Results go to stdout, progress and warnings to stderr.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"banditsim/bandit/experiment"
	"banditsim/bandit/plugin"
	"banditsim/cmd/banditsim/cli/internal/logcmd"
	"banditsim/cmd/banditsim/cli/internal/plugincmd"
	"banditsim/cmd/banditsim/cli/internal/samplercmd"
	"banditsim/cmd/banditsim/cli/internal/terminal"
	"banditsim/cmd/banditsim/cli/internal/usage"
	"banditsim/datasets"
	"banditsim/datasets/download"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/report"
)

// Exit codes.
const (
	ExitOK          = 0
	ExitFailure     = 1
	ExitUsage       = 2   // the command line or the configuration is wrong
	ExitIncomplete  = 3   // trials are missing or failed
	ExitThreshold   = 4   // a threshold is missed
	ExitResumable   = 75  // terminated; the same command resumes
	ExitInterrupted = 130 // Ctrl-C; the same command resumes
)

// app holds what all commands share.
type app struct {
	catalog *experiment.Catalog
	stdout  io.Writer // for text
	data    io.Writer // stdout for what is not text
	stderr  io.Writer
	args    []string // of the command line, for 'resume with'
}

// Exec runs the command line of this process and ends it. The errors are those of filling the
// catalog; it prints them and does not run the command.
func Exec(catalog *experiment.Catalog, errs ...error) {
	if err := errors.Join(errs...); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(ExitFailure)
	}
	os.Exit(Main(catalog, os.Args[1:], os.Stdout, os.Stderr))
}

// Main runs a command and returns the exit code of the process. The arguments do not include the
// name of the program.
func Main(catalog *experiment.Catalog, args []string, stdout, stderr io.Writer) int {
	data := stdout
	dir, _ := os.Getwd() // "" is no name
	names := append(slices.Clone(args), dir, os.Getenv("BANDITSIM_DATA"))
	stdout, stderr = terminal.Plain(stdout, names), terminal.Plain(stderr, names)
	a := &app{catalog: catalog.WithPlugins(plugin.Processes{}), stdout: stdout, data: data, stderr: stderr, args: args}
	root := a.root()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(datasets.WithGetter(context.Background(), download.HTTP(download.Client())))
	if err == nil {
		return ExitOK
	}
	code := ExitUsage // for errors of cobra
	var exit *exitError
	if errors.As(err, &exit) {
		code = exit.code
		err = exit.err
	}
	if errors.Is(err, syscall.EPIPE) {
		return ExitFailure // the reader of stdout has gone
	}
	if err != nil {
		fmt.Fprint(stderr, words.PlainText(fmt.Sprintf("banditsim: %v\n", err)))
	}
	return code
}

// Command returns the command line for what describes it, such as man pages. Main runs it.
func Command(catalog *experiment.Catalog) *cobra.Command {
	a := &app{catalog: catalog, stdout: io.Discard, data: io.Discard, stderr: io.Discard}
	return a.root()
}

// An exitError adds an exit code to an error. The error may be nil if nothing is left to print.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return fmt.Sprint(e.err) }

func exitWith(code int, err error) error { return &exitError{code, err} }

// usageError returns an error of the command line or the configuration.
func usageError(err error) error { return exitWith(ExitUsage, err) }

// failedCheck returns the error of a check that failed.
func failedCheck(err error) error { return exitWith(ExitThreshold, err) }

// failing adds exit code 1 to errors of f that have none.
func failing(f func(cmd *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		err := f(cmd, args)
		var exit *exitError
		if err == nil || errors.As(err, &exit) {
			return err
		}
		var damaged results.Damaged
		if errors.As(err, &damaged) {
			return exitWith(ExitIncomplete, err)
		}
		return exitWith(ExitFailure, err)
	}
}

func (a *app) root() *cobra.Command {
	root := group(&cobra.Command{
		Use:     "banditsim",
		Version: thisBuild().String(),
		Short:   "Compare exploration policies on contextual bandits, honestly",
		Long: `Banditsim compares exploration policies on contextual bandits: the same contexts and
random numbers for all, many seeds, and intervals for every mean.

Start with

  banditsim run quick

docs/README.md lists the documentation, docs/glossary.md explains the terms.`,
		SilenceErrors: true,
		SilenceUsage:  true,
	})
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(usage.FlagError)
	root.AddCommand(a.runCommand(), a.tuneCommand(), a.reportCommand(), a.plotCommand(), a.compareCommand(), a.exportCommand(),
		a.planCommand(), a.missingCommand(), a.mergeCommand(), a.submitCommand(), a.listCommand(), a.dataCommand(), a.scoreCommand(), a.initCommand(), a.versionCommand())
	verbs := logcmd.App{Catalog: a.catalog, Screen: a.screen, Usage: usageError, Failing: failing, Warn: a.warn, Interrupts: notifyInterrupts}
	plugins := plugincmd.App{Stdout: a.stdout, Usage: usageError, Failed: failedCheck, Failing: failing,
		CommandLine: commandLine, Interrupts: notifyInterrupts, Stopped: stopped}
	samplers := samplercmd.App{Catalog: a.catalog, Stdout: a.stdout, Stderr: a.stderr, Usage: usageError, Failed: failedCheck, Failing: failing,
		Interrupts: notifyInterrupts, Stopped: stopped}
	root.AddCommand(verbs.LogCommand(group), verbs.EvaluateCommand(), plugins.Command(group), samplers.Command(group))
	root.SetHelpCommand(helpCommand(root))
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			group(c)
			c.Short = "Write the completion script of a shell: bash, fish, powershell or zsh"
		}
	}
	return root
}

// warn writes to stderr what the user should know though it does not stop the command.
func (a *app) warn(format string, args ...any) {
	fmt.Fprint(a.stderr, report.WrapText(screenOf(a.stderr), words.PlainText(fmt.Sprintf("warning: "+format+"\n", args...))))
}
