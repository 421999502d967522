package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"banditsim/bandit/harness"
	"banditsim/internal/exit"
	"banditsim/internal/merge"
	"banditsim/internal/words"
)

func (a *app) mergeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "merge OUT SOURCE…",
		Short: "Merge the output folders of shards into one folder",
		Long: `Merge the output folders of shards into one folder, with recorded pulls and scores.
Every byte is verified; trials of another experiment are refused. Merging again, in any
order, gives the same. The trial files have the bytes that a run on one machine writes.

Exit code 3 means that trials failed or that damaged files were left out.`,
		Example: `  banditsim merge out/all out/shards/*`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return fmt.Errorf("merge: %s, want the output folder and at least one source: %s", words.Count(len(args), "argument"), cmd.UseLine())
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			args = a.Paths(args)
			out, sources := args[0], args[1:]
			if err := merge.CheckTarget(out, sources); err != nil {
				return exit.Usage(err)
			}
			if err := os.MkdirAll(out, 0o777); err != nil {
				return fmt.Errorf("merge: output folder: %w: want a folder that can be written", err)
			}
			unlock, err := harness.Lock(out, time.Now(), a.Line())
			if err != nil {
				return err
			}
			defer unlock()
			m := merge.Merger{Dir: out, Warn: func(message string) { a.warn("%s", message) }}
			s, err := m.Merge(sources)
			if errors.As(err, new(*merge.ExperimentError)) {
				return exit.Usage(err)
			} else if err != nil {
				return err
			}
			for _, source := range sources {
				if kept, _ := fs.Glob(os.DirFS(source), "trials/*.agent"); len(kept) > 0 && source != out {
					a.warn("%s of 'run --keep' in %s: merge does not copy them", words.Count(len(kept), "agent"), source)
				}
			}
			for _, d := range s.Damaged {
				a.warn("left out: %v", d.Err)
			}
			for _, f := range s.Failed {
				fmt.Fprintf(a.Stderr, "failed: %s, round %d: %s\n", f.FileName(), f.Totals.Failure.Round, words.Plain(f.Totals.Failure.Cause))
			}
			if _, err := fmt.Fprintf(a.Stdout, "%s: %s (%d added, %d replaced, %d there already)\n", out, words.Count(m.Trials(), "trial"), s.Added, s.Replaced, s.Present); err != nil {
				return err
			}
			return incompleteBy(len(s.Failed), len(s.Damaged))
		},
	}
}
