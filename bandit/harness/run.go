// Package harness runs the plans of package experiment. Several workers run the cells of a plan. For each cell they
// write a trial file, a sidecar with its provenance, and checkpoints from which an interrupted run resumes.
package harness

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/internal/pool"
	"banditsim/internal/wholefile"
	"banditsim/results"
)

// A Runner runs plans.
type Runner struct {
	Dir     string // output folder, created if it does not exist
	Workers int    // number of trials that run at the same time, at least 1
	// Sidecar has the fields that all trials share. Run adds those of a trial and writes the result beside the trial file.
	Sidecar results.Sidecar
	Now     func() time.Time // clock for the times in sidecars, usually time.Now
	// Checkpoint is the number of rounds between two checkpoints of a trial, from which the next run resumes; 0 writes
	// none. Results do not depend on it.
	Checkpoint int
	// Grace is how long a round may go on after Run's ctx is canceled, to reach its end, where a checkpoint is possible.
	Grace time.Duration
	// Pulls records every pull in a file beside the trial file (results.Record.Pulls). Finished trials without recorded
	// pulls are run again and give the same trial files.
	Pulls bool
	// Begin, if not nil, is called with each trial before its first round in this run, after its checkpoint, if any, has
	// been restored. An error of Begin stops the run. Several workers may call Begin and Keep at the same time.
	Begin func(*bandit.Trial) error
	// Scores, if not nil, records in the sidecar the score of each trial whose policy has a posterior. Finished trials
	// without a score with these options are run again and give the same trial files.
	Scores *bandit.ScoreOptions
	// Keep, if not nil, is called at the end of each successful trial, with its policy p. It must write a file to path:
	// that of the trial file, but ending in .agent. Finished trials without it are rerun and give the same trial files.
	Keep func(path string, c experiment.Cell, spec bandit.Spec, p bandit.Policy) error
	// Progress, if not nil, is updated while trials run.
	Progress *Progress
	// Warn, if not nil, gets warnings that do not stop a run, such as a damaged file set aside. Its calls do not overlap.
	Warn func(message string)
}

// Progress counts the work done. It may be read during a run.
type Progress struct {
	Trials  atomic.Int64 // trials that ended in this run, including failed ones
	rounds  atomic.Int64 // rounds played in this run, by all trials
	Steps   atomic.Int64 // gradient steps done in this run, by all chains
	Pending atomic.Int64 // trials that this run has to do, counted at its start
	Latest  atomic.Int64 // number of the round that ended last, in any trial
	Work    atomic.Int64 // rounds with training (see firstTraining) played in this run
	Resumed atomic.Int64 // rounds with training played by earlier runs and restored from checkpoints
	Length  atomic.Int64 // rounds of the longest trial of the plan

	planned atomic.Int64 // rounds with training of all pending trials

	mu       sync.Mutex // guards the fields below
	policies []PolicyProgress
	byLabel  map[string]int // index of policies
}

// Total returns the number of rounds with training that this run has to play. When a trial resumes from a checkpoint,
// it falls by the rounds that the trial need not play again. At the end Work equals Total, unless a trial failed.
func (p *Progress) Total() int64 { return p.planned.Load() - p.Resumed.Load() }

// firstTraining returns the first round in which policies train: burn-in's last, or 1. Before, they only store data.
func firstTraining(p bandit.Protocol) int { return max(p.AfterBurnIn()-1, 1) }

// A Summary counts what a run did.
type Summary struct {
	Run     int      // trials that this run ended, including failed ones
	Resumed int      // how many of Run resumed from a checkpoint
	Skipped int      // trials that already had a valid file
	Saved   int      // trials that were stopped and have a checkpoint
	Failed  []Failed // failed trials of this run and of earlier runs
}

// Finished returns the number of trials of the plan that have a trial file.
func (s Summary) Finished() int { return s.Run + s.Skipped }

// A Failed is a trial that failed.
type Failed struct {
	Policy string // as Cell.FullLabel returns it
	Seed   uint64
	results.Failure
}

// Run runs the trials of the plan that are not on disk yet. If a policy or an environment returns an error, the trial
// is recorded as failed, unless the error wraps the cause of a canceled ctx. Any other error, such as a full disk or
// a canceled ctx, stops the run. A stopped run keeps the finished trials and the checkpoints of the others, from which
// the next Run resumes. Run locks the folder; if another process holds the lock, it returns a *LockedError.
func (r *Runner) Run(ctx context.Context, plan *experiment.Plan) (Summary, error) {
	var s Summary
	switch {
	case r.Workers < 1:
		return s, fmt.Errorf("harness: run: %d workers, want at least 1", r.Workers)
	case r.Now == nil:
		return s, errors.New("harness: run: the runner has no clock (Now)")
	case r.Checkpoint < 0:
		return s, fmt.Errorf("harness: run: a checkpoint every %d rounds, want at least 0", r.Checkpoint)
	case r.Scores != nil && r.Scores.Validate() != nil:
		return s, fmt.Errorf("harness: run: scores: %w", r.Scores.Validate())
	case len(plan.Cells) == 0:
		return s, errors.New("harness: run: the plan has no trials")
	}
	own := *r
	own.Progress = cmp.Or(r.Progress, &Progress{})
	j := &job{Runner: &own, dir: filepath.Join(r.Dir, results.TrialsDir), pool: pool.Pool{Workers: r.Workers}, summary: &s}
	if err := os.MkdirAll(j.dir, 0o777); err != nil {
		return s, fmt.Errorf("harness: output folder: %w", err)
	}
	unlock, err := Lock(r.Dir, r.Now(), r.Sidecar.Command)
	if err != nil {
		return s, err
	}
	defer unlock()
	if err := checkFolder(r.Dir, plan, anotherFolder); err != nil {
		return s, err
	}
	wholefile.Tidy(r.Dir)
	if err := results.Tidy(j.dir); err != nil {
		return s, err
	}
	own.Progress.begin(plan)
	if r.Scores != nil {
		if j.scored, err = scored(plan.Cells); err != nil {
			return s, err
		}
	}
	pending, err := j.pending(plan)
	if err != nil {
		return s, err
	}
	planned := 0
	for _, c := range pending {
		planned += max(c.Protocol.Rounds-firstTraining(c.Protocol)+1, 0)
	}
	own.Progress.planned.Store(int64(planned))
	own.Progress.Pending.Store(int64(len(pending)))
	err = j.work(ctx, pending)
	slices.SortFunc(s.Failed, func(a, b Failed) int {
		return cmp.Or(cmp.Compare(a.Seed, b.Seed), cmp.Compare(a.Policy, b.Policy))
	})
	return s, err
}

