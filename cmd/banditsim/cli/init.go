package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"banditsim/bandit/experiment"
	"banditsim/cmd/banditsim/cli/internal/exit"
	"banditsim/cmd/banditsim/cli/internal/usage"
	"banditsim/internal/wholefile"
)

func (a *app) initCommand() *cobra.Command {
	var schema bool
	cmd := &cobra.Command{
		Use:   "init [FILE]",
		Short: "Write an experiment file with comments, to start from",
		Long: `Write an experiment file with comments, to start from, and beside it the JSON schema
(` + experiment.SchemaFile + `) with which an editor completes and checks it. The file
runs as it is.

With --schema only the schema is written, to FILE or, without one, to stdout. It
replaces an older schema.`,
		Args: usage.Count(0, 1),
		RunE: exit.Failing(func(_ *cobra.Command, args []string) error {
			switch {
			case !schema && len(args) == 0:
				return a.writeExample("experiment.yaml")
			case !schema:
				return a.writeExample(args[0])
			case len(args) == 1:
				return a.writeSchema(args[0])
			}
			b, err := a.catalog.Schema()
			if err != nil {
				return err
			}
			_, err = a.Stdout.Write(b)
			return err
		}),
	}
	cmd.Flags().BoolVar(&schema, "schema", false, "write only the JSON schema of experiment files")
	return cmd
}

// writeExample writes the file, and the schema that its first line names.
func (a *app) writeExample(path string) error {
	if !isExperimentFile(path) {
		return exit.Usage(fmt.Errorf("%s: want a name that ends in .yaml, by which 'run' knows a file from a preset", path))
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists already: it is not overwritten; name another file", path)
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(experiment.ExampleFile())
	if err = errors.Join(err, f.Close()); err == nil {
		err = a.writeSchema(filepath.Join(filepath.Dir(path), experiment.SchemaFile))
	}
	if err != nil {
		os.Remove(path) // it did not exist before, and is not complete
		return err
	}
	fmt.Fprintf(a.Stderr, "Edit %s, then: %s\n", path, usage.CommandLine("run", path))
	return nil
}

// writeSchema writes the schema. It overwrites a file only if that is a schema of banditsim.
func (a *app) writeSchema(path string) error {
	b, err := a.catalog.Schema()
	if err != nil {
		return err
	}
	switch old, err := wholefile.ReadFile(path); {
	case err == nil && !bytes.Contains(old, []byte(experiment.SchemaTitle)):
		return fmt.Errorf("%s exists and is not a schema of banditsim: it is not overwritten", path)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return wholefile.Write(path, b)
}
