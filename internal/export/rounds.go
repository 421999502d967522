package export

import (
	"encoding/json"
	"slices"

	"banditsim/results"
)

func (l *layout) roundColumns() sheet {
	s := sheet{
		trialColumn,
		environmentColumn,
		ofTrial("data", String, "`uci`, `other`, `file`, or empty without data", func(r *row) any { return r.set.Conditions.Environment.Data.Name }),
		dataHashColumn,
		epochColumn,
	}
	s = append(s, l.policyColumns()...)
	s = append(s,
		seedColumn,
		failedColumn,
		each("round", Int32, "", "from 1", func(r *row) any { return int32(r.round.Round) }),
		each("after_burn_in", Bool, "", "whether all pulls of the round follow burn-in and the first training",
			func(r *row) any { return r.round.Round >= r.set.Conditions.Protocol.AfterBurnIn() }),
		each("realised", Float64, "reward", "regret of the round, by the rewards received; can be negative", func(r *row) any { return r.round.Realised }),
		each("expected", Float64, "reward", "regret of the round, by expected rewards, without the noise of the draws", func(r *row) any { return r.round.Expected }),
		each("cumulative_realised", Float64, "reward", "sum of `realised` up to and including the round", func(r *row) any { return r.sumRealised }),
		each("cumulative_expected", Float64, "reward", "sum of `expected` up to and including the round", func(r *row) any { return r.sumExpected }),
	)
	for i, arm := range l.arms {
		s = append(s, each("arm_"+arm, Int32, "pulls", "pulls of the arm in the round, one column per arm; null if the trial has no such arm", func(r *row) any { return r.arms[i] }).orNull())
	}
	s = append(s,
		each("mistakes", Int32, "pulls", "pulls of an arm that did not have the highest expected reward", func(r *row) any { return int32(len(r.round.Wrong)) }),
		each("chains", Int32, "", "chains of the sampler; 0 without a sampler", func(r *row) any { return int32(max(len(r.round.Energy), r.chains)) }),
		each("energy", Float64, "", "last energy, mean over the chains; null in rounds without training", meanEnergy).orNull(),
		each("weight_ess", Float64, "chains", "effective sample size of the chains' weights; null where `energy` is", weightESS).orNull(),
		each("multiplier_min", Float64, "", "lowest contour multiplier of the round, over chains and steps; null without a contour", func(r *row) any { return r.multiplier[0] }).orNull(),
		each("multiplier_mean", Float64, "", "its mean over chains and steps", func(r *row) any { return r.multiplier[1] }).orNull(),
		each("multiplier_max", Float64, "", "the highest", func(r *row) any { return r.multiplier[2] }).orNull(),
		settingColumn,
	)
	return append(s, l.parameterColumns()...)
}

// writeRounds writes one row per round of the trial r.record.
func (l *layout) writeRounds(s sheet, out func([]any) error, r row) error {
	place := make([]int, 0, len(l.arms)) // index in l.arms of each arm of the environment
	for _, arm := range r.set.Conditions.Environment.Arms {
		place = append(place, slices.Index(l.arms, arm))
	}
	put := s.writer(out)
	r.chains, r.arms = chains(r.policy.Policy), make([]any, len(l.arms))
	for round, err := range r.record.Rounds() {
		if err != nil {
			return err
		}
		r.round, r.multiplier = round, multiplierRange(round)
		r.sumRealised, r.sumExpected = r.sumRealised+round.Realised, r.sumExpected+round.Expected
		for i, pulls := range round.Arms {
			r.arms[place[i]] = int32(pulls)
		}
		if err := put(&r); err != nil {
			return err
		}
	}
	return nil
}

// chains returns the number of chains of a policy's sampler by its options, or 0. Rounds without training have no
// chains.
func chains(p results.Policy) int {
	var o struct {
		Posterior struct {
			Steps  int `json:"steps"`
			Chains int `json:"chains"`
		} `json:"posterior"`
	}
	if err := json.Unmarshal(p.Options, &o); err != nil || o.Posterior.Steps == 0 {
		return 0 // no sampler, or options of another form
	}
	return max(o.Posterior.Chains, 1)
}

func meanEnergy(r *row) any {
	if len(r.round.Energy) == 0 {
		return nil
	}
	sum := 0.0
	for _, v := range r.round.Energy {
		sum += float64(v)
	}
	return sum / float64(len(r.round.Energy))
}

func weightESS(r *row) any {
	if r.round.ESS == 0 {
		return nil
	}
	return float64(r.round.ESS)
}

// multiplierRange returns the lowest, mean and highest multiplier of the chains: nil without a contour, NaN if one is.
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
