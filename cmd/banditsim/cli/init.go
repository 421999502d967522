package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"banditsim/bandit/experiment"
	"banditsim/internal/exit"
	"banditsim/internal/tuning"
	"banditsim/internal/usage"
	"banditsim/internal/wholefile"
)

func (a *app) initCommand() *cobra.Command {
	var schema bool
	var f planFlags
	cmd := &cobra.Command{
		Use:   "init [FILE]",
		Short: "Write an experiment file with comments, to start from",
		Long: `Write an experiment file with comments, to start from, and beside it the JSON schema
(` + experiment.SchemaFile + `) with which an editor completes and checks it. The file
runs as it is.

With --data, --environment, --policies, --seeds, --passes, --set or --plugin the file says
what 'run' with the same flags does.

With --schema only the schema is written, to FILE or, without one, to stdout. It
replaces an older schema.`,
		Args: usage.Count(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case !schema:
				given := slices.ContainsFunc(planFlagNames, cmd.Flags().Changed)
				return a.writeExperiment(cmd.Context(), cmp.Or(strings.Join(args, ""), "experiment.yaml"), &f, given)
			case len(args) == 1:
				return a.writeSchema(a.Path(args[0]))
			}
			b, err := a.catalog.Schema()
			if err != nil {
				return err
			}
			_, err = a.Stdout.Write(b)
			return err
		},
	}
	a.addPlanFlags(cmd, &f)
	cmd.Flags().BoolVar(&schema, "schema", false, "write only the JSON schema of experiment files")
	return cmd
}

// writeExperiment writes an experiment file and the schema that its first line names. The file is the commented example
// or, if given is true, the experiment that the flags in f select.
func (a *app) writeExperiment(ctx context.Context, path string, f *planFlags, given bool) error {
	text := experiment.ExampleFile()
	if given {
		e, err := a.experiment(f, nil)
		if err != nil {
			return exit.Usage(err)
		}
		if _, err := e.Resolve(ctx, a.catalog); err != nil {
			return a.resolveError(ctx, err)
		}
		extends := "general"
		if f.environment == "" && f.data == "" {
			extends, e.Name = "quick", "my-"+e.Name
		}
		e.Profile = "" // the file gets it from the preset that it extends
		text = "# yaml-language-server: $schema=" + experiment.SchemaFile + "\n" + tuning.YAML(e, extends)
	}
	if !isExperimentFile(path) {
		return exit.Usage(fmt.Errorf("%s: want a name that ends in .yaml, by which 'run' knows a file from a preset: %s", path, a.CommandLine("init", strings.TrimSuffix(path, filepath.Ext(path))+".yaml")))
	}
	path = a.Path(path)
	err := writeNew(path, []byte(text))
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists already: it is not overwritten; name another file", path)
	}
	if err != nil {
		return err
	}
	if err := a.writeSchema(filepath.Join(filepath.Dir(path), experiment.SchemaFile)); err != nil {
		os.Remove(path) // it did not exist before writeNew
		return err
	}
	fmt.Fprintf(a.Stderr, "Edit %s, then: %s\n", path, a.CommandLine("run", path))
	return nil
}

// schemaTitle is the title of every schema of experiment files.
const schemaTitle = "banditsim experiment"

// writeSchema writes the schema. It overwrites a file only if that is a schema of banditsim.
func (a *app) writeSchema(path string) error {
	b, err := a.catalog.Schema()
	if err != nil {
		return err
	}
	switch old, err := wholefile.ReadFile(path); {
	case err == nil && !bytes.Contains(old, []byte(schemaTitle)):
		return fmt.Errorf("%s exists and is not a schema of banditsim: it is not overwritten", path)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return wholefile.Write(path, b)
}
