package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"banditsim/cmd/banditsim/cli/internal/exit"
	"banditsim/internal/nearest"
)

// group makes cmd a command with subcommands only: without one it shows its help, and an unknown
// one is an error.
func group(cmd *cobra.Command) *cobra.Command {
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
	cmd.RunE = exit.Failing(func(cmd *cobra.Command, _ []string) error { return cmd.Help() })
	return cmd
}

// helpCommand returns the command help, for which an unknown command is an error.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Show the help of a command",
		RunE: exit.Failing(func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err == nil && len(rest) > 0 && cmd.HasSubCommands() {
				err = cmd.ValidateArgs(rest)
			} else if err == nil && len(rest) > 0 {
				err = fmt.Errorf("%s has no command %q: see %s --help", cmd.CommandPath(), rest[0], cmd.CommandPath())
			}
			if err != nil {
				return exit.Usage(err)
			}
			return cmd.Help()
		}),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			var names []cobra.Completion
			if cmd, _, err := root.Find(args); err == nil {
				for _, c := range cmd.Commands() {
					if c.IsAvailableCommand() {
						names = append(names, c.Name())
					}
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
}
