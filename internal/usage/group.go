package usage

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"banditsim/internal/nearest"
)

// Group makes cmd a command with subcommands only: without one it shows its help, and an unknown
// one is an error.
func Group(cmd *cobra.Command, subcommands ...*cobra.Command) *cobra.Command {
	cmd.AddCommand(subcommands...)
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		var known []string
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() {
				known = append(known, c.Name())
			}
		}
		return fmt.Errorf("unknown command %q for %q%s: want one of %s",
			args[0], cmd.CommandPath(), nearest.DidYouMean(args[0], known), strings.Join(known, ", "))
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	return cmd
}
