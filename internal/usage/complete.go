package usage

import "github.com/spf13/cobra"

// Complete sets the completion of a flag's value.
func Complete(cmd *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err) // there is no such flag
	}
}

// CompleteValues completes a flag's value from a list.
func CompleteValues[S ~string](cmd *cobra.Command, flag string, values ...S) {
	var list []cobra.Completion
	for _, v := range values {
		list = append(list, string(v))
	}
	Complete(cmd, flag, cobra.FixedCompletions(list, cobra.ShellCompDirectiveNoFileComp))
}
