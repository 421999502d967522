package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"banditsim/bandit/harness"
	"banditsim/cmd/banditsim/cli/internal/terminal"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/plot"
	"banditsim/results/report"
)

// watchFlags are the flags of report --watch.
type watchFlags struct {
	on    bool
	every time.Duration
}

func (w *watchFlags) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&w.on, "watch", false, "keep the table up to date until the run has ended, or Ctrl-C")
	cmd.Flags().DurationVar(&w.every, "every", 2*time.Second, "time between two looks, with --watch")
}

// check refuses flags that would do nothing, and looks so often that they are all it does.
func (w *watchFlags) check(cmd *cobra.Command) error {
	switch {
	case !w.on && cmd.Flags().Changed("every"):
		return errors.New("--every: it goes with --watch")
	case w.every < 100*time.Millisecond:
		return fmt.Errorf("--every %v: want at least 100ms", w.every)
	}
	return nil
}

// watch shows the folder's table again and again: until the run that it saw at work has ended,
// or until Ctrl-C, which loses nothing and so is no failure. On a terminal the table is
// redrawn in place; elsewhere a new one follows when it differs from the last. A folder in which
// nothing is yet is waited for.
func (a *app) watch(ctx context.Context, dir string, f report.Format, mixed bool, every time.Duration) error {
	ctx, stop := notifyInterrupts(ctx)
	defer stop()
	w := watcher{app: a, dir: dir, format: f, mixed: mixed, every: every}
	var err error
	if f, ok := terminal.Screen(a.stdout); ok {
		err = w.onScreen(ctx, f)
	} else {
		err = w.inLines(ctx)
	}
	if !errors.Is(err, errRunEnded) {
		return err
	}
	fmt.Fprintln(a.stderr, "the run has ended")
	if len(w.sets) == 0 {
		return nil
	}
	return incomplete(w.sets...)
}

// errRunEnded is why there is nothing more to watch.
var errRunEnded = errors.New("the run has ended")

// onScreen fills a terminal's other screen. What was seen last stays when it is left.
func (w *watcher) onScreen(ctx context.Context, f *os.File) error {
	if _, err := fmt.Fprint(f, escOtherScreen); err != nil {
		return err
	}
	err := w.repeat(ctx, func() error {
		_, err := f.Write(w.frame(f))
		return err
	})
	_, left := fmt.Fprintf(f, "%s%s", escFirstScreen, w.shown)
	return cmp.Or(err, left)
}

// inLines prints what has changed; what is waited for is no result and goes to stderr.
func (w *watcher) inLines(ctx context.Context) error {
	var last []byte
	var waiting string
	return w.repeat(ctx, func() error {
		if w.waiting != waiting {
			waiting = w.waiting
			if waiting != "" {
				fmt.Fprintln(w.stderr, waiting)
			}
		}
		if len(w.shown) == 0 || bytes.Equal(w.shown, last) {
			return nil
		}
		if last != nil && (w.format == report.Text || w.format == report.Markdown) {
			fmt.Fprintln(w.stdout)
		}
		last = w.shown
		_, err := w.stdout.Write(w.shown)
		return err
	})
}

