package cli

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"banditsim/bandit/harness"
)

// reportEvery is the time between two lines of progress where stderr is not a
// terminal.
const reportEvery = 30 * time.Second

// showProgress tells on w how a run is doing, until stop is called: a bar on a
// terminal and below it a line a policy, otherwise a line each 30 s.
func showProgress(w io.Writer, p *harness.Progress, work harness.Work) (stop func()) {
	v := &view{progress: p, work: work, started: time.Now()}
	return meter{text: v.text, done: p.Work.Load, total: v.total, below: v.regretLines, more: v.regretLine}.show(w)
}

// A meter shows how far something has got.
type meter struct {
	text        func() string
	done, total func() int64
	below       func(width, height int) []string // what stands below the bar, at most so large; nil for nothing
	more        func() string                    // what a line says besides text; nil for nothing
}

func (m meter) show(w io.Writer) (stop func()) {
	if f, ok := terminal(w); ok {
		return m.bar(f)
	}
	return m.lines(w)
}

// timeLeft is such as ", 2m10s left", or nothing if it cannot be told.
func timeLeft(started time.Time, done, total int64) string {
	if done == 0 || total == 0 {
		return ""
	}
	left := time.Duration(float64(time.Since(started)) * float64(total-done) / float64(done))
	return fmt.Sprintf(", %s left", left.Round(time.Second))
}

// A view turns counts into words.
type view struct {
	progress *harness.Progress
	work     harness.Work
	started  time.Time
}

// text is such as: trials 3/18, round 1204/2000, 9812 steps/s, 2m10s left.
func (v *view) text() string {
	elapsed := time.Since(v.started)
	return fmt.Sprintf("trials %d/%d, round %d/%d, %.0f steps/s", v.progress.Trials.Load(), v.progress.Pending.Load(),
		v.progress.Latest.Load(), v.work.Rounds, float64(v.progress.Steps.Load())/elapsed.Seconds()) +
		timeLeft(v.started, v.progress.Work.Load(), v.total())
}

// total is what this run has to do, in rounds that take time.
func (v *view) total() int64 {
	return v.progress.Pending.Load()*v.work.PerTrial - v.progress.Resumed.Load()
}

func (m meter) bar(f *os.File) (stop func()) {
	container := mpb.New(mpb.WithOutput(f), mpb.WithWidth(80), mpb.WithRefreshRate(200*time.Millisecond))
	below := mpb.BarFillerFunc(func(w io.Writer, _ decor.Statistics) error {
		if m.below == nil {
			return nil
		}
		width, height := terminalSize(f)
		for _, line := range m.below(width-1, height-2) {
			if _, err := fmt.Fprintln(w, line); err != nil {
				return err
			}
		}
		return nil
	})
	bar := container.New(0, mpb.BarStyle(), mpb.BarRemoveOnComplete(), mpb.BarExtender(below, false),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return m.text() })))
	return every(200*time.Millisecond, func() {
		bar.SetTotal(m.total(), false)
		bar.SetCurrent(m.done())
	}, func() {
		bar.SetTotal(-1, true)
		container.Wait()
	})
}

func (m meter) lines(w io.Writer) (stop func()) {
	return every(reportEvery, func() {
		line := m.text()
		if m.more != nil {
			line += m.more()
		}
		fmt.Fprintln(w, line)
	}, func() {})
}

// every calls tick at intervals until stop is called, which calls last.
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
