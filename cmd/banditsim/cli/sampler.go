package cli

import "github.com/spf13/cobra"

func (a *app) samplerCommand() *cobra.Command {
	cmd := group(&cobra.Command{Use: "sampler", Short: "Try samplers where the truth is known"})
	cmd.AddCommand(a.verifyCommand(), a.landscapeCommand(), a.varianceCommand())
	return cmd
}
