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
	"strings"

	"github.com/spf13/cobra"

	"banditsim/bandit/experiment"
	"banditsim/bandit/plugin"
	"banditsim/internal/exit"
	"banditsim/internal/terminal"
	"banditsim/internal/usage"
)

// app holds what all commands share.
type app struct {
	*usage.Process

	catalog *experiment.Catalog
	data    io.Writer // stdout without terminal.Plain, for output that must not be changed, such as CSV
}

// Exec runs the command line of this process and ends the process. If filling the catalog returned errors, the caller
// passes them as errs: then Exec prints them and does not run the command.
func Exec(catalog *experiment.Catalog, errs ...error) {
	if err := errors.Join(errs...); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(exit.CodeFailure)
	}
	os.Exit(Main(catalog, Process{Args: os.Args, Getenv: os.Getenv, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}))
}

// A Process is the environment of one command line: arguments, folder, environment variables and streams.
type Process = usage.Process

// Main runs a command and returns the exit code of the process.
func Main(catalog *experiment.Catalog, p Process) int {
	dir := p.Dir
	if dir == "" {
		dir, _ = os.Getwd() // "" on an error
	}
	names := append(slices.Clone(p.Args[1:]), dir, p.Getenv("BANDITSIM_DATA"))
	a := &app{Process: &p, catalog: catalog.WithPlugins(plugin.Processes{Dir: p.Dir}), data: p.Stdout}
	p.Stdout, p.Stderr = terminal.Plain(p.Stdout, names), terminal.Plain(p.Stderr, names)
	root := a.root()
	root.SetArgs(p.Args[1:])
	return exit.Print(p.Stderr, "banditsim", root.ExecuteContext(p.Context()))
}

// Command returns the command line for programs that describe it, for example as man pages. To run it, call Main.
func Command(catalog *experiment.Catalog) *cobra.Command {
	p := Process{Args: []string{"banditsim"}, Getenv: os.Getenv, Stdout: io.Discard, Stderr: io.Discard}
	return (&app{Process: &p, catalog: catalog, data: io.Discard}).root()
}

func (a *app) root() *cobra.Command {
	root := usage.Group(&cobra.Command{
		Use:     "banditsim",
		Version: thisBuild().String(),
		Short:   "Compare exploration policies on contextual bandits, honestly",
		Long: `Banditsim compares exploration policies on contextual bandits: the same contexts and
random numbers for all, many seeds, and intervals for every mean.

Start with

  banditsim run quick

docs/README.md lists the documentation, docs/glossary.md explains the terms.`,
		SilenceErrors:     true,
		SilenceUsage:      true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return usage.Check(cmd) },
	})
	root.SetOut(a.Stdout) // before InitDefaultCompletionCmd, whose command keeps this writer
	root.SetErr(a.Stderr)
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(usage.FlagError)
	root.SetGlobalNormalizationFunc(usage.Rename)
	for _, g := range []struct {
		title string // heading in the help
		verbs []*cobra.Command
	}{
		{"Run", []*cobra.Command{a.runCommand(), a.recommendCommand(), a.initCommand(), a.listCommand(), a.dataCommand(), a.pluginCommand()}},
		{"Look", []*cobra.Command{a.reportCommand(), a.compareCommand(), a.plotCommand(), a.exportCommand(), a.scoreCommand()}},
		{"Tune", []*cobra.Command{a.tuneCommand()}},
		{"Learn from logs", []*cobra.Command{a.logCommand(), a.evaluateCommand(), a.learnCommand(), a.actCommand()}},
		{"Share out among machines", []*cobra.Command{a.planCommand(), a.submitCommand(), a.missingCommand(), a.mergeCommand()}},
		{"", []*cobra.Command{a.versionCommand(), movedCommand()}},
	} {
		if g.title != "" {
			root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		}
		for _, c := range g.verbs {
			c.GroupID = g.title
			root.AddCommand(c)
		}
	}
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			c.Short, c.Run, c.RunE = "Show the help of a command", nil, help
		case "completion":
			usage.Group(c)
			c.Short = "Write the completion script of a shell: bash, fish, powershell or zsh"
		}
	}
	withExitCodes(root)
	return root
}

// withExitCodes applies exit.Failing to the RunE of c and its subcommands, and usage.CheckList to their flags. Errors
// of cobra and PreRunE are about the command line and stay without an exit code, for which exit.Print takes CodeUsage.
func withExitCodes(c *cobra.Command) {
	c.Flags().VisitAll(usage.CheckList)
	if c.RunE != nil {
		c.RunE = exit.Failing(c.RunE)
	}
	for _, sub := range c.Commands() {
		withExitCodes(sub)
	}
}

// interruptible returns a RunE that calls f with the context of exit.Interrupts.
func interruptible(f func(ctx context.Context, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		ctx, stop := exit.Interrupts(cmd.Context())
		defer stop()
		return f(ctx, args)
	}
}

// keepsNothing returns an interruptible RunE that calls f. After a signal, "nothing is kept" replaces any error of f,
// even one that does not mention the signal: the signal may have ended a child process of f.
func keepsNothing(f func(ctx context.Context, args []string) error) func(*cobra.Command, []string) error {
	return interruptible(func(ctx context.Context, args []string) error {
		return exit.Stopped(ctx, f(ctx, args), "nothing is kept", exit.CodeFailure)
	})
}

// help shows the help of a command. An unknown command is an error.
func help(cmd *cobra.Command, args []string) error {
	found, rest, err := cmd.Root().Find(args)
	if err == nil && len(rest) > 0 {
		if err = fmt.Errorf("%s has no command %q: see %[1]s --help", found.CommandPath(), rest[0]); found.HasSubCommands() {
			err = found.ValidateArgs(rest)
		}
	}
	if err != nil {
		return exit.Usage(err)
	}
	return found.Help()
}

// movedCommand returns the hidden command sampler, which only returns an error that names the command that replaces it.
func movedCommand() *cobra.Command {
	return &cobra.Command{
		Use: "sampler", Hidden: true, DisableFlagParsing: true,
		RunE: func(_ *cobra.Command, args []string) error {
			now := strings.Join(append([]string{"go -C lab run ."}, args...), " ")
			return exit.Usage(fmt.Errorf("sampler is a program of its own, in the folder lab of the source: %s", now))
		},
	}
}
