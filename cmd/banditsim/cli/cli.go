// Package cli implements the command line of banditsim. A program that adds posteriors, policies or
// environments to a catalog gets the whole command line by passing the catalog to Exec.
//
// Results go to stdout, progress and warnings to stderr.
package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"banditsim/bandit/experiment"
	"banditsim/bandit/plugin"
	"banditsim/cmd/banditsim/cli/internal/folder"
	"banditsim/cmd/banditsim/cli/internal/logcmd"
	"banditsim/cmd/banditsim/cli/internal/plugincmd"
	"banditsim/cmd/banditsim/cli/internal/resultcmd"
	"banditsim/internal/exit"
	"banditsim/internal/terminal"
	"banditsim/internal/usage"
)

// Exit codes.
const (
	ExitOK          = exit.OK
	ExitFailure     = exit.CodeFailure
	ExitUsage       = exit.CodeUsage      // the command line or the configuration is wrong
	ExitIncomplete  = exit.CodeIncomplete // trials are missing or failed
	ExitThreshold   = exit.CodeThreshold  // a threshold is missed
	ExitResumable   = exit.Resumable      // terminated; the same command resumes
	ExitInterrupted = exit.Interrupted    // Ctrl-C; the same command resumes
)

// app holds what all commands share.
type app struct {
	folder.Viewer

	catalog *experiment.Catalog
	data    io.Writer // stdout for what is not text
}

// Exec runs the command line of this process and ends it. The errors are those of filling the
// catalog; it prints them and does not run the command.
func Exec(catalog *experiment.Catalog, errs ...error) {
	if err := errors.Join(errs...); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(ExitFailure)
	}
	os.Exit(Main(catalog, Process{Args: os.Args, Getenv: os.Getenv, Stdout: os.Stdout, Stderr: os.Stderr}))
}

// A Process is what a command line gets from the process that runs it: arguments, folder, environment and streams.
type Process = usage.Process

// Main runs a command and returns the exit code of the process.
func Main(catalog *experiment.Catalog, p Process) int {
	dir := p.Dir
	if dir == "" {
		dir, _ = os.Getwd() // "" is no name
	}
	names := append(slices.Clone(p.Args[1:]), dir, p.Getenv("BANDITSIM_DATA"))
	data := p.Stdout
	p.Stdout, p.Stderr = terminal.Plain(p.Stdout, names), terminal.Plain(p.Stderr, names)
	a := &app{catalog: catalog.WithPlugins(plugin.Processes{Dir: p.Dir}), Viewer: folder.Viewer{Process: &p}, data: data}
	root := a.root()
	root.SetArgs(p.Args[1:])
	return exit.Print(p.Stderr, "banditsim", root.ExecuteContext(p.Context()))
}

// Command returns the command line for what describes it, such as man pages. Main runs it.
func Command(catalog *experiment.Catalog) *cobra.Command {
	p := Process{Args: []string{"banditsim"}, Getenv: os.Getenv, Stdout: io.Discard, Stderr: io.Discard}
	a := &app{catalog: catalog, Viewer: folder.Viewer{Process: &p}, data: io.Discard}
	return a.root()
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
		SilenceErrors: true,
		SilenceUsage:  true,
	})
	root.SetOut(a.Stdout) // before the completion command, which takes it
	root.SetErr(a.Stderr)
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(usage.FlagError)
	root.SetGlobalNormalizationFunc(usage.Rename)
	for _, g := range verbGroups {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
	}
	shows := resultcmd.App{Viewer: a.Viewer, Catalog: a.catalog, Data: a.data}
	root.AddCommand(a.runCommand(), a.tuneCommand(), shows.ReportCommand(), shows.PlotCommand(), shows.CompareCommand(), shows.ExportCommand(),
		a.planCommand(), a.missingCommand(), a.mergeCommand(), a.submitCommand(), a.listCommand(), a.dataCommand(), a.scoreCommand(), a.initCommand(), a.versionCommand())
	verbs := logcmd.App{Viewer: a.Viewer, Catalog: a.catalog}
	plugins := plugincmd.App{Process: a.Process}
	root.AddCommand(verbs.LogCommand(usage.Group), verbs.EvaluateCommand(), plugins.Command(usage.Group), movedCommand())
	root.SetHelpCommand(helpCommand(root))
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		for _, g := range verbGroups {
			if slices.Contains(g.verbs, c.Name()) {
				c.GroupID = g.title
			}
		}
		if c.Name() == "completion" {
			usage.Group(c)
			c.Short = "Write the completion script of a shell: bash, fish, powershell or zsh"
		}
	}
	return root
}

// verbGroups are the verbs by what a user wants, as help lists them.
var verbGroups = [...]struct {
	title string
	verbs []string
}{
	{"Run", []string{"run", "init", "list", "data", "plugin"}},
	{"Look", []string{"report", "compare", "plot", "export", "score"}},
	{"Tune", []string{"tune"}},
	{"Learn from logs", []string{"log", "evaluate"}},
	{"Share out among machines", []string{"plan", "submit", "missing", "merge"}},
}
