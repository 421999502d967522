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
	"banditsim/bandit/stream"
	"banditsim/posterior"
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
	// Progress, if not nil, is kept up to date while trials run.
	Progress *Progress
	// Notify, if not nil, is told of trials that are done again because their
	// file is damaged.
	Notify func(path string, why error)
}

// Progress counts what is done. It may be read while a run is under way.
type Progress struct {
	Trials  atomic.Int64 // trials that are finished, failed ones too, but not skipped ones
	Rounds  atomic.Int64 // rounds of all trials
	Steps   atomic.Int64 // gradient steps of all chains
	Pending atomic.Int64 // trials to be done in this run
	Latest  atomic.Int64 // the round that was finished last
	Work    atomic.Int64 // rounds that take time: all but those of burn-in
}

// Work is how much a trial has to do, in rounds.
type Work struct {
	Rounds   int64
	PerTrial int64 // rounds that take time, as Progress.Work counts them
}

// Work returns what each trial of the plan has to do.
func (p *Plan) Work() Work {
	rounds := p.Protocol.Rounds
	return Work{Rounds: int64(rounds), PerTrial: int64(max(rounds-firstTraining(p.Protocol)+1, 0))}
}

// firstTraining is the first round that takes time: before it, policies do
// little more than remember.
func firstTraining(p bandit.Protocol) int { return max(p.AfterBurnIn()-1, 1) }

// A Summary is what a run came to.
type Summary struct {
	Run     int      // trials that were run, to their end or to a failure
	Skipped int      // trials whose files were there and valid
	Failed  []Failed // trials that are recorded as failed, skipped ones too
}

// Finished is the number of trials that are on disk.
func (s Summary) Finished() int { return s.Run + s.Skipped }

// A Failed names a trial that could not go on.
type Failed struct {
	Policy string
	Seed   uint64
	results.Failure
}

// Run does the trials of the plan that are not on disk yet. Its first error
// that is no failure of a trial (the disk is full, ctx is cancelled) stops it;
// trials that were finished by then are kept.
func (r *Runner) Run(ctx context.Context, plan *Plan) (Summary, error) {
	var s Summary
	switch {
	case r.Workers < 1:
		return s, fmt.Errorf("harness: run: %d workers, want at least 1", r.Workers)
	case r.Now == nil:
		return s, errors.New("harness: run: the runner has no clock (Now)")
	case len(plan.Trials) == 0:
		return s, errors.New("harness: run: the plan has no trials")
	}
	dir := filepath.Join(r.Dir, results.TrialsDir)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return s, fmt.Errorf("harness: output folder: %w", err)
	}
	if err := checkFolder(r.Dir, plan); err != nil {
		return s, err
	}
	pending, err := r.pending(dir, plan, &s)
	if err != nil {
		return s, err
	}
	if r.Progress != nil {
		r.Progress.Pending.Store(int64(len(pending)))
	}
	err = r.work(ctx, dir, pending, &s)
	slices.SortFunc(s.Failed, func(a, b Failed) int {
		return cmp.Or(cmp.Compare(a.Seed, b.Seed), cmp.Compare(a.Policy, b.Policy))
	})
	return s, err
}

// pending returns the trials without a valid file.
func (r *Runner) pending(dir string, plan *Plan, s *Summary) ([]Trial, error) {
	var list []Trial
	for _, t := range plan.Trials {
		path := filepath.Join(dir, t.FileName())
		switch err := results.Check(path, t.Identity); {
		case err == nil:
			s.Skipped++
			old, err := results.ReadTrial(path)
			if err != nil {
				return nil, err
			}
			if f := old.Totals.Failure; f != nil {
				s.Failed = append(s.Failed, Failed{t.Policy.Name, t.Seed, *f})
			}
		case errors.Is(err, os.ErrNotExist):
			list = append(list, t)
		case errors.Is(err, os.ErrPermission):
			return nil, err
		default:
			if r.Notify != nil {
				r.Notify(path, err)
			}
			list = append(list, t)
		}
	}
	return list, nil
}

