package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"banditsim/bandit/harness"
)

func (a *app) initCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "init [FILE]",
		Short: "Write an experiment file with comments, to begin from",
		Args:  argCount(0, 1),
		RunE: failing(func(_ *cobra.Command, args []string) error {
			path := "experiment.yaml"
			if len(args) == 1 {
				path = args[0]
			}
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
			_, err = f.WriteString(harness.ExampleFile)
			if err = errors.Join(err, f.Close()); err != nil {
				os.Remove(path) // it was not there before, and half a file is of no use
				return err
			}
			fmt.Fprintf(a.stderr, "Edit %s, then: %s\n", path, commandLine("run", path))
			return nil
		}),
	}
}
