package cli

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"banditsim/bandit/experiment"
	"banditsim/cmd/banditsim/cli/internal/plantext"
	"banditsim/datasets"
	"banditsim/internal/exit"
	"banditsim/internal/report"
	"banditsim/internal/usage"
	"banditsim/internal/words"
)

const dataUsage = "path of the data, iris or digits; without it the data that the program brings"

// fileEnvironment is the environment that makes a bandit of any file.
const fileEnvironment = "table"

// tableName returns the name of the results of a table: that of the file without its endings and without what is no letter,
// digit or one of the signs . _ -; or that of the environment.
func tableName(data string) string {
	data = strings.TrimPrefix(data, fileEnvironment+"=")
	name := strings.TrimSuffix(filepath.Base(data), ".gz")
	name = strings.TrimSuffix(name, filepath.Ext(name))
	name = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._-", r) {
			return r
		}
		return '-'
	}, name)
	if name = strings.Trim(name, ".-"); data == "" || name == "" {
		return fileEnvironment
	}
	return name
}

// dataFlags are the flags of the data commands.
type dataFlags struct {
	environment, data string
	set               []string
}

func (a *app) dataCommand() *cobra.Command {
	cmd := usage.Group(&cobra.Command{Use: "data", Short: "Describe the data of an environment"})
	var f dataFlags
	c := &cobra.Command{Use: "describe [FILE]", Short: "Describe the data of an environment, or a file as the environment table reads it",
		Args: usage.Count(0, 1),
		RunE: exit.Failing(func(cmd *cobra.Command, args []string) error {
			if err := usage.NoEmpty(cmd); err != nil {
				return exit.Usage(err)
			}
			if len(args) > 0 {
				if f.data != "" {
					return exit.Usage(fmt.Errorf("a file is given twice: %s and --data %s", args[0], f.data))
				}
				f.data = args[0]
			}
			if f.environment == "" {
				f.environment = a.catalog.Environments()[0].Name
				if len(args) > 0 {
					f.environment = fileEnvironment
				}
			}
			if err := a.describeData(cmd.Context(), &f); err != nil {
				return a.resolveError(cmd.Context(), err)
			}
			return nil
		})}
	c.Flags().StringVar(&f.environment, "environment", "", "environment (default the first of 'banditsim list environments', with FILE "+fileEnvironment+")")
	c.Flags().StringVar(&f.data, "data", "", dataUsage)
	c.Flags().StringArrayVar(&f.set, "set", nil, "change an option: environment.key=value, such as environment.target=class (repeatable)")
	usage.Complete(c, "environment", a.completeEnvironments)
	cmd.AddCommand(c)
	return cmd
}

func (a *app) describeData(ctx context.Context, f *dataFlags) error {
	var settings []experiment.Setting
	for _, text := range f.set {
		s, err := experiment.ParseSetting(text)
		if err != nil {
			return err
		}
		settings = append(settings, s)
	}
	world, spec, err := a.catalog.Open(ctx, f.environment, f.data, settings)
	if err != nil {
		return err
	}
	if world.Warning != "" {
		a.Warn("%s", world.Warning)
	}
	if world.Describe == nil {
		return plantext.Describe(a.Stdout, f.environment, spec)
	}
	if err := world.Describe(a.Stdout); err != nil || world.Values == nil {
		return err
	}
	fmt.Fprintln(a.Stdout)
	classes, values := world.Values()
	return a.printLines(report.NewTable(valueColumns(classes), values).Lines())
}

// valueColumns returns the columns of the values of an environment's columns, with one for each class.
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