// work runs trials on r.Workers goroutines. Workers without a trial of their
// own help with the chains of the others'.
func (r *Runner) work(ctx context.Context, dir string, trials []Trial, s *Summary) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var (
		helpers sync.WaitGroup
		runs    sync.WaitGroup
		mu      sync.Mutex // guards s
		next    atomic.Int64
		crew    = newCrew()
	)
	runTrials := func() {
		for ctx.Err() == nil {
			i := int(next.Add(1)) - 1
			if i >= len(trials) {
				return
			}
			failure, err := r.trial(ctx, dir, trials[i], crew)
			if err != nil {
				cancel(err)
				return
			}
			if r.Progress != nil {
				r.Progress.Trials.Add(1)
			}
			mu.Lock()
			s.Run++
			if failure != nil {
				s.Failed = append(s.Failed, Failed{trials[i].Policy.Name, trials[i].Seed, *failure})
			}
			mu.Unlock()
		}
	}
	for i := range r.Workers {
		runs.Add(1)
		helpers.Go(func() {
			if i < len(trials) {
				runTrials()
			}
			runs.Done()
			crew.help()
		})
	}
	runs.Wait()
	crew.dismiss()
	helpers.Wait()
	return context.Cause(ctx)
}

// trial runs one trial into its file. A failure of the trial is recorded; an
// error is anything else.
func (r *Runner) trial(ctx context.Context, dir string, t Trial, crew *crew) (*results.Failure, error) {
	started := r.Now()
	writer, err := results.Create(dir, t.Identity)
	if err != nil {
		return nil, err
	}
	defer writer.Abort()
	watch := &watcher{to: writer, progress: r.Progress, training: firstTraining(t.Protocol)}
	failure, err := t.run(ctx, watch, crew.parallel)
	if err != nil {
		return nil, err
	}
	if _, err := writer.Finish(failure); err != nil {
		return nil, err
	}
	sidecar := r.Sidecar
	sidecar.Started = started
	sidecar.Seconds = r.Now().Sub(started).Seconds()
	return failure, results.WriteSidecar(filepath.Join(dir, t.FileName()), sidecar)
}

// run plays the trial. What stops the policy or the environment is a failure
// of the trial; a cancelled context or a record that cannot be written is an
// error.
func (t Trial) run(ctx context.Context, watch *watcher, parallel posterior.Parallel) (*results.Failure, error) {
	env, policy, err := t.start(parallel)
	if err != nil {
		return nil, err
	}
	watch.policy = policy
	burnIn := stream.Root(t.Seed).Child("burn-in")
	trial, err := bandit.NewTrial(env, policy, t.Protocol, burnIn, watch)
	if err != nil {
		return nil, err
	}
	err = trial.Run(ctx)
	switch {
	case err == nil:
		return nil, nil
	case watch.err != nil:
		return nil, watch.err
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	if cause := errors.Unwrap(err); cause != nil { // without the round, which is told apart
		err = cause
	}
	return &results.Failure{Round: watch.round + 1, Cause: err.Error()}, nil
}

// A watcher passes a trial's records on and counts.
type watcher struct {
	to       bandit.Recorder
	progress *Progress
	policy   bandit.Policy
	training int   // the first round that takes time
	round    int   // the last one recorded
	steps    int64 // gradient steps counted so far
	err      error // of the recorder
}

// A stepCounter is a policy that counts its gradient steps.
type stepCounter interface{ Steps() int64 }

func (w *watcher) Record(r *bandit.RoundRecord) error {
	if w.err = w.to.Record(r); w.err != nil {
		return w.err
	}
	w.round = r.Round
	if w.progress == nil {
		return nil
	}
	w.progress.Rounds.Add(1)
	w.progress.Latest.Store(int64(r.Round))
	if r.Round >= w.training {
		w.progress.Work.Add(1)
	}
	if c, ok := w.policy.(stepCounter); ok {
		w.progress.Steps.Add(c.Steps() - w.steps)
		w.steps = c.Steps()
	}
	return nil
}
