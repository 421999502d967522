package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"banditsim/results"
	"banditsim/results/compare"
)

func (l *layout) roundColumns() []Column {
	list := []Column{
		trialColumn,
		environmentColumn,
		column("data", "", "`uci`, `other`, `file`, or empty without data",
			func(r *row) string { return r.set.Conditions.Environment.Data.Name }),
		dataHashColumn,
		epochColumn,
	}
	list = append(list, l.policyColumns()...)
	list = append(list,
		seedColumn,
		failedColumn,
		column("round", "", "from 1", func(r *row) int32 { return int32(r.round.Round) }),
		column("after_burn_in", "", "whether all pulls of the round follow burn-in and the first training",
			func(r *row) bool { return r.round.Round >= r.set.Conditions.Protocol.AfterBurnIn() }),
		column("realised", "reward", "regret of the round, by the rewards received; can be negative",
			func(r *row) float64 { return r.round.Realised }),
		column("expected", "reward", "regret of the round, by expected rewards, without the noise of the draws",
			func(r *row) float64 { return r.round.Expected }),
		column("cumulative_realised", "reward", "sum of `realised` up to and including the round",
			func(r *row) float64 { return r.sumRealised }),
		column("cumulative_expected", "reward", "sum of `expected` up to and including the round",
			func(r *row) float64 { return r.sumExpected }),
	)
	for i, arm := range l.arms {
		list = append(list, nullable("arm_"+arm, "pulls",
			"pulls of the arm in the round, one column per arm; null if the trial has no such arm",
			func(r *row) (int32, bool) {
				if r.arms[i] < 0 {
					return 0, false
				}
				return int32(r.round.Arms[r.arms[i]]), true
			}))
	}
	multiplier := func(name, doc string, k int) Column {
		return nullable(name, "", doc, func(r *row) (float64, bool) { return r.multiplier[k], len(r.round.Multiplier) > 0 })
	}
	list = append(list,
		column("mistakes", "pulls", "pulls of an arm that did not have the highest expected reward",
			func(r *row) int32 { return int32(len(r.round.Wrong)) }),
		column("chains", "", "chains of the sampler; 0 without a sampler",
			func(r *row) int32 { return int32(max(len(r.round.Energy), r.chains)) }),
		nullable("energy", "", "last energy, mean over the chains; null in rounds without training", meanEnergy),
		nullable("weight_ess", "chains", "effective sample size of the chains' weights; null where `energy` is",
			func(r *row) (float64, bool) { return float64(r.round.ESS), r.round.ESS != 0 }),
		multiplier("multiplier_min",
			"lowest contour multiplier of the round, over chains and steps; null without a contour", 0),
		multiplier("multiplier_mean", "its mean over chains and steps", 1),
		multiplier("multiplier_max", "the highest", 2),
		settingColumn,
	)
	return append(list, l.parameterColumns()...)
}

// roundRows calls put with a row for each round of the trial r.record.
func (l *layout) roundRows(r row, put func(*row) error) error {
	for _, arm := range l.arms {
		r.arms = append(r.arms, slices.Index(r.set.Conditions.Environment.Arms, arm))
	}
	r.chains = chains(r.policy.Policy)
	for round, err := range r.record.Rounds() {
		if err != nil {
			return err
		}
		r.round, r.multiplier = round, multiplierRange(round)
		r.sumRealised, r.sumExpected = r.sumRealised+round.Realised, r.sumExpected+round.Expected
		if err := put(&r); err != nil {
			return err
		}
	}
	return nil
}

// chains returns the number of chains in the options of a policy's sampler, or 0 without a sampler. It is for rounds
// without training, whose records have no chains.
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

func meanEnergy(r *row) (mean float64, ok bool) {
	for _, v := range r.round.Energy {
		mean += float64(v)
	}
	return mean / float64(len(r.round.Energy)), len(r.round.Energy) > 0
}

// multiplierRange returns the lowest, mean and highest multiplier over the chains: each is NaN if it is NaN for any
// chain, and 0 without a contour.
func multiplierRange(r *results.Round) [3]float64 {
	if len(r.Multiplier) == 0 {
		return [3]float64{}
	}
	low, sum, high := r.Multiplier[0][0], results.Number(0), r.Multiplier[0][2]
	for _, m := range r.Multiplier {
		low, sum, high = min(low, m[0]), sum+m[1], max(high, m[2])
	}
	return [3]float64{float64(low), float64(sum) / float64(len(r.Multiplier)), float64(high)}
}

