package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"banditsim/bandit/experiment"
	"banditsim/internal/exit"
	"banditsim/internal/report"
	"banditsim/internal/usage"
)

func (a *app) listCommand() *cobra.Command {
	kinds := []string{"policies", "posteriors", "environments", "presets"}
	return &cobra.Command{
		Use:       "list policies|posteriors|environments|presets",
		Short:     "List the names that an experiment can use",
		ValidArgs: kinds,
		Args:      cobra.MatchAll(usage.Count(1, 1), usage.OneOf(kinds)),
		RunE: exit.Failing(func(_ *cobra.Command, args []string) error {
			lines := report.NewTable(entryColumns, a.entries(args[0])).Lines()
			_, err := fmt.Fprintln(a.Stdout, report.WrapText(a.Screen(), strings.Join(lines, "\n")))
			return err
		}),
	}
}

var entryColumns = report.Columns[experiment.Entry]{
	{Text: func(e experiment.Entry) string { return e.Name + " " }},
	{Text: func(e experiment.Entry) string { return e.Doc }},
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
