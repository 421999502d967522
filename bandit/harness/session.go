package harness

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"banditsim/bandit"
	"banditsim/bandit/diagnostics"
	"banditsim/bandit/experiment"
	"banditsim/internal/pool"
	"banditsim/results"
)

// A session is the part of a trial that one run plays: from the start or a checkpoint until it ends or is stopped.
type session struct {
	*job
	experiment.Cell
	writer  *results.Writer
	trial   *bandit.Trial
	policy  bandit.Policy
	started time.Time
	work    pool.Meter
	round   int               // last round that was recorded
	steps   int64             // gradient steps up to and including that round
	broken  error             // error of the writer while it recorded a round
	earlier []results.Sidecar // sidecars of earlier sessions of the trial
	from    int               // number of rounds played by earlier sessions
	saved   int               // number of rounds in the checkpoint; 0 if there is none
	noState bool              // the state of the trial cannot be saved
}

// run runs the trial and writes its file. A failure of the trial is recorded in totals; err is any other error, such
// as a full disk or a canceled context.
func (s *session) run(ctx context.Context) (totals results.Totals, err error) {
	s.work.Start()
	defer s.work.Stop()
	if err := s.open(); err != nil {
		return totals, err
	}
	defer s.writer.Abort()
	defer s.trial.Close()
	if s.trial.External() {
		s.work.Stop()
	}
	if s.Begin != nil {
		if err := s.Begin(s.trial); err != nil {
			return totals, err
		}
	}
	failure, err := s.play(ctx)
	sidecar := s.sidecar()
	sidecar.Earlier = s.earlier
	if err == nil && failure == nil && s.Keep != nil {
		err = s.Keep(keptPath(filepath.Join(s.dir, s.FileName())), s.Cell, s.trial.Spec(), s.policy)
	}
	if err == nil && failure == nil {
		sidecar.Score, err = s.score(ctx)
	}
	s.trial.Close()
	sidecar.Printed = s.trial.Printed()
	if err == nil { // before the trial file, so that no trial file is without a sidecar
		err = results.WriteSidecar(filepath.Join(s.dir, s.FileName()), sidecar)
	}
	if err != nil {
		return totals, err
	}
	return s.writer.Finish(failure)
}

// Record writes the record of a round and adds it to the progress.
func (s *session) Record(r *bandit.RoundRecord) error {
	if s.broken = s.writer.Record(r); s.broken != nil {
		return s.broken
	}
	before := s.steps
	s.round, s.steps = r.Round, stepsOf(s.policy)
	p := s.Progress
	p.rounds.Add(1)
	p.Latest.Store(int64(r.Round))
	p.Steps.Add(s.steps - before)
	if r.Round >= firstTraining(s.Protocol) {
		p.Work.Add(1)
	}
	p.running(s.Cell, r.Round, s.writer.Totals().Expected)
	return nil
}

// stepsOf returns the number of gradient steps that a policy has done, 0 if it does not count any.
func stepsOf(policy bandit.Policy) int64 {
	if c, ok := bandit.As[diagnostics.StepCounter](policy); ok {
		return c.Steps()
	}
	return 0
}

// open resumes the trial from its checkpoint or, if there is none, starts it. A damaged checkpoint is set aside.
func (s *session) open() error {
	err := s.resume()
	var damaged results.Damaged
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
	case errors.As(err, &damaged):
		if err := s.setAside(damaged, "the trial starts anew"); err != nil {
			return err
		}
	default:
		return err
	}
	if s.trial, s.policy, err = s.NewTrial(s.pool.Metered(&s.work), s); err != nil {
		return err
	}
	if s.writer, err = results.Create(s.dir, s.Identity); err != nil {
		return err
	}
	if s.Pulls {
		if err := s.writer.RecordPulls(); err != nil {
			s.writer.Abort()
			return err
		}
		s.trial.RecordPulls(s.writer.RecordPull)
	}
	return nil
}

// resume restores the checkpoint. The error is results.Damaged if the file is damaged or its state does not fit the
// trial, and wraps fs.ErrNotExist if there is no checkpoint or it lacks the pulls that this run records.
func (s *session) resume() error {
	writer, c, err := results.Resume(s.dir, s.Identity)
	if err != nil {
		return err
	}
	if s.Pulls && !c.Pulls {
		writer.Abort()
		return fmt.Errorf("its checkpoint has no pulls: %w", fs.ErrNotExist) // open then starts the trial anew
	}
	if s.trial, s.policy, err = s.NewTrial(s.pool.Metered(&s.work), s); err == nil {
		if err = s.trial.UnmarshalBinary(c.State); err != nil {
			s.trial.Close()
			path := results.CheckpointPath(filepath.Join(s.dir, s.FileName()))
			err = results.Damaged{Path: path, Err: fmt.Errorf("harness: resume from %s: %w", path, err)}
		}
	}
	if err != nil {
		writer.Abort()
		return err
	}
	s.writer, s.earlier, s.from, s.saved = writer, c.Sidecars, c.Rounds, c.Rounds
	s.round, s.steps = c.Rounds, stepsOf(s.policy)
	s.Progress.running(s.Cell, c.Rounds, writer.Totals().Expected)
	s.Progress.Resumed.Add(int64(max(c.Rounds-firstTraining(s.Protocol)+1, 0)))
	if c.Pulls {
		s.trial.RecordPulls(writer.RecordPull)
	}
	return nil
}

