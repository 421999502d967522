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
	"banditsim/cmd/banditsim/cli/internal/exit"
	"banditsim/cmd/banditsim/cli/internal/optiontext"
	"banditsim/cmd/banditsim/cli/internal/usage"
	"banditsim/datasets"
	"banditsim/datasets/frame"
	"banditsim/internal/words"
	"banditsim/results/column"
	"banditsim/results/report"
)

const dataUsage = "source of the data: auto, uci, replica (a stand-in), or a path"

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
	if name = strings.Trim(name, ".-"); data == "" || data == "auto" || name == "" {
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
	cmd := group(&cobra.Command{Use: "data", Short: "Fetch, verify and describe the data of an environment"})
	for _, verb := range []struct {
		use, short string
		files      int // arguments
		run        func(ctx context.Context, f *dataFlags) error
	}{
		{"fetch", "Download the data to the user cache, unless they are there", 0, a.fetchData},
		{"verify", "Check that the data are the published file, byte for byte (or the replica, with --data replica)", 0, a.verifyData},
		{"describe [FILE]", "Describe the data of an environment, or a file as the environment table reads it", 1, a.describeData},
	} {
		var f dataFlags
		c := &cobra.Command{Use: verb.use, Short: verb.short, Args: usage.Count(0, verb.files),
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
				err := verb.run(cmd.Context(), &f)
				if err != nil {
					return a.resolveError(cmd.Context(), err)
				}
				return nil
			})}
		c.Flags().StringVar(&f.environment, "environment", "", "environment (default the first of 'banditsim list environments', with FILE "+fileEnvironment+")")
		c.Flags().StringVar(&f.data, "data", "", dataUsage)
		usage.Complete(c, "environment", a.completeEnvironments)
		usage.Complete(c, "data", completeData)
		if verb.files > 0 {
			c.Flags().StringArrayVar(&f.set, "set", nil, "change an option: environment.key=value, such as environment.target=class (repeatable)")
		}
		cmd.AddCommand(c)
	}
	return cmd
}

func (a *app) fetchData(ctx context.Context, f *dataFlags) error {
	done, err := a.catalog.Fetch(ctx, f.environment, f.data)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(a.Stdout, done)
	return err
}

func (a *app) verifyData(ctx context.Context, f *dataFlags) error {
	found, err := a.catalog.Verify(ctx, f.environment, f.data)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.Stdout, "ok: %s\n", found)
	return err
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
		return optiontext.Describe(a.Stdout, f.environment, spec)
	}
	if err := world.Describe(a.Stdout); err != nil || world.Columns == nil {
		return err
	}
	fmt.Fprintln(a.Stdout)
	columns := world.Columns()
	values, err := frame.Values(columns)
	if err != nil {
		return err
	}
	return a.printLines(report.Lines(valueColumns(columns[0].Legend), values))
}

// valueColumns returns the columns of the values of an environment's columns, with one for each class.
func valueColumns(classes []datasets.Value) column.List[frame.Value] {
	l := column.List[frame.Value]{
		{Header: "attribute", Text: func(v frame.Value) string {
			if !v.First {
				return ""
			}
			return v.Column
		}},
		{Header: "value", Text: func(v frame.Value) string { return v.Value }},
		{Header: "name", Text: func(v frame.Value) string { return v.Name }},
		{Header: "rows", Text: func(v frame.Value) string { return fmt.Sprint(v.Rows) }},
	}
	for k, class := range classes {
		l = append(l, column.Column[frame.Value]{Header: "of " + class.Name, Text: func(v frame.Value) string {
			if math.IsNaN(v.Shares[k]) {
				return "-"
			}
			return words.Percent(100 * v.Shares[k])
		}})
	}
	return l
}
