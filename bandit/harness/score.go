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

// A CellScore is the score of a trial at its end.
type CellScore struct {
	experiment.Cell
	bandit.Score
}

// Score runs the trials of a plan whose policies have a posterior to score, and scores them at their end. It
// writes no files. The scores are in the plan's order and do not depend on the number of workers. done, if not nil,
// is called after each trial.
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

// scored returns whether the policies of the cells have a posterior to score, by their labels.
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
		_, can[c.FullLabel()] = policy.(bandit.RewardDrawer)
	}
	return can, nil
}

// score returns the score of a finished trial, and that of its sidecar on disk if it is not scored now; nil if there is
// none. What cannot be scored is a part of the result; the error is that of a run that was stopped. A checkpoint comes
// first: a score that is stopped begins again from there.
func (s *session) score(ctx context.Context) (*results.Score, error) {
	if !s.scored[s.FullLabel()] {
		old, err := results.Record{Path: filepath.Join(s.dir, s.FileName())}.Sidecar()
		if err != nil {
			return nil, nil // there is none, or its provenance is unknown
		}
		return old.Score, nil
	}
	if err := s.save(s.old()); err != nil {
		return nil, err
	}
	score, err := s.trial.Score(ctx, *s.Scores)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return results.NewScore(*s.Scores, score, err), nil
}
