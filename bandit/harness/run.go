// Package harness runs the plans of package experiment: its cells over several workers, each
// into a trial file of its own, with checkpoints from which an interrupted run resumes.
package harness

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/internal/pool"
	"banditsim/results"
)

// A Runner works off a plan.
type Runner struct {
	Dir     string // output folder; made if it does not exist
	Workers int    // trials that run at once, at least 1
	// Sidecar is completed and written beside each trial file.
	Sidecar results.Sidecar
	// Now is the clock of the sidecars; time.Now, but in tests.
	Now func() time.Time
	// Checkpoint is the number of rounds between two checkpoints of a trial, from which the
	// next run goes on; 0: none is written. Results do not depend on it.
	Checkpoint int
	// Grace is how long a round that is under way when Run is stopped may take to end,
	// so that a checkpoint can be written.
	Grace time.Duration
	// Progress, if not nil, is kept up to date while trials run.
	Progress *Progress
	// Warn, if not nil, is told what a person should know though the run goes on,
	// such as of damaged files. It is called by one goroutine at a time.
	Warn func(message string)
}

// Progress counts what is done. It may be read while a run is under way.
type Progress struct {
	Trials  atomic.Int64 // trials that are finished, failed ones too, but not skipped ones
	rounds  atomic.Int64 // of all trials
	Steps   atomic.Int64 // gradient steps of all chains
	Pending atomic.Int64 // trials to be done in this run
	Latest  atomic.Int64 // the round that was finished last
	Work    atomic.Int64 // rounds that take time: all but those of burn-in
	Resumed atomic.Int64 // as Work, but done by earlier runs and taken over from their checkpoints
	soFar   soFar        // see Policies
}

// Work is how much a trial has to do, in rounds.
type Work struct {
	Rounds   int64
	PerTrial int64 // rounds that take time, as Progress.Work counts them
}

// WorkOf returns what each trial of the plan has to do.
func WorkOf(plan *experiment.Plan) Work {
	rounds := plan.Protocol.Rounds
	return Work{Rounds: int64(rounds), PerTrial: int64(max(rounds-firstTraining(plan.Protocol)+1, 0))}
}

// firstTraining is the first round that takes time: before it, policies do
// little more than remember.
func firstTraining(p bandit.Protocol) int { return max(p.AfterBurnIn()-1, 1) }

// A Summary is what a run came to.
type Summary struct {
	Run     int      // trials that were run, to their end or to a failure
	Resumed int      // of them, those that went on from a checkpoint
	Skipped int      // trials whose files were there and valid
	Saved   int      // trials that were stopped, and have a checkpoint
	Failed  []Failed // trials that are recorded as failed, skipped ones too
}

// Finished is the number of trials that are on disk.
func (s Summary) Finished() int { return s.Run + s.Skipped }

// A Failed names a trial that could not go on.
type Failed struct {
	Policy string // its label
	Seed   uint64
	results.Failure
}

// Run does the trials of the plan that are not on disk yet. Its first error
// that is no failure of a trial (the disk is full, ctx is cancelled) stops it;
// trials that were finished by then are kept, and of the others their last
// checkpoints, from which the next Run goes on. It locks the folder: the error of one
// that another process has locked is a LockedError.
func (r *Runner) Run(ctx context.Context, plan *experiment.Plan) (Summary, error) {
	var s Summary
	switch {
	case r.Workers < 1:
		return s, fmt.Errorf("harness: run: %d workers, want at least 1", r.Workers)
	case r.Now == nil:
		return s, errors.New("harness: run: the runner has no clock (Now)")
	case r.Checkpoint < 0:
		return s, fmt.Errorf("harness: run: a checkpoint every %d rounds, want at least 0", r.Checkpoint)
	case len(plan.Cells) == 0:
		return s, errors.New("harness: run: the plan has no trials")
	}
	j := &job{Runner: r, dir: filepath.Join(r.Dir, results.TrialsDir), pool: pool.Pool{Workers: r.Workers}, summary: &s}
	if err := os.MkdirAll(j.dir, 0o777); err != nil {
		return s, fmt.Errorf("harness: output folder: %w", err)
	}
	unlock, err := lockFolder(r.Dir, r.holder())
	if err != nil {
		return s, err
	}
	defer unlock()
	if err := checkFolder(r.Dir, plan); err != nil {
		return s, err
	}
	if err := results.Tidy(j.dir); err != nil {
		return s, err
	}
	if r.Progress != nil {
		r.Progress.soFar.begin(plan)
	}
	pending, err := j.pending(plan)
	if err != nil {
		return s, err
	}
	if r.Progress != nil {
		r.Progress.Pending.Store(int64(len(pending)))
	}
	err = j.work(ctx, pending)
	slices.SortFunc(s.Failed, func(a, b Failed) int {
		return cmp.Or(cmp.Compare(a.Seed, b.Seed), cmp.Compare(a.Policy, b.Policy))
	})
	return s, err
}

