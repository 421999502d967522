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
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"banditsim/bandit/harness"
	"banditsim/internal/report"
	"banditsim/internal/terminal"
	"banditsim/internal/usage"
	"banditsim/results"
	"banditsim/results/plot"
)

// watchFlags are the flags of report --watch.
type watchFlags struct {
	on    bool
	every time.Duration
}

func (w *watchFlags) add(cmd *cobra.Command) {
	w.every = 2 * time.Second
	cmd.Flags().BoolVar(&w.on, "watch", false, "update the table or the page of --html until the run has ended, or Ctrl-C")
	usage.Parsed(cmd.Flags(), &w.every, "every", w.every.String(), "time between two updates, with --watch", func(text string) (time.Duration, error) {
		d, err := time.ParseDuration(text)
		if err == nil && d < 100*time.Millisecond {
			err = fmt.Errorf("%v, want at least 100ms", d)
		}
		return d, err
	})
	usage.Needs(cmd, "every", "watch")
}

// A watch shows a folder until the run in it has ended, or until an interrupt, which is not a failure. If no run
// works in the folder, or there is no such folder yet, it waits for a run.
type watch struct {
	*app
	*reportFlags

	dir     string
	run     harness.Holder // the run that works in the folder; valid only if atWork is true
	atWork  bool
	idle    bool           // no run works in the folder, and none has since the watch began
	state   string         // width of the terminal and folderState when the method look last read the folder
	sets    []*results.Set // trials of the folder
	shown   []byte         // tables of the trials in sets, in the format of -o
	printed []byte         // tables that the method lines printed last
	waiting string         // why there is nothing to show; "" if there are trials
	said    string         // last message of the method say
}

// follow calls show immediately and then after each interval. Before each show it calls look, which calls read if the
// trials have changed. It returns true when the run has ended, and false when ctx is done.
func (w *watch) follow(ctx context.Context, read func(sets []*results.Set) error, show func() error) (ended bool, err error) {
	ticker := time.NewTicker(w.every)
	defer ticker.Stop()
	for seen := false; ; {
		// AtWork comes before look: if it says that the run has ended, look reads all of the run's trials.
		w.run, w.atWork = harness.AtWork(w.dir)
		w.idle = !seen && !w.atWork
		if err := w.look(read); err != nil {
			return false, err
		}
		if err := show(); err != nil {
			return false, err
		}
		if seen && !w.atWork {
			return true, nil
		}
		seen = w.atWork
		select {
		case <-ctx.Done():
			return false, nil
		case <-ticker.C:
		}
	}
}

// end returns the error of a watch, given the results of follow. If err is nil, it returns nil after an interrupt.
// After the end of the run it returns an error with exit code 3 if trials are damaged or failed.
func (w *watch) end(ended bool, err error) error {
	if err != nil || !ended {
		return err
	}
	fmt.Fprintln(w.Stderr, "the run has ended")
	return incomplete(w.sets)
}

// look reads the folder if its trial files or the terminal's width changed. It calls read with the trials, if any.
func (w *watch) look(read func(sets []*results.Set) error) error {
	screen, _ := w.screen(w.Stdout).(report.Screen)
	state := fmt.Sprintln(screen.Width) + folderState(w.dir)
	if state == w.state {
		return nil
	}
	w.state, w.waiting, w.sets, w.shown = state, "", nil, nil
	sets, err := results.LoadMixed(w.dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		w.waiting, err = w.dir+": no such folder of results yet", nil
	case errors.Is(err, results.ErrNoTrials):
		w.waiting, err = w.dir+": no finished trial yet", nil
	case err == nil:
		if err = w.checkMixed(w.dir, sets, w.mixed); err == nil {
			w.sets, err = w.leaveOut(sets, read)
		}
	}
	return err
}

// folderState returns a string that changes when trial files of a folder are added, removed or changed.
func folderState(dir string) string {
	paths, _, err := results.TrialFiles(dir)
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil {
			fmt.Fprintln(&b, filepath.Base(path), info.Size(), info.ModTime().UnixNano())
		}
	}
	return b.String()
}

// say prints to stderr what the watch waits for. It does not print the same message twice in a row.
func (w *watch) say() {
	word := w.waiting
	if word == "" && w.idle {
		word = w.dir + ": no run works in this folder: waiting for one, until Ctrl-C"
	}
	if word != w.said && word != "" {
		fmt.Fprintln(w.Stderr, word)
	}
	w.said = word
}

