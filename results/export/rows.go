package export

import (
	"encoding/json"
	"slices"

	"banditsim/internal/parquet"
	"banditsim/results"
)

// A roundRow is what the columns of a round need.
type roundRow struct {
	trialRow
	*results.Round
	chains                   int
	sumRealised, sumExpected float64 // up to and with the round
	multiplier               [3]any  // the lowest, the mean and the highest over the chains
	pulls                    []any   // pulls of each arm of the layout
}

// roundColumns returns the columns of a row for each trial and round.
func (l *layout) roundColumns() sheet[*roundRow] {
	s := sheet[*roundRow]{
		trialColumn[*roundRow](),
		environmentColumn[*roundRow](),
		ofTrial("data", parquet.String, "", "`uci`, `other`, `file`, or empty without data", func(r *roundRow) any { return r.set.Conditions.Environment.Data.Name }),
		dataHashColumn[*roundRow](),
		epochColumn[*roundRow](),
	}
	s = append(s, policyColumns[*roundRow]()...)
	if l.options {
		s = append(s, optionsColumn[*roundRow]())
	}
	s = append(s,
		seedColumn[*roundRow](),
		failedColumn[*roundRow](),
		each("round", parquet.Int32, "", "from 1", func(r *roundRow) any { return int32(r.Round.Round) }),
		each("after_burn_in", parquet.Bool, "", "whether all pulls of the round follow burn-in and the first training",
			func(r *roundRow) any { return r.Round.Round >= r.set.Conditions.Protocol.AfterBurnIn() }),
		each("realised", parquet.Float64, "reward", "regret of the round, by the rewards received; can be negative", func(r *roundRow) any { return r.Realised }),
		each("expected", parquet.Float64, "reward", "regret of the round, by expected rewards, without the noise of the draws", func(r *roundRow) any { return r.Expected }),
		each("cumulative_realised", parquet.Float64, "reward", "sum of `realised` up to and including the round", func(r *roundRow) any { return r.sumRealised }),
		each("cumulative_expected", parquet.Float64, "reward", "sum of `expected` up to and including the round", func(r *roundRow) any { return r.sumExpected }),
	)
	for i, arm := range l.arms {
		s = append(s, each("arm_"+arm, parquet.Int32, "pulls", "pulls of the arm in the round, one column per arm; null if the trial has no such arm", func(r *roundRow) any { return r.pulls[i] }).orNull())
	}
	s = append(s,
		each("mistakes", parquet.Int32, "pulls", "pulls of an arm that did not have the highest expected reward", func(r *roundRow) any { return int32(len(r.Wrong)) }),
		each("chains", parquet.Int32, "", "chains of the sampler; 0 without a sampler", func(r *roundRow) any { return int32(max(len(r.Energy), r.chains)) }),
		each("energy", parquet.Float64, "", "last energy, mean over the chains; null in rounds without training and in archives", meanEnergy).orNull(),
		each("weight_ess", parquet.Float64, "chains", "effective sample size of the chains' weights; null where `energy` is", weightESS).orNull(),
		each("multiplier_min", parquet.Float64, "", "lowest contour multiplier of the round, over chains and steps; null without a contour", func(r *roundRow) any { return r.multiplier[0] }).orNull(),
		each("multiplier_mean", parquet.Float64, "", "its mean over chains and steps", func(r *roundRow) any { return r.multiplier[1] }).orNull(),
		each("multiplier_max", parquet.Float64, "", "the highest", func(r *roundRow) any { return r.multiplier[2] }).orNull(),
		settingColumn[*roundRow](),
	)
	return append(s, parameterColumns[*roundRow](l)...)
}

// writeRounds writes a row for each round of a trial.
func (l *layout) writeRounds(s sheet[*roundRow]) writeTrial {
	return func(out rowWriter, t trialRow) error {
		place := make([]int, 0, len(l.arms)) // index among arms of the environment's
		for _, arm := range t.set.Conditions.Environment.Arms {
			place = append(place, slices.Index(l.arms, arm))
		}
		line := line[*roundRow]{sheet: s}
		row := roundRow{trialRow: t, chains: chains(t.policy.Policy), pulls: make([]any, len(l.arms))}
		for r, err := range t.record.Rounds() {
			if err != nil {
				return err
			}
			row.Round, row.multiplier = r, multiplierRange(r)
			row.sumRealised, row.sumExpected = row.sumRealised+r.Realised, row.sumExpected+r.Expected
			for i, pulls := range r.Arms {
				row.pulls[place[i]] = int32(pulls)
			}
			if err := line.put(out, &row); err != nil {
				return err
			}
		}
		return nil
	}
}

// chains returns the number of chains of a policy's sampler, 0 without one: by its options, as rounds without training, and
// all of archives, record none.
func chains(p results.Policy) int {
	var o struct {
		Posterior struct {
			Steps  int `json:"steps"`
			Chains int `json:"chains"`
		} `json:"posterior"`
	}
	if err := json.Unmarshal(p.Options, &o); err != nil || o.Posterior.Steps == 0 {
		return 0 // or options of another form
	}
	return max(o.Posterior.Chains, 1)
}

func meanEnergy(r *roundRow) any {
	if len(r.Energy) == 0 {
		return nil
	}
	sum := 0.0
	for _, v := range r.Energy {
		sum += float64(v)
	}
	return sum / float64(len(r.Energy))
}

func weightESS(r *roundRow) any {
	if r.ESS == 0 {
		return nil
	}
	return float64(r.ESS)
}

// multiplierRange returns the lowest, the mean and the highest over the chains; NaN if one is NaN.
func multiplierRange(r *results.Round) [3]any {
	if len(r.Multiplier) == 0 {
		return [3]any{}
	}
	low, sum, high := r.Multiplier[0][0], results.Number(0), r.Multiplier[0][2]
	for _, m := range r.Multiplier {
		low, sum, high = min(low, m[0]), sum+m[1], max(high, m[2])
	}
	return [3]any{float64(low), float64(sum) / float64(len(r.Multiplier)), float64(high)}
}
