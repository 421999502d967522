package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"banditsim/internal/exit"
)

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