// watchTables shows a folder's tables. On a terminal it redraws them in place, elsewhere it prints them at each change.
func (a *app) watchTables(ctx context.Context, dir string, flags *reportFlags) error {
	w := &watch{app: a, reportFlags: flags, dir: dir}
	f, redrawn := terminal.Screen(a.Stdout, a.Getenv)
	if !redrawn {
		return w.end(w.follow(ctx, w.tables, w.lines))
	}
	if _, err := fmt.Fprint(f, escOtherScreen); err != nil {
		return err
	}
	ended, err := w.follow(ctx, w.tables, func() error {
		_, err := f.Write(w.frame(f))
		return err
	})
	_, left := fmt.Fprintf(f, "%s%s", escFirstScreen, w.shown) // the last table stays on the main screen
	return w.end(ended, cmp.Or(err, left))
}

// tables sets w.shown to the tables of sets, without the provenance, which hardly changes.
func (w *watch) tables(sets []*results.Set) error {
	summaries, err := summarize(sets)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	err = summaryReport(sets, summaries, w.mixed).Render(w.screenTo(&b), w.format)
	w.shown = b.Bytes()
	return err
}

// lines prints what the watch waits for, and the tables, if there are any, when they have changed.
func (w *watch) lines() error {
	w.say()
	if len(w.shown) == 0 || bytes.Equal(w.shown, w.printed) {
		return nil
	}
	if w.printed != nil && !w.format.ForPrograms() {
		fmt.Fprintln(w.Stdout)
	}
	w.printed = w.shown
	_, err := w.Stdout.Write(w.shown)
	return err
}

// Escape sequences: move to the upper left corner, clear the rest of the line or screen, turn line wrapping off and on.
const (
	escHome      = "\x1b[H"
	escClearLine = "\x1b[K"
	escClearRest = "\x1b[J"
	escNoWrap    = "\x1b[?7l"
	escWrap      = "\x1b[?7h"
	// These switch to the alternate screen, which does not scroll, and back.
	escOtherScreen = "\x1b[?1049h"
	escFirstScreen = "\x1b[?1049l"
)

// frame returns the text that fills a terminal: the tables, a plot if there is room, and a status line. If lines of the
// tables do not fit, the text says how many.
func (w *watch) frame(f *os.File) []byte {
	width, height := terminal.Size(f)
	lines := strings.Split(strings.TrimRight(w.waiting+string(w.shown), "\n"), "\n")
	room := height - 2 // without the status line and the line of the cursor
	if over := len(lines) - room; over > 0 {
		lines = append(lines[:max(room-1, 0)], fmt.Sprintf("… %d more lines: the terminal has too few rows", over+1))
	}
	text := w.format == report.Text || w.format == report.Wide
	if left := room - len(lines) - 1; text && len(w.sets) == 1 && left >= plot.MinTermHeight+len(w.sets[0].Policies) && width >= plot.MinTermWidth {
		var b bytes.Buffer
		if err := plot.Term(&b, w.sets[0], w.termOptions(plot.DefaultOptions(), width-1, left)); err != nil { // for example, no trial is finished
			fmt.Fprintln(&b, "no plot:", err)
		}
		lines = append(append(lines, ""), strings.Split(strings.TrimRight(b.String(), "\n"), "\n")...)
	}
	who := "no run works here"
	if w.atWork {
		who = fmt.Sprintf("process %d has worked here since %s", w.run.PID, w.run.Started.Local().Format(time.TimeOnly))
	}
	lines = append(lines, fmt.Sprintf("%s, every %v; %s; Ctrl-C ends", time.Now().Format(time.TimeOnly), w.every, who))
	end := escClearLine + "\r\n"
	return []byte(escNoWrap + escHome + strings.Join(lines, end) + end + escClearRest + escWrap)
}

// minReload is the shortest interval at which a page reloads itself, so that it can be read.
const minReload = 5 * time.Second

// watchPage rewrites the page of a folder whenever its trials have changed. At the end, also after an interrupt, it
// writes a page that does not reload itself.
func (a *app) watchPage(ctx context.Context, dir string, f *reportFlags) error {
	o, err := a.pageOptions(ctx, f)
	if err != nil {
		return err
	}
	o.Watched, o.Reloads = true, max(f.every, minReload)
	w := &watch{app: a, reportFlags: f, dir: dir}
	written := sync.OnceFunc(func() { fmt.Fprintln(a.Stderr, "page         "+f.html) })
	write := func(sets []*results.Set) error {
		err := pageOf(f.html, sets, o)
		if err == nil {
			written()
		}
		return err
	}
	ended, err := w.follow(ctx, write, w.lines)
	if err == nil {
		w.state, o.Reloads = "", 0
		err = w.look(write)
	}
	return w.end(ended, err)
}
