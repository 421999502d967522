package export

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
)

func pullColumns() sheet {
	return sheet{
		trialColumn,
		environmentColumn,
		labelColumn,
		nameColumn,
		seedColumn,
		each("round", Int32, "", "from 1", func(r *row) any { return int32(r.pull.Round) }),
		each("pull", Int32, "", "from 1, in the whole trial", func(r *row) any { return int32(r.pull.T) }),
		each("row", Int32, "", "data row of the context; null in environments without data", func(r *row) any {
			if r.pull.Row < 0 {
				return nil
			}
			return int32(r.pull.Row)
		}).orNull(),
		each("arm", Int32, "", "from 0", func(r *row) any { return int32(r.pull.Arm) }),
		each("arm_name", String, "", "its name", func(r *row) any { return r.set.Conditions.Environment.Arms[r.pull.Arm] }),
		each("reward", Float64, "reward", "received", func(r *row) any { return r.pull.Reward }),
		each("expected_reward", Float64, "reward", "expected reward of the arm", func(r *row) any { return r.pull.Expected }),
		each("best_reward", Float64, "reward", "the highest expected reward", func(r *row) any { return r.pull.Best }),
		each("realised", Float64, "reward", "regret: `best_reward` less `reward`", func(r *row) any { return r.pull.Best - r.pull.Reward }),
		each("expected", Float64, "reward", "regret: `best_reward` less `expected_reward`", func(r *row) any { return r.pull.Best - r.pull.Expected }),
		each("mistake", Bool, "", "whether the arm was not the best", func(r *row) any { return r.pull.Expected < r.pull.Best }),
		each("propensity", Float64, "", "probability with which the arm was chosen: of the protocol in burn-in (1/K; 1 in the initial pulls, which take the arms in turn), "+
			"then of the policy; null if it does not know it (Thompson sampling over chains does not)", func(r *row) any {
			if math.IsNaN(r.pull.Propensity) {
				return nil
			}
			return r.pull.Propensity
		}).orNull(),
	}
}

// writePulls writes one row per pull of the trial r.record.
func (s sheet) writePulls(out func([]any) error, r row) error {
	if r.record.PullsDamaged {
		return nil
	}
	put := s.writer(out)
	for pull, err := range r.record.Pulls() {
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("the pulls of %s, seed %d, were not recorded: run the same command again with --record pulls", r.policy.Label, r.record.Seed)
		}
		if err != nil {
			return err
		}
		r.pull = pull
		if err := put(&r); err != nil {
			return err
		}
	}
	return nil
}
