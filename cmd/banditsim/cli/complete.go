package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"banditsim/bandit/experiment"
)

// described returns entries as completions with their descriptions.
func described(entries []experiment.Entry, prefix string) []cobra.Completion {
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
	return described(a.catalog.Presets(), ""), cobra.ShellCompDirectiveDefault
}

func (a *app) completeEnvironments(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return described(a.catalog.Environments(), ""), cobra.ShellCompDirectiveNoFileComp
}

// completePolicies completes the last name in a list.
func (a *app) completePolicies(_ *cobra.Command, _ []string, toComplete string) ([]cobra.Completion, cobra.ShellCompDirective) {
	before := toComplete[:strings.LastIndex(toComplete, ",")+1]
	return described(a.catalog.Policies(), before), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
