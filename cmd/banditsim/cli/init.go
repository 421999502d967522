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
)

func (a *app) initCommand() *cobra.Command {
	var schema bool
	cmd := &cobra.Command{
		Use:   "init [FILE]",
		Short: "Write an experiment file with comments, to begin from",
		Long: `Write an experiment file with comments, to begin from, and beside it the JSON
schema by which an editor completes and checks it (` + experiment.SchemaFile + `). It runs as it is.

With --schema only the schema is written, to FILE or, without one, to stdout; an
older schema is replaced.`,
		Args: argCount(0, 1),
		RunE: failing(func(_ *cobra.Command, args []string) error {
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
			_, err = a.stdout.Write(b)
			return err
		}),
	}
	cmd.Flags().BoolVar(&schema, "schema", false, "write the JSON schema of experiment files and nothing else")
	return cmd
}

// writeExample writes the file, and the schema that its first line names.
func (a *app) writeExample(path string) error {
	if !isExperimentFile(path) {
		return usageError(fmt.Errorf("%s: want a name that ends in .yaml, by which 'run' knows a file from a preset", path))
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists already: it is not overwritten; name another file", path)
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(experiment.ExampleFile)
	if err = errors.Join(err, f.Close()); err == nil {
		err = a.writeSchema(filepath.Join(filepath.Dir(path), experiment.SchemaFile))
	}
	if err != nil {
		os.Remove(path) // it was not there before, and half of it is of no use
		return err
	}
	fmt.Fprintf(a.stderr, "Edit %s, then: %s\n", path, commandLine("run", path))
	return nil
}

// writeSchema writes the schema. A file that is no schema of ours is not overwritten.
func (a *app) writeSchema(path string) error {
	b, err := a.catalog.Schema()
	if err != nil {
		return err
	}
	switch old, err := os.ReadFile(path); {
	case err == nil && !bytes.Contains(old, []byte(experiment.SchemaTitle)):
		return fmt.Errorf("%s exists already and is no schema of banditsim: it is not overwritten", path)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	temp := path + ".tmp"
	if err = os.WriteFile(temp, b, 0o666); err == nil {
		err = os.Rename(temp, path) // in whole or not at all
	}
	if err != nil {
		os.Remove(temp)
	}
	return err
}
