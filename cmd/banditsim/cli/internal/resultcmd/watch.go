package resultcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"banditsim/cmd/banditsim/cli/internal/folder"
	"banditsim/cmd/banditsim/cli/internal/live"
	"banditsim/internal/exit"
	"banditsim/results"
	"banditsim/results/report"
)

// watchFlags are the flags of report --watch.
type watchFlags struct {
	on    bool
	every time.Duration
}

func (w *watchFlags) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&w.on, "watch", false, "update the table until the run has ended, or Ctrl-C")
	cmd.Flags().DurationVar(&w.every, "every", 2*time.Second, "time between two updates, with --watch or --serve")
}

// check rejects flags that need --watch or --serve, and intervals under 100 ms.
func (w *watchFlags) check(cmd *cobra.Command, serves bool) error {
	switch {
	case !w.on && !serves && cmd.Flags().Changed("every"):
		return errors.New("--every goes with --watch or --serve only")
	case w.every < 100*time.Millisecond:
		return fmt.Errorf("--every %v: want at least 100ms", w.every)
	}
	return nil
}

// watch shows the folder's tables until the run that works in it has ended or until an interrupt,
// which is not a failure.
func (a App) watch(ctx context.Context, dir string, f report.Format, mixed bool, every time.Duration) error {
	ctx, stop := exit.Interrupts(ctx)
	defer stop()
	w := live.Watcher{Dir: dir, Format: f, Every: every, Stdout: a.Stdout, Stderr: a.Stderr, Getenv: a.Getenv,
		Tables: func(w io.Writer, sets []*results.Set) error {
			if err := a.CheckMixed(dir, sets, mixed); err != nil {
				return err
			}
			_, err := a.LeaveOut(sets, func(sets []*results.Set) error {
				summaries, err := folder.Summarize(sets)
				if err != nil {
					return err
				}
				return folder.Report(sets, summaries, mixed).Render(w, f) // without the provenance, which hardly changes
			})
			return err
		}}
	sets, ended, err := w.Watch(ctx)
	if err != nil || !ended {
		return err
	}
	fmt.Fprintln(a.Stderr, "the run has ended")
	return folder.Incomplete(sets)
}
