// Command lab checks samplers against known answers and repeats the experiments of the ICSGLD paper (Deng et al., ICLR 2022).
// From the root of the repository:
//
//	go -C lab run . verify pICSGLD
//	go -C lab run . landscape
//
// Paths of files are relative to the folder lab.
package main

import (
	"context"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"banditsim/bandit/experiment"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/internal/exit"
	"banditsim/internal/terminal"
	"banditsim/internal/usage"
)

func main() { os.Exit(run(builtin.Default(), os.Args[1:], os.Stdout, os.Stderr)) }

// app has what all commands use.
type app struct {
	catalog        *experiment.Catalog
	stdout, stderr io.Writer
}

// run runs the command line args and returns the exit code of the process.
func run(catalog *experiment.Catalog, args []string, stdout, stderr io.Writer) int {
	dir, _ := os.Getwd() // "" is no name
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
