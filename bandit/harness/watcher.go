package harness

import (
	"banditsim/bandit"
	"banditsim/bandit/diagnostics"
	"banditsim/bandit/experiment"
	"banditsim/results"
)

// A watcher forwards the records of a trial to its writer and updates the progress.
type watcher struct {
	to       *results.Writer
	cell     experiment.Cell
	progress *Progress
	policy   bandit.Policy
	training int   // first round that takes time
	round    int   // last round recorded
	steps    int64 // gradient steps counted so far
	err      error // error of the recorder
}

func (w *watcher) Record(r *bandit.RoundRecord) error {
	if w.err = w.to.Record(r); w.err != nil {
		return w.err
	}
	w.round = r.Round
	if w.progress == nil {
		return nil
	}
	w.progress.rounds.Add(1)
	w.progress.Latest.Store(int64(r.Round))
	w.progress.soFar.running(w.cell, r.Round, w.to.Totals().Expected)
	if r.Round >= w.training {
		w.progress.Work.Add(1)
	}
	if c, ok := bandit.As[diagnostics.StepCounter](w.policy); ok {
		w.progress.Steps.Add(c.Steps() - w.steps)
		w.steps = c.Steps()
	}
	return nil
}

// resume counts the rounds done by earlier sessions. The policy is restored already.
func (w *watcher) resume(rounds int) {
	w.round = rounds
	if c, ok := bandit.As[diagnostics.StepCounter](w.policy); ok {
		w.steps = c.Steps()
	}
	if w.progress != nil {
		w.progress.soFar.running(w.cell, rounds, w.to.Totals().Expected)
		w.progress.Resumed.Add(int64(max(rounds-w.training+1, 0)))
	}
}
