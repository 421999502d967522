package live

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"banditsim/internal/report"
	"banditsim/internal/terminal"
	"banditsim/results"
	"banditsim/results/plot"
)

// A Watcher shows the tables of a folder until the run that works in it has ended. A terminal is redrawn
// in place; elsewhere new tables follow when they differ from the last ones.
type Watcher struct {
	Dir            string
	Format         report.Format
	Every          time.Duration // between two looks at the folder
	Stdout, Stderr io.Writer
	Getenv         func(name string) string
	// Tables writes the tables of the folder to w, which is a report.Screen if Stdout is a terminal.
	Tables func(w io.Writer, sets []*results.Set) error

	now     Look
	state   string         // state of the folder and the terminal when the folder was read
	waiting string         // what is missing, "" if there are tables
	shown   []byte         // the tables
	sets    []*results.Set // sets of the tables
}

// Watch shows the folder until the run has ended, and returns what is there then, or until ctx is
// canceled. It waits for a folder that has no trials yet.
func (w *Watcher) Watch(ctx context.Context) (sets []*results.Set, ended bool, err error) {
	if f, ok := terminal.Screen(w.Stdout, w.Getenv); ok {
		ended, err = w.onScreen(ctx, f)
	} else {
		ended, err = w.inLines(ctx)
	}
	return w.sets, ended, err
}

// onScreen draws on the alternate screen of a terminal and leaves the last table on the main one.
func (w *Watcher) onScreen(ctx context.Context, f *os.File) (ended bool, err error) {
	if _, err := fmt.Fprint(f, escOtherScreen); err != nil {
		return false, err
	}
	ended, err = w.repeat(ctx, func() error {
		_, err := f.Write(w.frame(f))
		return err
	})
	_, left := fmt.Fprintf(f, "%s%s", escFirstScreen, w.shown)
	return ended, cmp.Or(err, left)
}

// inLines prints tables that have changed, and to stderr what it waits for.
func (w *Watcher) inLines(ctx context.Context) (ended bool, err error) {
	var last []byte
	var waiting string
	return w.repeat(ctx, func() error {
		now := w.waiting
		if now == "" && w.now.Idle {
			now = w.Dir + ": no run works in this folder: waiting for one, until Ctrl-C"
		}
		if now != waiting {
			waiting = now
			if waiting != "" {
				fmt.Fprintln(w.Stderr, waiting)
			}
		}
		if len(w.shown) == 0 || bytes.Equal(w.shown, last) {
			return nil
		}
		if last != nil && w.Format != report.CSV && w.Format != report.JSON {
			fmt.Fprintln(w.Stdout)
		}
		last = w.shown
		_, err := w.Stdout.Write(w.shown)
		return err
	})
}

// repeat reads and shows the folder until the run has ended or ctx is canceled.
func (w *Watcher) repeat(ctx context.Context, show func() error) (ended bool, err error) {
	return Follow(ctx, w.Dir, w.Every, func(now Look) error {
		w.now = now
		if err := w.look(); err != nil {
			return err
		}
		return show()
	})
}

// look reads the folder if it has changed.
func (w *Watcher) look() error {
	width := 0
	if f, ok := terminal.Of(w.Stdout); ok {
		width, _ = terminal.Size(f)
	}
	state := fmt.Sprintln(width) + w.now.State
	if state == w.state { // never ""
		return nil
	}
	w.state, w.waiting, w.shown, w.sets = state, "", nil, nil
	sets, err := results.LoadMixed(w.Dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		w.waiting = w.Dir + ": no such folder of results yet"
	case errors.Is(err, results.ErrNoTrials):
		w.waiting = w.Dir + ": no finished trial yet"
	case err != nil:
		return err
	default:
		var b bytes.Buffer
		var to io.Writer = &b
		if width > 0 {
			to = report.Screen{Writer: &b, Width: width, Unicode: terminal.HasUnicode(w.Getenv), Color: terminal.HasColors(w.Stdout, w.Getenv)}
		}
		err := w.Tables(to, sets)
		w.shown, w.sets = b.Bytes(), sets
		return err
	}
	return nil
}

// who describes the run that works in the folder.
func (w *Watcher) who() string {
	if !w.now.AtWork {
		return "no run works here"
	}
	return fmt.Sprintf("process %d has worked here since %s", w.now.Run.PID, w.now.Run.Started.Local().Format(time.TimeOnly))
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
func (w *Watcher) frame(f *os.File) []byte {
	width, height := terminal.Size(f)
	lines := strings.Split(strings.TrimRight(w.waiting+string(w.shown), "\n"), "\n")
	foot := fmt.Sprintf("%s, every %v; %s; Ctrl-C ends", time.Now().Format(time.TimeOnly), w.Every, w.who())
	room := height - 2 // for the status line and the cursor
	if over := len(lines) - room; over > 0 {
		lines = append(lines[:max(room-1, 0)], fmt.Sprintf("… %d more lines: the terminal has too few rows", over+1))
	}
	if left := room - len(lines) - 1; len(w.sets) == 1 && (w.Format == report.Text || w.Format == report.Wide) && left >= plot.MinTermHeight+len(w.sets[0].Policies) && width >= plot.MinTermWidth {
		var b bytes.Buffer
		err := plot.Term(&b, w.sets[0], plot.TermOptions{
			Figure: plot.DefaultOptions(), Width: width - 1, Height: left, ASCII: !terminal.HasUnicode(w.Getenv), Color: terminal.HasColors(f, w.Getenv),
		})
		if err != nil { // the table shows that no trial is finished
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
