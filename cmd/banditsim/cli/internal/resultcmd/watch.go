package resultcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"github.com/spf13/cobra"

	"banditsim/cmd/banditsim/cli/internal/folder"
	"banditsim/cmd/banditsim/cli/internal/live"
	"banditsim/internal/exit"
	"banditsim/internal/page"
	"banditsim/internal/report"
	"banditsim/results"
)

// watchFlags are the flags of report --watch.
type watchFlags struct {
	on    bool
	every time.Duration
}

func (w *watchFlags) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&w.on, "watch", false, "update the table or the page of --html until the run has ended, or Ctrl-C")
	cmd.Flags().DurationVar(&w.every, "every", 2*time.Second, "time between two updates, with --watch")
}

// check rejects --every without --watch, and intervals under 100 ms.
func (w *watchFlags) check(cmd *cobra.Command) error {
	switch {
	case !w.on && cmd.Flags().Changed("every"):
		return errors.New("--every goes with --watch only")
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

// minReload bounds how often a page that is watched loads itself again, so that it can be read.
const minReload = 5 * time.Second

// watchPage rewrites the page of a folder when its trials have changed, until the run that works in it has ended or until an
// interrupt, which is not a failure. The last page does not load itself again.
func (a App) watchPage(ctx context.Context, dir, path, log string, every time.Duration) error {
	if err := folder.CheckTarget(path); err != nil {
		return err
	}
	o, err := a.pageOptions(ctx, log)
	if err != nil {
		return err
	}
	o.Watched = true
	ctx, stop := exit.Interrupts(ctx)
	defer stop()
	var sets []*results.Set
	state, said := "", ""
	ended, err := live.Follow(ctx, dir, every, func(now live.Look) (err error) {
		if now.State != state {
			state, o.Reloads = now.State, max(every, minReload)
			sets, err = a.rewritePage(dir, path, o)
		}
		what := "page         " + path
		switch {
		case sets == nil:
			what = dir + ": no finished trial yet"
		case now.Idle:
			what += ": no run works in this folder: waiting for one, until Ctrl-C"
		}
		if err == nil && what != said {
			said = what
			fmt.Fprintln(a.Stderr, what)
		}
		return err
	})
	if err != nil {
		return err
	}
	o.Reloads = 0
	if sets, err = a.rewritePage(dir, path, o); err != nil || !ended {
		return err
	}
	fmt.Fprintln(a.Stderr, "the run has ended")
	return folder.Incomplete(sets)
}

// rewritePage writes the page of a folder and returns its sets, nil if there is no trial yet.
func (a App) rewritePage(dir, path string, o page.Options) ([]*results.Set, error) {
	sets, err := results.LoadMixed(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, results.ErrNoTrials):
		return nil, nil
	case err != nil:
		return nil, err
	}
	if err := a.CheckMixed(dir, sets, false); err != nil {
		return nil, err
	}
	return a.LeaveOut(sets, func(sets []*results.Set) error {
		if o.Log != nil && len(sets) > 1 {
			return errSeveral
		}
		return page.Write(path, sets, o)
	})
}
