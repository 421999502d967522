package cli

import "github.com/spf13/cobra"

func (a *app) samplerCommand() *cobra.Command {
	cmd := group(&cobra.Command{Use: "sampler", Short: "Test samplers on known distributions"})
	cmd.AddCommand(a.verifyCommand(), a.landscapeCommand(), a.varianceCommand())
	return cmd
}
