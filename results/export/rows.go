package export

import (
	"encoding/json"
	"slices"

	"banditsim/results"
)

// writeRows writes a row for each round of a trial.
func (l *layout) writeRows(out rowWriter, set *results.Set, p results.PolicyRecords, rec results.Record) error {
	conditions := set.Conditions
	env, afterBurnIn := conditions.Environment, conditions.Protocol.AfterBurnIn()
	// A row begins with the values that are the same in all rounds.
	row := []any{
		rec.ID(), env.Name, env.Data.Name, env.Data.SHA256, env.Data.Replica, int32(conditions.Epoch),
		p.Label, p.Policy.Name,
	}
	if l.options {
		row = append(row, string(p.Policy.Options))
	}
	row = append(row, rec.Seed, rec.Totals.Failure != nil)
	constant := len(row)
	place := make([]int, len(env.Arms)) // index among arms of the environment's
	for i, arm := range env.Arms {
		place[i] = slices.Index(l.arms, arm)
	}
	parameters, ofSampler := l.parameterTexts(set, p.Label), chains(p.Policy)
	var realised, expected float64 // so far
	for r, err := range rec.Rounds() {
		if err != nil {
			return err
		}
		realised, expected = realised+r.Realised, expected+r.Expected
		row = append(row[:constant], int32(r.Round), r.Round >= afterBurnIn, r.Realised, r.Expected, realised, expected)
		first := len(row)
		row = append(row, make([]any, len(l.arms))...)
		for i, pulls := range r.Arms {
			row[first+place[i]] = int32(pulls)
		}
		row = append(row, int32(len(r.Wrong)), int32(max(len(r.Energy), ofSampler)), meanEnergy(r), weightESS(r))
		row = append(append(append(row, multiplierRange(r)...), set.Label), parameters...)
		if err := out.Write(row); err != nil {
			return err
		}
	}
	return nil
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

func meanEnergy(r *results.Round) any {
	if len(r.Energy) == 0 {
		return nil
	}
	sum := 0.0
	for _, v := range r.Energy {
		sum += float64(v)
	}
	return sum / float64(len(r.Energy))
}

func weightESS(r *results.Round) any {
	if r.ESS == 0 {
		return nil
	}
	return float64(r.ESS)
}

// multiplierRange returns the lowest, the mean and the highest over the chains; NaN if one is NaN.
func multiplierRange(r *results.Round) []any {
	if len(r.Multiplier) == 0 {
		return []any{nil, nil, nil}
	}
	low, sum, high := r.Multiplier[0][0], results.Number(0), r.Multiplier[0][2]
	for _, m := range r.Multiplier {
		low, sum, high = min(low, m[0]), sum+m[1], max(high, m[2])
	}
	return []any{float64(low), float64(sum) / float64(len(r.Multiplier)), float64(high)}
}
