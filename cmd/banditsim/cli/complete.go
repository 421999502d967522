package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"banditsim/bandit/harness"
	"banditsim/internal/nearest"
)

// oneOfArgs accepts only arguments of a list.
func oneOfArgs(known []string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		for _, arg := range args {
			if !slices.Contains(known, arg) {
				return fmt.Errorf("unknown argument %q%s: want one of %s", arg, nearest.DidYouMean(arg, known), strings.Join(known, ", "))
			}
		}
		return nil
	}
}

// described turns entries into completions with a line about each.
func described(entries []harness.Entry, prefix string) []cobra.Completion {
	var list []cobra.Completion
	for _, e := range entries {
		list = append(list, cobra.CompletionWithDesc(prefix+e.Name, e.Doc))
	}
	return list
}

func (a *app) completePresets(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return described(a.entries("presets"), ""), cobra.ShellCompDirectiveDefault
}

// completePolicies completes the last name of a list.
func (a *app) completePolicies(_ *cobra.Command, _ []string, toComplete string) ([]cobra.Completion, cobra.ShellCompDirective) {
	before := toComplete[:strings.LastIndex(toComplete, ",")+1]
	return described(a.catalog.Policies(), before), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

func completeData(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return []cobra.Completion{"auto", "uci", "replica"}, cobra.ShellCompDirectiveDefault
}