// repeat looks and shows until the run has ended or ctx is cancelled.
func (w *watcher) repeat(ctx context.Context, show func() error) error {
	ticker := time.NewTicker(w.every)
	defer ticker.Stop()
	for seen := false; ; {
		// Before the look at its trials: when it is no longer there, they are all.
		w.run, w.atWork = harness.AtWork(w.dir)
		if err := w.look(); err != nil {
			return err
		}
		if err := show(); err != nil {
			return err
		}
		if seen && !w.atWork {
			return errRunEnded
		}
		seen = w.atWork
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

// A watcher keeps what was seen last, as long as the folder has not changed.
type watcher struct {
	*app
	dir     string
	format  report.Format
	mixed   bool
	every   time.Duration
	run     harness.Holder // who works in the folder
	atWork  bool
	state   string         // of the folder, when it was read
	waiting string         // for what, "" if there are tables
	shown   []byte         // the tables
	sets    []*results.Set // what they are of
}

// look reads the folder if it has changed since the last look.
func (w *watcher) look() error {
	state := folderState(w.dir)
	if state == w.state { // which is never ""
		return nil
	}
	w.state, w.waiting, w.shown, w.sets = state, "", nil, nil
	sets, err := results.LoadMixed(w.dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		w.waiting = w.dir + ": no such folder of results yet"
	case errors.Is(err, results.ErrNoTrials):
		w.waiting = w.dir + ": no finished trial yet"
	case err != nil:
		return err
	case len(sets) > 1 && !w.mixed:
		return mixedError(&results.MixedError{Dir: w.dir, Sets: sets})
	default:
		var b bytes.Buffer
		if err := w.render(&b, sets); err != nil {
			return err
		}
		w.shown, w.sets = b.Bytes(), sets
	}
	return nil
}

// render writes the tables, without the provenance: it hardly changes.
func (w *watcher) render(out io.Writer, sets []*results.Set) error {
	if !w.mixed {
		return report.Summary(out, w.format, compare.Summarise(sets[0]))
	}
	var all []*compare.Summary
	for _, set := range sets {
		all = append(all, compare.Summarise(set))
	}
	return report.Mixed(out, w.format, all)
}

// folderState changes whenever trial files come, go or change.
func folderState(dir string) string {
	paths, err := results.TrialFiles(dir)
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	fmt.Fprintln(&b, len(paths))
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil {
			fmt.Fprintln(&b, filepath.Base(path), info.Size(), info.ModTime().UnixNano())
		}
	}
	return b.String()
}

// who says who works in the folder.
func (w *watcher) who() string {
	if !w.atWork {
		return "no run is at work"
	}
	return fmt.Sprintf("process %d is at work since %s", w.run.PID, w.run.Started.Local().Format(time.TimeOnly))
}

// Escape sequences: to the upper left corner, the rest of the line and of the screen
// empty, and whether lines that are too long go on in the next.
const (
	escHome      = "\x1b[H"
	escClearLine = "\x1b[K"
	escClearRest = "\x1b[J"
	escNoWrap    = "\x1b[?7l"
	escWrap      = "\x1b[?7h"
	// There is a screen besides the one that scrolls.
	escOtherScreen = "\x1b[?1049h"
	escFirstScreen = "\x1b[?1049l"
)

// frame is what fills a terminal: the tables, a plot if there is room for it, and a line
// on how to leave. What does not fit is left out, and said so.
func (w *watcher) frame(f *os.File) []byte {
	width, height := terminal.Size(f)
	lines := strings.Split(strings.TrimRight(w.waiting+string(w.shown), "\n"), "\n")
	foot := fmt.Sprintf("%s, every %v; %s; Ctrl-C ends", time.Now().Format(time.TimeOnly), w.every, w.who())
	room := height - 2 // for the last line, and the one where the cursor waits
	if over := len(lines) - room; over > 0 {
		lines = append(lines[:max(room-1, 0)], fmt.Sprintf("… %d more lines: the terminal is too low", over+1))
	}
	if left := room - len(lines) - 1; len(w.sets) == 1 && w.format == report.Text && left >= plot.MinTermHeight+len(w.sets[0].Policies) && width >= plot.MinTermWidth {
		var b bytes.Buffer
		err := plot.Term(&b, w.sets[0], plot.TermOptions{
			Metric: compare.Expected, From: 1, Width: width - 1, Height: left, ASCII: !terminal.HasUnicode(), Color: terminal.HasColors(f),
		})
		if err != nil { // the table says already that no trial did all its rounds
			fmt.Fprintln(&b, "no plot:", err)
		}
		lines = append(lines, "")
		lines = append(lines, strings.Split(strings.TrimRight(b.String(), "\n"), "\n")...)
	}
	var b bytes.Buffer
	b.WriteString(escNoWrap + escHome)
	for _, line := range append(lines, foot) {
		b.WriteString(line + escClearLine + "\r\n")
	}
	b.WriteString(escClearRest + escWrap)
	return b.Bytes()
}
