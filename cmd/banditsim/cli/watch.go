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

// A folderLook is what there is in a folder at one time.
type folderLook struct {
	run    harness.Holder // the run that works in the folder, if atWork
	atWork bool
	idle   bool   // no run works in the folder, nor did at the look before
	state  string // a text that changes when trial files do
}

// follow calls show with what is in the folder, now and then every so often, until the run that works in it has ended or ctx
// is canceled. A folder in which no run works, or that does not exist yet, waits for one.
func follow(ctx context.Context, dir string, every time.Duration, show func(folderLook) error) (ended bool, err error) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for seen := false; ; {
		// Before the trials are read: if the run has ended by now, they are complete.
		run, atWork := harness.AtWork(dir)
		if err := show(folderLook{run, atWork, !seen && !atWork, folderState(dir)}); err != nil {
			return false, err
		}
		if seen && !atWork {
			return true, nil
		}
		seen = atWork
		select {
		case <-ctx.Done():
			return false, nil
		case <-ticker.C:
		}
	}
}

// folderState returns a text that changes when trial files do.
func folderState(dir string) string {
	paths, _, err := results.TrialFiles(dir)
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

// watched reads a folder that is watched. If there are no trials yet it returns what is missing.
func (a *app) watched(dir string, mixed bool) (sets []*results.Set, waiting string, err error) {
	sets, err = results.LoadMixed(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, dir + ": no such folder of results yet", nil
	case errors.Is(err, results.ErrNoTrials):
		return nil, dir + ": no finished trial yet", nil
	case err != nil:
		return nil, "", err
	}
	return sets, "", a.checkMixed(dir, sets, mixed)
}

// endWatch returns the exit code of a watch that ended with err, with the run or by an interrupt, which is not a failure.
func (a *app) endWatch(sets []*results.Set, ended bool, err error) error {
	if err != nil || !ended {
		return err
	}
	fmt.Fprintln(a.Stderr, "the run has ended")
	return incomplete(sets)
}

// A tableWatch shows the tables of a folder until the run that works in it has ended. A terminal is redrawn in place; elsewhere new
// tables follow when they differ from the last ones.
type tableWatch struct {
	*app
	*reportFlags

	dir     string
	now     folderLook
	state   string         // state of the folder and the terminal when the folder was read
	waiting string         // what is missing, "" if there are tables
	shown   []byte         // the tables
	sets    []*results.Set // sets of the tables
}

// watchTables shows the folder's tables until the run that works in it has ended or until an interrupt.
func (a *app) watchTables(ctx context.Context, dir string, flags *reportFlags) (err error) {
	w := &tableWatch{app: a, reportFlags: flags, dir: dir}
	show, leave := w.linesTo(), func() error { return nil }
	if f, ok := terminal.Screen(a.Stdout, a.Getenv); ok {
		if _, err := fmt.Fprint(f, escOtherScreen); err != nil {
			return err
		}
		show = func() error {
			_, err := f.Write(w.frame(f))
			return err
		}
		leave = func() error { // the last table stays on the main screen
			_, err := fmt.Fprintf(f, "%s%s", escFirstScreen, w.shown)
			return err
		}
	}
	ended, err := follow(ctx, dir, w.every, func(now folderLook) error {
		w.now = now
		if err := w.look(); err != nil {
			return err
		}
		return show()
	})
	return a.endWatch(w.sets, ended, cmp.Or(err, leave()))
}

// linesTo returns what prints tables that have changed, and to stderr what is waited for.
func (w *tableWatch) linesTo() func() error {
	var last []byte
	said := ""
	return func() error {
		now := w.waiting
		if now == "" && w.now.idle {
			now = w.dir + ": no run works in this folder: waiting for one, until Ctrl-C"
		}
		if now != said && now != "" {
			fmt.Fprintln(w.Stderr, now)
		}
		said = now
		if len(w.shown) == 0 || bytes.Equal(w.shown, last) {
			return nil
		}
		if last != nil && !w.format.ForPrograms() {
			fmt.Fprintln(w.Stdout)
		}
		last = w.shown
		_, err := w.Stdout.Write(w.shown)
		return err
	}
}

// look reads the folder if it has changed.
func (w *tableWatch) look() (err error) {
	var b bytes.Buffer
	to := w.screenTo(&b)
	screen, _ := to.(report.Screen)
	state := fmt.Sprintln(screen.Width) + w.now.state
	if state == w.state { // never ""
		return nil
	}
	w.state, w.shown = state, nil
	if w.sets, w.waiting, err = w.watched(w.dir, w.mixed); err != nil || w.sets == nil {
		return err
	}
	_, err = w.leaveOut(w.sets, func(sets []*results.Set) error {
		summaries, err := summarize(sets)
		if err != nil {
			return err
		}
		return summaryReport(sets, summaries, w.mixed).Render(to, w.format) // without the provenance, which hardly changes
	})
	w.shown = b.Bytes()
	return err
}

// Escape sequences: move to the upper left corner, clear the rest of the line or of the screen,
// and turn line wrapping off and on.
const (
	escHome      = "\x1b[H"
	escClearLine = "\x1b[K"
	escClearRest = "\x1b[J"
	escNoWrap    = "\x1b[?7l"
	escWrap      = "\x1b[?7h"
	// The alternate screen does not scroll.
	escOtherScreen = "\x1b[?1049h"
	escFirstScreen = "\x1b[?1049l"
)

// frame returns the text that fills a terminal: the tables, a plot if there is room, and a status
// line. It says how many lines do not fit.
func (w *tableWatch) frame(f *os.File) []byte {
	width, height := terminal.Size(f)
	lines := strings.Split(strings.TrimRight(w.waiting+string(w.shown), "\n"), "\n")
	room := height - 2 // for the status line and the cursor
	if over := len(lines) - room; over > 0 {
		lines = append(lines[:max(room-1, 0)], fmt.Sprintf("… %d more lines: the terminal has too few rows", over+1))
	}
	text := w.format == report.Text || w.format == report.Wide
	if left := room - len(lines) - 1; text && len(w.sets) == 1 && left >= plot.MinTermHeight+len(w.sets[0].Policies) && width >= plot.MinTermWidth {
		var b bytes.Buffer
		if err := plot.Term(&b, w.sets[0], w.termOptions(plot.DefaultOptions(), width-1, left)); err != nil { // the table shows that no trial is finished
			fmt.Fprintln(&b, "no plot:", err)
		}
		lines = append(lines, "")
		lines = append(lines, strings.Split(strings.TrimRight(b.String(), "\n"), "\n")...)
	}
	who := "no run works here"
	if w.now.atWork {
		who = fmt.Sprintf("process %d has worked here since %s", w.now.run.PID, w.now.run.Started.Local().Format(time.TimeOnly))
	}
	lines = append(lines, fmt.Sprintf("%s, every %v; %s; Ctrl-C ends", time.Now().Format(time.TimeOnly), w.every, who))
	end := escClearLine + "\r\n"
	return []byte(escNoWrap + escHome + strings.Join(lines, end) + end + escClearRest + escWrap)
}

// minReload bounds how often a page that is watched loads itself again, so that it can be read.
const minReload = 5 * time.Second

// watchPage rewrites the page of a folder when its trials have changed, until the run that works in it has ended or until an
// interrupt. The last page does not load itself again.
func (a *app) watchPage(ctx context.Context, dir string, f *reportFlags) error {
	o, err := a.pageOptions(ctx, f)
	if err != nil {
		return err
	}
	o.Watched = true
	var sets []*results.Set
	waiting := ""
	rewrite := func() (err error) {
		if sets, waiting, err = a.watched(dir, false); err == nil && sets != nil {
			sets, err = a.leaveOut(sets, func(sets []*results.Set) error { return pageOf(f.html, sets, o) })
		}
		return err
	}
	state, said := "", ""
	ended, err := follow(ctx, dir, f.every, func(now folderLook) (err error) {
		if now.state != state {
			state, o.Reloads = now.state, max(f.every, minReload)
			err = rewrite()
		}
		what := cmp.Or(waiting, "page         "+f.html)
		if waiting == "" && now.idle {
			what += ": no run works in this folder: waiting for one, until Ctrl-C"
		}
		if err == nil && what != said {
			said = what
			fmt.Fprintln(a.Stderr, what)
		}
		return err
	})
	if err == nil {
		o.Reloads = 0
		err = rewrite()
	}
	return a.endWatch(sets, ended, err)
}
