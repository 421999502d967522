// Package live shows a run while it works: its progress, and the tables of its folder.
package live

import (
	"fmt"
	"io"
	"time"

	"banditsim/bandit/harness"
	"banditsim/internal/terminal"
)

// Progress shows the progress of a run on w until stop is called: on a terminal a bar and below
// it a line per policy, otherwise a line every 30 s.
func Progress(w io.Writer, p *harness.Progress) (stop func()) {
	v := &view{p, time.Now()}
	return terminal.Meter{Text: v.text, Done: p.Work.Load, Total: p.Total, Below: v.regretLines, More: v.regretLine}.Show(w)
}

// A view shows a progress as text.
type view struct {
	progress *harness.Progress
	started  time.Time
}

// text returns such as: trials 3/18, round 1204/2000, 9812 steps/s, 2m10s left.
func (v *view) text() string {
	elapsed := time.Since(v.started)
	return fmt.Sprintf("trials %d/%d, round %d/%d, %.0f steps/s", v.progress.Trials.Load(), v.progress.Pending.Load(),
		v.progress.Latest.Load(), v.progress.Length.Load(), float64(v.progress.Steps.Load())/elapsed.Seconds()) +
		terminal.TimeLeft(v.started, v.progress.Work.Load(), v.progress.Total())
}
