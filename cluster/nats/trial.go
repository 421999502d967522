package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"banditsim/bandit"
	"banditsim/bandit/diagnostics"
	"banditsim/bandit/experiment"
	"banditsim/bandit/harness"
	"banditsim/policy"
	"banditsim/posterior"
	"banditsim/posterior/neural"
	"banditsim/posterior/sgmcmc"
	"banditsim/results"
)

// share replaces the posterior of a cell's policy with one whose chains are divided among the ranks of l.
func share(cell *experiment.Cell, l *link) error {
	for _, k := range append(neural.Paper(), neural.Over(sgmcmc.SGLD()).Kind) {
		if k.Name != cell.Policy.Name || k.Name == neural.EpsGreedy().Name {
			continue
		}
		var o policy.ThompsonOptions[neural.LangevinOptions]
		if err := json.Unmarshal(cell.Policy.Options, &o); err != nil {
			return fmt.Errorf("nats: options of %s: %w", cell.Label, err)
		}
		k.New = func(o neural.LangevinOptions, s posterior.Setup) (posterior.Posterior, error) {
			return newChains(o, s, l)
		}
		kind := policy.ThompsonKind(k)
		cell.NewPolicy = func(s policy.Setup) (bandit.Policy, error) { return kind.New(o, s) }
		return nil
	}
	return fmt.Errorf("nats: %s is %s: only pICSGLD, pCSGLD, pSGLD, SGLD, Dropout and ConstSGD have chains for several processes", cell.Label, cell.Policy.Name)
}

// errFailed is wrapped by the errors that all ranks return for a trial that rank 0 records as failed.
var errFailed = errors.New("the trial has failed, which rank 0 records")

// play runs the trial of a plan together with the other ranks. The root writes the trial's file to dir/trials
// atomically, and its checkpoints to the same folder. Workers write nothing.
func play(plan *experiment.Plan, l *link, dir string) error {
	defer l.cancel(nil)
	err := share(&plan.Cells[0], l)
	switch {
	case err != nil:
		return err
	case l.rank == 0:
		err = l.runRoot(plan, dir)
	default:
		err = l.runWorker(plan.Cells[0])
	}
	if err != nil && !errors.Is(err, errInterrupted) && !errors.Is(err, errFailed) {
		err = l.fail(err)
	}
	return err
}

// runRoot runs the plan's trial from the start or from a checkpoint. It first sends the trial's state to the workers.
func (l *link) runRoot(plan *experiment.Plan, dir string) error {
	var progress harness.Progress
	start := time.Now()
	runner := harness.Runner{
		Dir: dir, Workers: 1, Checkpoint: l.checkpoint, Now: time.Now, Progress: &progress, Warn: l.warn,
		Sidecar: results.Sidecar{Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH, Command: os.Args, Title: plan.Title, Notes: plan.Notes},
		Begin: func(t *bandit.Trial) error {
			if err := l.start(); err != nil {
				return err
			}
			start = time.Now()
			state, err := t.MarshalBinary()
			if err == nil {
				_, err = l.transfer(state)
			}
			return err
		},
	}
	s, err := runner.Run(l.context, plan)
	l.took, l.steps = time.Since(start), progress.Steps.Load()
	switch {
	case err != nil:
		return err
	case s.Skipped > 0:
		return fmt.Errorf("nats: %s is there already", filepath.Join(dir, results.TrialsDir, plan.Cells[0].FileName()))
	}
	if err := l.conn.FlushTimeout(l.limit); err != nil { // the last answer must leave before the connection closes
		return fmt.Errorf("nats: the end of the trial: %w", err)
	}
	for _, f := range s.Failed {
		return fmt.Errorf("%w: round %d: %s", errFailed, f.Round, f.Cause)
	}
	return nil
}

// runWorker runs the trial of a cell from the state that the root sends.
func (l *link) runWorker(cell experiment.Cell) error {
	trial, player, err := cell.NewTrial(nil, nil)
	if err != nil {
		return err
	}
	if err := l.start(); err != nil {
		return err
	}
	state, err := l.transfer(nil)
	if err != nil {
		return err
	}
	if err := trial.UnmarshalBinary(state[0]); err != nil {
		return l.abort(err)
	}
	counter, ok := bandit.As[diagnostics.StepCounter](player)
	if !ok {
		return l.abort(fmt.Errorf("nats: %T does not count its gradient steps", player))
	}
	start, before := time.Now(), counter.Steps()
	err = trial.Run(l.context)
	l.took, l.steps = time.Since(start), counter.Steps()-before
	switch {
	case l.context.Err() != nil:
		return context.Cause(l.context)
	case err != nil:
		if agreed := (*failure)(nil); !errors.As(err, &agreed) {
			l.fail(err) // all ranks have the same failure, but this error occurred at this rank alone: tell the others
		}
		return fmt.Errorf("%w: %w", errFailed, err)
	}
	return nil
}

// one returns a plan with a single trial of an experiment: the trial with the given ID or, if id is "", the only trial.
func one(ctx context.Context, catalog *experiment.Catalog, e experiment.Experiment, id string) (*experiment.Plan, error) {
	plan, err := e.Resolve(ctx, catalog)
	if err == nil && id != "" {
		err = plan.Select([]string{id})
	}
	if err != nil {
		return nil, err
	}
	if n := len(plan.Cells); n != 1 {
		return nil, fmt.Errorf("nats: the experiment has %d trials: choose one with --trial ID; 'banditsim plan' lists them", n)
	}
	return plan, nil
}
