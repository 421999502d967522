package terminal

import (
	"fmt"
	"io"
	"math"
	"strings"
	"sync/atomic"
	"time"
)

// reportEvery is the time between two reports of progress to a writer that is not a terminal.
const reportEvery = 30 * time.Second

// A Meter shows the progress of work.
type Meter struct {
	Text        func() string                    // line that describes the progress
	Done, Total func() int64                     // work that is done, and all work, in any unit
	Below       func(width, height int) []string // at most height lines to show below Text; may be nil
}

// Show shows the meter on w until stop is called: a bar on a terminal, else lines every 30 s. Call stop once only.
func (m Meter) Show(w io.Writer) (stop func()) {
	f, ok := Of(w)
	if !ok || enableEscapes(f) != nil {
		return every(reportEvery, func() { fmt.Fprintln(w, strings.Join(m.rows(math.MaxInt, math.MaxInt), "\n")) }, func() {})
	}
	const clear = "\r\x1b[J" // from the beginning of the row to the end of the screen
	return every(200*time.Millisecond, func() {
		width, height := Size(f)
		rows := m.rows(width-1, height-2)
		rows[0] = m.withBar([]rune(rows[0]), width-1)
		fmt.Fprint(f, clear, strings.Join(rows, "\n"), "\r", strings.Repeat("\x1b[A", len(rows)-1))
	}, func() { fmt.Fprint(f, clear) })
}

// rows returns Text and the lines of Below, for which there are width columns and height rows.
func (m Meter) rows(width, height int) []string {
	rows := []string{m.Text()}
	if m.Below != nil {
		rows = append(rows, m.Below(width, height)...)
	}
	return rows
}

// withBar returns text after a bar of at most 80 characters, or text alone, cut to width, if a bar does not fit.
func (m Meter) withBar(text []rune, width int) string {
	long := int64(min(80, width-len(text)-1) - len("[>]"))
	if long < 1 {
		return string(text[:min(len(text), width)])
	}
	done := min(long*m.Done()/max(m.Total(), 1), long)
	return "[" + strings.Repeat("=", int(done)) + ">" + strings.Repeat("-", int(long-done)) + "] " + string(text)
}

// TimeLeft returns text such as ", 2m10s left", or "" if done or total is 0.
func TimeLeft(started time.Time, done, total int64) string {
	if done == 0 || total == 0 {
		return ""
	}
	left := time.Duration(float64(time.Since(started)) * float64(total-done) / float64(done))
	return fmt.Sprintf(", %s left", left.Round(time.Second))
}

// every calls tick at intervals of d until stop is called. Then it calls last, and stop returns. Call stop once only.
func every(d time.Duration, tick, last func()) (stop func()) {
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		ticker := time.NewTicker(d)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				tick()
			case <-quit:
				last()
				return
			}
		}
	}()
	return func() {
		close(quit)
		<-done
	}
}

// ShowCount shows "NOUN done/total" on w, with the time left, until hide is called. count sets done and total.
func ShowCount(w io.Writer, noun string) (count func(done, total int), hide func()) {
	var done, total atomic.Int64
	started := time.Now()
	text := func() string {
		return fmt.Sprintf("%s %d/%d", noun, done.Load(), total.Load()) + TimeLeft(started, done.Load(), total.Load())
	}
	hide = Meter{Text: text, Done: done.Load, Total: total.Load}.Show(w)
	return func(d, t int) {
		total.Store(int64(t))
		done.Store(int64(d))
	}, hide
}
