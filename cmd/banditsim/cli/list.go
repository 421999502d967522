package cli

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"banditsim/bandit/experiment"
	"banditsim/datasets"
	"banditsim/internal/lists"
	"banditsim/internal/report"
	"banditsim/internal/usage"
	"banditsim/internal/words"
)

func (a *app) listCommand() *cobra.Command {
	kinds := []string{"policies", "posteriors", "environments", "presets"}
	entries := map[string]func() []experiment.Entry{"policies": a.catalog.Policies, "posteriors": a.catalog.Posteriors,
		"environments": a.catalog.Environments, "presets": a.catalog.Presets}
	return &cobra.Command{
		Use:       "list " + strings.Join(kinds, "|"),
		Short:     "List the names that an experiment can use",
		ValidArgs: kinds,
		Args:      cobra.MatchAll(usage.Count(1, 1), usage.OneOf(kinds)),
		RunE: func(_ *cobra.Command, args []string) error {
			list := entries[args[0]]()
			lines := aligned(lists.Each(list, func(e experiment.Entry) [2]string { return [2]string{e.Name + " ", e.Doc} }))
			for i := len(lines) - 1; i >= 0; i-- {
				if before := i > 0 && list[i-1].Family == list[i].Family; !before && list[i].Family != "" {
					lines = slices.Insert(lines, i, "", list[i].Family+":")
				}
			}
			text := strings.TrimPrefix(strings.Join(lines, "\n"), "\n")
			return a.printLines([]string{report.WrapText(a.screen(a.Stdout), text)})
		},
	}
}

func (a *app) dataCommand() *cobra.Command {
	var f planFlags
	c := &cobra.Command{
		Use:   "describe [FILE]",
		Short: "Describe the data of an environment, or a file as the environment table reads it",
		Args:  usage.Count(0, 1),
		PreRunE: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) > 0 && f.data != "":
				return fmt.Errorf("a file is given twice: %s and --data %s", args[0], f.data)
			case len(args) > 0 && has(a.catalog.Environments(), args[0]):
				return fmt.Errorf("%s is an environment, not a file: want --environment %[1]s; a file of this name is ./%[1]s", args[0])
			}
			return nil
		},
		RunE: interruptible(func(ctx context.Context, args []string) error {
			unnamed := a.catalog.Environments()[0].Name
			if len(args) > 0 {
				f.data, unnamed = args[0], fileEnvironment
			}
			f.environment = cmp.Or(f.environment, a.catalog.EnvironmentOf(f.data), unnamed)
			return a.describeData(ctx, &f)
		}),
	}
	c.Flags().StringVar(&f.environment, "environment", "", "environment (default that of the data by their name; else with FILE "+fileEnvironment+", without it the first of 'banditsim list environments')")
	c.Flags().StringVar(&f.data, "data", "", dataUsage)
	usage.List(c.Flags(), &f.settings, "set", "change an option: environment.key=value, such as environment.target=class (repeatable)", experiment.ParseSetting)
	usage.Complete(c, "environment", func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return described(a.catalog.Environments(), ""), cobra.ShellCompDirectiveNoFileComp
	})
	return usage.Group(&cobra.Command{Use: "data", Short: "Describe the data of an environment"}, c)
}

func (a *app) describeData(ctx context.Context, f *planFlags) error {
	opened, spec, err := a.catalog.Open(ctx, f.environment, f.data, f.settings)
	if err != nil {
		return a.resolveError(ctx, err)
	}
	world := opened.World
	if world.Warning != "" {
		a.warn("%s", world.Warning)
	}
	if world.Describe == nil {
		return a.printLines(specLines(opened, spec))
	}
	var text bytes.Buffer // a tabwriter loses some errors of its output
	if err := world.Describe(&text); err != nil {
		return err
	}
	if _, err := text.WriteTo(a.Stdout); err != nil || world.Values == nil {
		return err
	}
	classes, values := world.Values()
	return a.printLines(append([]string{""}, report.NewTable(valueColumns(classes), values).Lines()...))
}

// valueColumns returns the columns of a table of the values in an environment's data, with a column for each class.
func valueColumns(classes []string) report.Columns[datasets.Value] {
	l := report.Columns[datasets.Value]{
		{Header: "attribute", Text: func(v datasets.Value) string { return v.Column }},
		{Header: "value", Text: func(v datasets.Value) string { return v.Value }},
		{Header: "name", Text: func(v datasets.Value) string { return v.Name }},
		{Header: "rows", Text: func(v datasets.Value) string { return fmt.Sprint(v.Rows) }},
	}
	for k, class := range classes {
		l = append(l, report.Column[datasets.Value]{Header: "of " + class, Text: func(v datasets.Value) string {
			if math.IsNaN(v.Shares[k]) {
				return "-"
			}
			return words.Percent(100 * v.Shares[k])
		}})
	}
	return l
}