// trialColumns returns the columns of tables of trials. None of them depends on the machine on which a trial ran.
func (l *layout) trialColumns() []Column {
	list := []Column{trialColumn, environmentColumn, settingColumn, dataHashColumn, epochColumn}
	list = append(list, l.policyColumns()...)
	list = append(list,
		seedColumn,
		failedColumn,
		column("rounds", "", "finished", func(r *row) int32 { return int32(r.record.Totals.Rounds) }),
		column("realised", "reward", "cumulative regret, by the rewards received",
			func(r *row) float64 { return r.record.Totals.Realised }),
		column("expected", "reward", "cumulative regret, by expected rewards",
			func(r *row) float64 { return r.record.Totals.Expected }),
		column("realised_after", "reward", "`realised` after burn-in",
			func(r *row) float64 { return r.record.Totals.RealisedAfter }),
		column("expected_after", "reward", "`expected` after burn-in",
			func(r *row) float64 { return r.record.Totals.ExpectedAfter }),
		column("mistakes", "pulls", "pulls of an arm that did not have the highest expected reward",
			func(r *row) int32 { return int32(r.record.Totals.Mistakes) }),
		nullable("steps", "", "gradient steps of all chains; null in trials of older versions", func(r *row) (uint64, bool) {
			if r.sidecar.Steps == nil {
				return 0, false
			}
			return uint64(*r.sidecar.Steps), true
		}),
		column("sha256", "", "the checksum in the last line of the trial file: SHA-256 of all bytes before it",
			func(r *row) string { return fmt.Sprintf("%x", r.record.Sum) }),
	)
	for _, m := range compare.ScoreMeasures() {
		list = append(list, nullable(m.Name, m.Unit, m.Doc, func(r *row) (float64, bool) {
			score := r.sidecar.Score
			if score == nil || score.Failure != "" {
				return 0, false
			}
			return m.Of(score.Values()), true
		}))
	}
	return append(list, l.parameterColumns()...)
}

// trialRow calls put with the row of the trial r.record.
func trialRow(r row, put func(*row) error) error {
	r.sidecar, _ = r.record.Sidecar() // the zero Sidecar if it cannot be read
	return put(&r)
}

func pullColumns() []Column {
	return []Column{
		trialColumn,
		environmentColumn,
		labelColumn,
		nameColumn,
		seedColumn,
		column("round", "", "from 1", func(r *row) int32 { return int32(r.pull.Round) }),
		column("pull", "", "from 1, in the whole trial", func(r *row) int32 { return int32(r.pull.T) }),
		nullable("row", "", "data row of the context, from 0; null in environments without data",
			func(r *row) (int32, bool) { return int32(r.pull.Row), r.pull.Row >= 0 }),
		column("arm", "", "from 0", func(r *row) int32 { return int32(r.pull.Arm) }),
		column("arm_name", "", "its name", func(r *row) string { return r.set.Conditions.Environment.Arms[r.pull.Arm] }),
		column("reward", "reward", "received", func(r *row) float64 { return r.pull.Reward }),
		column("expected_reward", "reward", "expected reward of the arm", func(r *row) float64 { return r.pull.Expected }),
		column("best_reward", "reward", "the highest expected reward", func(r *row) float64 { return r.pull.Best }),
		column("realised", "reward", "regret: `best_reward` less `reward`",
			func(r *row) float64 { return r.pull.Best - r.pull.Reward }),
		column("expected", "reward", "regret: `best_reward` less `expected_reward`",
			func(r *row) float64 { return r.pull.Best - r.pull.Expected }),
		column("mistake", "", "whether the arm was not the best", func(r *row) bool { return r.pull.Expected < r.pull.Best }),
		nullable("propensity", "", "probability with which the arm was chosen: of the protocol in burn-in (1/K; 1 in the initial pulls, which take the arms in turn), "+
			"then of the policy; null if it does not know it (Thompson sampling over chains does not)",
			func(r *row) (float64, bool) { return r.pull.Propensity, !math.IsNaN(r.pull.Propensity) }),
		settingColumn,
	}
}

// pullRows calls put with a row for each pull of the trial r.record.
func pullRows(r row, put func(*row) error) error {
	if r.record.PullsDamaged {
		return nil
	}
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
