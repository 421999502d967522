package cli

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"banditsim/bandit/harness"
)

// reportEvery is the time between two lines of progress where stderr is not a
// terminal.
const reportEvery = 30 * time.Second

// showProgress tells on w how a run is doing, until stop is called: a bar on a
// terminal, otherwise a line each 30 s.
func showProgress(w io.Writer, p *harness.Progress, work harness.Work) (stop func()) {
	v := &view{progress: p, work: work, started: time.Now()}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return v.bar(f)
	}
	return v.lines(w)
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
	done := v.progress.Work.Load()
	total := v.progress.Pending.Load() * v.work.PerTrial
	s := fmt.Sprintf("trials %d/%d, round %d/%d, %.0f steps/s", v.progress.Trials.Load(), v.progress.Pending.Load(),
		v.progress.Latest.Load(), v.work.Rounds, float64(v.progress.Steps.Load())/elapsed.Seconds())
	if done == 0 || total == 0 {
		return s
	}
	left := time.Duration(float64(elapsed) * float64(total-done) / float64(done))
	return s + fmt.Sprintf(", %s left", left.Round(time.Second))
}

func (v *view) bar(w io.Writer) (stop func()) {
	container := mpb.New(mpb.WithOutput(w), mpb.WithWidth(80), mpb.WithRefreshRate(200*time.Millisecond))
	bar := container.New(0, mpb.BarStyle(), mpb.BarRemoveOnComplete(),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return v.text() })))
	return v.every(200*time.Millisecond, func() {
		bar.SetTotal(v.progress.Pending.Load()*v.work.PerTrial, false)
		bar.SetCurrent(v.progress.Work.Load())
	}, func() {
		bar.SetTotal(-1, true)
		container.Wait()
	})
}

func (v *view) lines(w io.Writer) (stop func()) {
	return v.every(reportEvery, func() { fmt.Fprintln(w, v.text()) }, func() {})
}

// every calls tick at intervals until stop is called, which calls last.
func (v *view) every(d time.Duration, tick, last func()) (stop func()) {
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
