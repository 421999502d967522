package cli

import (
	"fmt"
	"io"
	"time"

	"banditsim/bandit/harness"
	"banditsim/cmd/banditsim/cli/internal/terminal"
)

// showProgress tells on w how a run is doing, until stop is called: a bar on a
// terminal and below it a line a policy, otherwise a line each 30 s.
func showProgress(w io.Writer, p *harness.Progress, work harness.Work) (stop func()) {
	v := &view{progress: p, work: work, started: time.Now()}
	return terminal.Meter{Text: v.text, Done: p.Work.Load, Total: v.total, Below: v.regretLines, More: v.regretLine}.Show(w)
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
		terminal.TimeLeft(v.started, v.progress.Work.Load(), v.total())
}

// total is what this run has to do, in rounds that take time.
func (v *view) total() int64 {
	return v.progress.Pending.Load()*v.work.PerTrial - v.progress.Resumed.Load()
}
