package cli

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"banditsim/bandit/experiment"
)

func (a *app) listCommand() *cobra.Command {
	kinds := []string{"policies", "posteriors", "environments", "presets"}
	return &cobra.Command{
		Use:       "list policies|posteriors|environments|presets",
		Short:     "List the names that an experiment can use",
		ValidArgs: kinds,
		Args:      cobra.MatchAll(argCount(1, 1), oneOfArgs(kinds)),
		RunE: failing(func(_ *cobra.Command, args []string) error {
			w := tabwriter.NewWriter(a.stdout, 0, 0, 3, ' ', 0)
			for _, e := range a.entries(args[0]) {
				fmt.Fprintf(w, "%s\t%s\n", e.Name, e.Doc)
			}
			return w.Flush()
		}),
	}
}

func (a *app) entries(kind string) []experiment.Entry {
	switch kind {
	case "policies":
		return a.catalog.Policies()
	case "posteriors":
		return a.catalog.Posteriors()
	case "environments":
		return a.catalog.Environments()
	}
	return a.catalog.Presets()
}
