package harness

import (
	"context"
	"fmt"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/internal/pool"
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
	var list []CellScore
	can := map[string]bool{} // by label
	for _, c := range plan.Cells {
		if _, known := can[c.FullLabel()]; !known {
			_, policy, err := c.NewTrial(nil, discard{})
			if err != nil {
				return nil, err
			}
			_, can[c.FullLabel()] = policy.(bandit.RewardDrawer)
		}
		if can[c.FullLabel()] {
			list = append(list, CellScore{Cell: c})
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("none of the policies of %s has a posterior to score", plan.Name)
	}
	p := &pool.Pool{Workers: workers, Done: done}
	return list, p.Run(ctx, len(list), func(i int) error {
		trial, _, err := list[i].NewTrial(p.Parallel, discard{})
		if err == nil {
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