// play plays the remaining rounds. An error of the policy or the environment is returned as a failure of the trial; a
// canceled context or a failed write is returned as an error. After ctx is canceled, the current round may go on for
// Runner.Grace; if it ends in time, play writes a checkpoint.
func (s *session) play(ctx context.Context) (*results.Failure, error) {
	late, stop := delayCancel(ctx, s.Grace)
	defer stop()
	ended := context.AfterFunc(late, s.trial.Stop)
	defer ended()
	for {
		if ctx.Err() != nil {
			if err := s.save(true); err != nil {
				s.warn(err.Error()) // play returns the cause of ctx instead
			}
			return nil, context.Cause(ctx)
		}
		switch err := s.trial.Round(late); {
		case err == nil:
		case err == io.EOF:
			return nil, nil
		case s.broken != nil:
			return nil, s.broken
		case late.Err() != nil, ctx.Err() != nil && errors.Is(err, context.Cause(ctx)), endedBySignal(ctx, err):
			return nil, context.Cause(ctx) // the run is stopped: this is no failure of the trial
		default:
			return failureOf(s.round+1, err), nil
		}
		if s.Checkpoint > 0 && s.round%s.Checkpoint == 0 && s.round < s.Protocol.Rounds {
			if err := s.save(s.durable()); err != nil {
				return nil, err
			}
		}
	}
}

// signalGrace is how long to wait for ctx to be canceled after a child process died of a signal. A scheduler that
// stops a job signals all of its processes, and the child may be signaled before the run.
const signalGrace = time.Second

// endedBySignal reports whether err says that a child process died of a signal, and ctx is canceled within signalGrace.
// The run is then being stopped, and the trial has not failed.
func endedBySignal(ctx context.Context, err error) bool {
	var process interface{ Signaled() bool }
	if !errors.As(err, &process) || !process.Signaled() {
		return false
	}
	select {
	case <-ctx.Done():
	case <-time.After(signalGrace):
	}
	return ctx.Err() != nil
}

// unsynced is how long, from its start, a trial writes checkpoints without fsync. A power failure may damage such a
// checkpoint, and then costs at most this time. Most trials are so short that none of theirs is synced.
const unsynced = 10 * time.Second

// durable reports whether checkpoints are now synced: the trial was resumed, or has run for the time unsynced.
func (s *session) durable() bool { return s.from > 0 || s.Now().Sub(s.started) >= unsynced }

// save writes a checkpoint, unless checkpoints are off, no round was played since the last one, or the state of the
// trial cannot be saved. A durable checkpoint is synced, so that it survives a power failure.
func (s *session) save(durable bool) error {
	if s.Checkpoint == 0 || s.noState || s.round == s.saved {
		return nil
	}
	state, err := s.trial.MarshalBinary()
	if err != nil {
		s.noState = true
		s.warnOnce(s.Policy.Name, fmt.Sprintf("%s: no checkpoints are kept, an interrupted trial starts anew: %v", s.Policy.Name, err))
		return nil
	}
	sidecar := s.sidecar()
	printed := s.trial.Printed()
	sidecar.Printed = printed[max(len(printed)-maxEarlierPrinted, 0):]
	if err := s.writer.Checkpoint(state, append(slices.Clip(s.earlier), sidecar), durable); err != nil {
		return err
	}
	s.saved = s.round
	return nil
}

// maxEarlierPrinted is the number of bytes that a sidecar keeps of what child processes printed in an earlier session.
const maxEarlierPrinted = 2 << 10

// sidecar returns the provenance of this session up to now.
func (s *session) sidecar() results.Sidecar {
	sidecar := s.Sidecar
	sidecar.Label, sidecar.TunedSeeds = s.Label, s.TunedSeeds
	sidecar.Environment, sidecar.EnvironmentOrder = s.EnvironmentLabel, s.EnvironmentOrder
	sidecar.Started = s.started
	sidecar.Seconds = s.Now().Sub(s.started).Seconds()
	sidecar.ProcessorSeconds = s.work.Seconds()
	sidecar.Steps = new(stepsOf(s.policy))
	sidecar.ConstantArm = cmp.Or(s.trial.Spec().ConstantArm, &bandit.ConstantArm{})
	return sidecar
}

// delayCancel returns a context that is canceled, with the cause of ctx, when grace has passed since ctx was
// canceled. The caller must call stop when it no longer needs the context.
func delayCancel(ctx context.Context, grace time.Duration) (late context.Context, stop func()) {
	late, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	undo := context.AfterFunc(ctx, func() {
		time.AfterFunc(grace, func() { cancel(context.Cause(ctx)) }) // does nothing if late has been canceled before
	})
	return late, func() { undo(); cancel(nil) }
}