// holder is what this run says of itself in its lock.
func (r *Runner) holder() Holder {
	host, err := os.Hostname()
	if err != nil {
		host = "this machine"
	}
	return Holder{PID: os.Getpid(), Host: host, Started: r.Now(), Command: r.Sidecar.Command}
}

// A job is one call of Run.
type job struct {
	*Runner
	dir  string // of the trials
	pool pool.Pool

	mu      sync.Mutex // guards what follows, and Warn
	summary *Summary
	warned  []string
}

func (j *job) warn(message string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.Warn != nil {
		j.Warn(message)
	}
}

// warnOnce warns, but only the first time about a topic.
func (j *job) warnOnce(topic, message string) {
	j.mu.Lock()
	told := slices.Contains(j.warned, topic)
	j.warned = append(j.warned, topic)
	j.mu.Unlock()
	if !told {
		j.warn(message)
	}
}

// setAside renames a damaged file and tells so.
func (j *job) setAside(d results.Damaged, consequence string) error {
	to, err := results.SetAside(d.Path)
	if err == nil {
		j.warn(fmt.Sprintf("%v: it is set aside as %s, and %s", d, filepath.Base(to), consequence))
	}
	return err
}

// pending returns the trials without a valid file.
func (j *job) pending(plan *experiment.Plan) ([]experiment.Cell, error) {
	var list []experiment.Cell
	for _, c := range plan.Cells {
		old, err := results.Check(filepath.Join(j.dir, c.FileName()), c.Identity)
		var damaged results.Damaged
		switch {
		case err == nil:
			j.summary.Skipped++
			j.note(c, old.Totals.Failure)
			j.finished(c, old.Totals)
		case errors.Is(err, os.ErrNotExist):
			list = append(list, c)
		case errors.As(err, &damaged):
			if err := j.setAside(damaged, "the trial is done again"); err != nil {
				return nil, err
			}
			list = append(list, c)
		default:
			return nil, err
		}
	}
	return list, nil
}

// note adds the failure of a trial, if it is one, to the summary.
func (j *job) note(c experiment.Cell, failure *results.Failure) {
	if failure != nil {
		j.summary.Failed = append(j.summary.Failed, Failed{c.Label, c.Seed, *failure})
	}
}

// finished shows in the progress what a trial came to, in this run or in an earlier one.
func (j *job) finished(c experiment.Cell, totals results.Totals) {
	if j.Progress != nil {
		j.Progress.soFar.finished(c, totals)
	}
}

// work runs the trials of cells. The first error stops those under way too.
func (j *job) work(ctx context.Context, cells []experiment.Cell) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	err := j.pool.Run(ctx, len(cells), func(i int) error {
		o, err := j.runTrial(ctx, cells[i])
		j.count(cells[i], o, err)
		if err != nil {
			cancel(err)
		}
		return err
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// count adds a session to the summary and to the progress.
func (j *job) count(c experiment.Cell, o outcome, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if err != nil {
		if o.saved {
			j.summary.Saved++
		}
		return
	}
	j.summary.Run++
	if o.resumed {
		j.summary.Resumed++
	}
	j.note(c, o.failure)
	if j.Progress != nil {
		j.Progress.Trials.Add(1)
	}
}
