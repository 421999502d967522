package harness

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"banditsim/bandit/experiment"
	"banditsim/internal/pool"
	"banditsim/results"
)

// States of trials that have not finished.
const (
	StateFailed      = "failed" // the trial file records a failure
	stateMissing     = "missing"
	stateInterrupted = "interrupted" // there is a checkpoint
	stateDamaged     = "damaged"
)

// States returns the states that Missing can return, except "".
func States() []string { return []string{stateMissing, stateInterrupted, stateDamaged, StateFailed} }

// Missing verifies the trials in a folder and returns the state of each cell of the plan; "" means finished. In a
// folder that does not exist, all are missing. If the folder holds another experiment, the error is a *FolderError.
func Missing(plan *experiment.Plan, dir string) ([]string, error) {
	if err := checkFolder(dir, plan, "give the experiment of this folder, or the folder of this experiment"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	states := make([]string, len(plan.Cells))
	p := pool.Pool{Workers: runtime.GOMAXPROCS(0)}
	err := p.Run(context.Background(), len(states), func(i int) error {
		c := plan.Cells[i]
		rec, err := check(dir, c)
		switch {
		case err == nil && rec.Totals.Failure != nil:
			states[i] = StateFailed
		case err == nil:
		case errors.As(err, new(results.Damaged)):
			states[i] = stateDamaged
		case errors.Is(err, fs.ErrNotExist):
			states[i] = stateMissing
			path := results.CheckpointPath(filepath.Join(dir, results.TrialsDir, c.FileName()))
			if _, err := os.Stat(path); err == nil {
				states[i] = stateInterrupted
			}
		default:
			return err
		}
		return nil
	})
	return states, err
}