// A job is one call of Run.
type job struct {
	*Runner
	dir  string // folder of the trials
	pool pool.Pool
	// scored reports, by the label of a policy, whether its trials are scored; nil if scores are not recorded.
	scored map[string]bool

	mu      sync.Mutex // guards the fields below and Warn
	summary *Summary
	warned  []string // topics of warnOnce
}

func (j *job) warn(message string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.Warn != nil {
		j.Warn(message)
	}
}

// warnOnce warns unless it has warned about the topic before.
func (j *job) warnOnce(topic, message string) {
	j.mu.Lock()
	known := slices.Contains(j.warned, topic)
	j.warned = append(j.warned, topic)
	j.mu.Unlock()
	if !known {
		j.warn(message)
	}
}

// setAside renames a damaged file and warns of it.
func (j *job) setAside(d results.Damaged, consequence string) error {
	to, err := results.SetAside(d.Path)
	if err == nil {
		j.warn(fmt.Sprintf("%v: it is set aside as %s, and %s", d, filepath.Base(to), consequence))
	}
	return err
}

// pending returns the trials to run. They have no valid trial file, or they lack other things that this run writes:
// pulls, a score or the file of Runner.Keep. It counts the other trials as skipped, and sets damaged files aside.
func (j *job) pending(plan *experiment.Plan) ([]experiment.Cell, error) {
	var list []experiment.Cell
	records, errs := make([]results.Record, len(plan.Cells)), make([]error, len(plan.Cells))
	j.pool.Run(context.Background(), len(plan.Cells), func(i int) error {
		records[i], errs[i] = check(j.Dir, plan.Cells[i])
		return nil
	})
	for i, c := range plan.Cells {
		old, err := records[i], errs[i]
		var damaged results.Damaged
		consequence, skip := "", false
		switch {
		case errors.Is(err, os.ErrNotExist): // to be done
		case errors.As(err, &damaged):
			consequence = "the trial is done again"
		case err != nil:
			return nil, err
		case j.Pulls && errors.As(old.CheckPulls(), &damaged):
			consequence = "the trial is done again, for its pulls"
		case j.Pulls && !old.HasPulls() || old.Totals.Failure == nil && (j.lacksScore(c, old) || j.Keep != nil && !hasKept(old)): // to be done again
		default:
			skip = true
			if _, err := old.Sidecar(); errors.As(err, &damaged) {
				consequence = "the trial's provenance is unknown"
			}
		}
		if consequence != "" {
			if err := j.setAside(damaged, consequence); err != nil {
				return nil, err
			}
		}
		if skip {
			j.summary.Skipped++
			j.finished(c, old.Totals)
		} else {
			list = append(list, c)
		}
	}
	return list, nil
}

// lacksScore reports whether this run scores the trial and the trial has no score with the same options.
func (j *job) lacksScore(c experiment.Cell, rec results.Record) bool {
	if !j.scored[c.FullLabel()] {
		return false
	}
	s, err := rec.Sidecar()
	return err != nil || s.Score == nil || s.Score.ScoreOptions != *j.Scores
}

// keptPath returns the path of the file that Runner.Keep writes for the trial file with the given path.
func keptPath(trial string) string { return strings.TrimSuffix(trial, ".jsonl") + ".agent" }

// hasKept reports whether the file that Keep wrote for the trial exists.
func hasKept(rec results.Record) bool {
	_, err := os.Stat(keptPath(rec.Path))
	return err == nil
}

// finished adds a trial that has ended, in this run or an earlier one, to the summary and the progress.
func (j *job) finished(c experiment.Cell, totals results.Totals) {
	if totals.Failure != nil {
		j.summary.Failed = append(j.summary.Failed, Failed{c.FullLabel(), c.Seed, *totals.Failure})
	}
	j.Progress.finished(c, totals)
}

// work runs the trials of cells. The first error stops the other running trials.
func (j *job) work(ctx context.Context, cells []experiment.Cell) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	err := j.pool.Run(ctx, len(cells), func(i int) error {
		s := &session{job: j, Cell: cells[i], started: j.Now()}
		totals, err := s.run(ctx)
		j.mu.Lock()
		defer j.mu.Unlock()
		if err != nil {
			if s.saved > 0 {
				j.summary.Saved++
			}
			cancel(err)
			return err
		}
		j.summary.Run++
		if s.from > 0 {
			j.summary.Resumed++
		}
		j.Progress.Trials.Add(1)
		j.finished(s.Cell, totals)
		return nil
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}
