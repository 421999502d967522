package harness

import (
	"context"
	"fmt"
	"path/filepath"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/internal/pool"
	"banditsim/results"
)

// A CellScore is a trial with the score of its policy's posterior at the end.
type CellScore struct {
	experiment.Cell
	bandit.Score
}

// Score runs the trials whose policies have a posterior to score, and scores each at its end. It writes no files. The
// scores are in the order of the plan's cells and do not depend on the number of workers. The function done, if not
// nil, is called after each trial. A plan without such policies is an error.
func Score(ctx context.Context, plan *experiment.Plan, o bandit.ScoreOptions, workers int, done func(done, total int)) ([]CellScore, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	can, err := scored(plan.Cells)
	if err != nil {
		return nil, err
	}
	var list []CellScore
	for _, c := range plan.Cells {
		if can[c.FullLabel()] {
			list = append(list, CellScore{Cell: c})
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("none of the policies of %s has a posterior to score", plan.Name)
	}
	p := &pool.Pool{Workers: workers, Done: done}
	return list, p.Run(ctx, len(list), func(i int) error {
		trial, _, err := list[i].NewTrial(p.Parallel, nil)
		if err == nil {
			defer trial.Close()
			err = trial.Run(ctx)
		}
		if err == nil {
			list[i].Score, err = trial.Score(ctx, o)
		}
		if err != nil {
			return fmt.Errorf("%s, seed %d: %w", list[i].FullLabel(), list[i].Seed, err)
		}
		return nil
	})
}

// scored reports, for each label of a policy, whether the policy has a posterior to score.
func scored(cells []experiment.Cell) (map[string]bool, error) {
	can := map[string]bool{}
	for _, c := range cells {
		if _, known := can[c.FullLabel()]; known {
			continue
		}
		_, policy, err := c.NewTrial(nil, nil)
		if err != nil {
			return nil, err
		}
		_, can[c.FullLabel()] = bandit.As[bandit.RewardDrawer](policy)
	}
	return can, nil
}

// score returns the score of a finished trial. If this run records no score for the trial, score returns the one that
// an earlier run wrote to the sidecar, or nil. If the posterior cannot be scored, the result records the cause. score
// first writes a checkpoint: if the run is stopped while it scores, the next run need not play the trial again. It
// returns an error only if the run is stopped or the checkpoint cannot be written.
func (s *session) score(ctx context.Context) (*results.Score, error) {
	if !s.scored[s.FullLabel()] {
		old, _ := results.Record{Path: filepath.Join(s.dir, s.FileName())}.Sidecar() // zero if it is missing or damaged
		return old.Score, nil
	}
	if err := s.save(s.durable()); err != nil {
		return nil, err
	}
	score, err := s.trial.Score(ctx, *s.Scores)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return results.NewScore(*s.Scores, score, err), nil
}
