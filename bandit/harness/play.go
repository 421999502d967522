package harness

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"banditsim/bandit/experiment"
	"banditsim/internal/pool"
	"banditsim/results"
)

// Play runs the trials of a game in memory. It is PlayPlan for the game's plan.
func Play(ctx context.Context, g experiment.Game) (*results.Set, error) {
	plan, err := g.Plan()
	if err != nil {
		return nil, err
	}
	return PlayPlan(ctx, plan)
}

// PlayPlan runs the trials of a plan with one environment in parallel on all processors, and returns them as a set in
// memory. Each trial has the bytes of the file that a Runner would write. If a policy or an environment returns an
// error, the trial is recorded as failed. PlayPlan fails if ctx is canceled or the plan cannot be played.
func PlayPlan(ctx context.Context, plan *experiment.Plan) (*results.Set, error) {
	if len(plan.Environments) != 1 {
		return nil, fmt.Errorf("harness: play: a plan on %d environments, want 1", len(plan.Environments))
	}
	trials := make([]*results.Writer, len(plan.Cells))
	p := pool.Pool{Workers: runtime.GOMAXPROCS(0)}
	err := p.Run(ctx, len(trials), func(i int) (err error) {
		trials[i], err = play(ctx, &p, plan.Cells[i])
		return err
	})
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("harness: play: %w", err)
	}
	return results.MemorySet(trials)
}

// play runs one trial to its end and returns its record.
func play(ctx context.Context, p *pool.Pool, c experiment.Cell) (*results.Writer, error) {
	m, err := results.InMemory(c.Identity, results.Sidecar{Label: c.Label, Environment: c.EnvironmentLabel, TunedSeeds: c.TunedSeeds})
	if err != nil {
		return nil, err
	}
	trial, _, err := c.NewTrial(p.Parallel, m)
	if err != nil {
		return nil, err
	}
	defer trial.Close()
	var failure *results.Failure
	if err := trial.Run(ctx); err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		failure = failureOf(m.Totals().Rounds+1, err)
	}
	_, err = m.Finish(failure)
	return m, err
}

// failureOf describes the failure of a trial in a round, given the error of Trial.Round.
func failureOf(round int, err error) *results.Failure {
	if cause := errors.Unwrap(err); cause != nil { // its text does not name the round, which Failure has as a field
		err = cause
	}
	return &results.Failure{Round: round, Cause: err.Error()}
}
