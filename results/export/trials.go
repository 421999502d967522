package export

import (
	"fmt"

	"banditsim/internal/parquet"
	"banditsim/results"
	"banditsim/results/compare"
)

// trialColumns returns the columns of a row for each trial. None depends on the machine: the same trials
// give the same rows, wherever they ran.
func (l *layout) trialColumns() []Column {
	columns := []Column{
		{"trial", parquet.String, false}, {"environment", parquet.String, false}, {"setting", parquet.String, false}, {"data_sha256", parquet.String, false}, {"epoch", parquet.Int32, false},
		{"policy", parquet.String, false}, {"policy_name", parquet.String, false},
	}
	if l.options {
		columns = append(columns, Column{"options", parquet.String, false})
	}
	columns = append(columns, []Column{
		{"seed", parquet.Uint64, false}, {"failed", parquet.Bool, false},
		{"rounds", parquet.Int32, false}, {"realised", parquet.Float64, false}, {"expected", parquet.Float64, false}, {"realised_after", parquet.Float64, false}, {"expected_after", parquet.Float64, false},
		{"mistakes", parquet.Int32, false}, {"steps", parquet.Uint64, true}, {"sha256", parquet.String, false},
	}...)
	for _, m := range compare.ScoreMeasures {
		columns = append(columns, Column{m.Name, parquet.Float64, true})
	}
	return l.withParameters(columns)
}

// writeTrial writes the row of a trial. The columns, with their Parquet types:
//
//	trial              string   id of the trial
//	environment        string   name
//	setting            string   name of the environment in an experiment on several; without one, as results.Set.Label
//	data_sha256        string   of the data, in hexadecimal
//	epoch              int32    results epoch
//	policy             string   label
//	policy_name        string   name
//	options            string   resolved options, as JSON; with Options.PolicyOptions alone
//	seed               uint64
//	failed             bool     whether the trial ended before its last round
//	rounds             int32    finished
//	realised           float64  cumulative regret by rewards received, in units of reward
//	expected           float64  cumulative regret by expected rewards
//	realised_after     float64  the same after burn-in
//	expected_after     float64
//	mistakes           int32    pulls of an arm that was not the best
//	steps              uint64   gradient steps of all chains; null in trials without that record
//	sha256             string   the checksum in the trial file's last line, of all before it
//	log_loss           float64  of the recorded score (bandit.Score); null without one
//	joint_log_loss     float64  NaN if the posterior's draws hold for one context each
//	calibration_error  float64
//	option_NAME        string   as in Write
func (l *layout) writeTrial(out rowWriter, set *results.Set, p results.PolicyRecords, rec results.Record) error {
	env, end := set.Conditions.Environment, rec.Totals
	row := []any{rec.ID(), env.Name, set.Label, env.Data.SHA256, int32(set.Conditions.Epoch), p.Label, p.Policy.Name}
	if l.options {
		row = append(row, string(p.Policy.Options))
	}
	var steps any
	scores := make([]any, len(compare.ScoreMeasures))
	s, err := rec.Sidecar()
	if err == nil && s.Steps != nil {
		steps = uint64(*s.Steps)
	}
	if err == nil && s.Score != nil && s.Score.Failure == "" {
		for i, m := range compare.ScoreMeasures {
			scores[i] = m.Of(s.Score.Values())
		}
	}
	row = append(row, rec.Seed, end.Failure != nil, int32(end.Rounds), end.Realised, end.Expected, end.RealisedAfter, end.ExpectedAfter,
		int32(end.Mistakes), steps, fmt.Sprintf("%x", rec.Sum()))
	row = append(row, scores...)
	return out.Write(append(row, l.parameterTexts(set, p.Label)...))
}
