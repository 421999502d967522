package export

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"

	"banditsim/internal/parquet"
	"banditsim/internal/wholefile"
	"banditsim/results"
)

// pullColumns are the columns of WritePulls.
var pullColumns = []Column{
	{"trial", parquet.String, false}, {"environment", parquet.String, false}, {"policy", parquet.String, false}, {"policy_name", parquet.String, false}, {"seed", parquet.Uint64, false},
	{"round", parquet.Int32, false}, {"pull", parquet.Int32, false}, {"row", parquet.Int32, true}, {"arm", parquet.Int32, false}, {"arm_name", parquet.String, false},
	{"reward", parquet.Float64, false}, {"expected_reward", parquet.Float64, false}, {"best_reward", parquet.Float64, false},
	{"realised", parquet.Float64, false}, {"expected", parquet.Float64, false}, {"mistake", parquet.Bool, false}, {"propensity", parquet.Float64, true},
}

// WritePulls writes a row for each pull of all trials, in the order of set, policy, seed and pull, as CSV or Parquet. A
// trial whose pulls were not recorded is an error; one whose pulls are damaged, and left out of its set, is left out. The columns, with their Parquet types:
//
//	trial            string   id of the trial
//	environment      string   name
//	policy           string   label
//	policy_name      string   name
//	seed             uint64
//	round            int32    from 1
//	pull             int32    from 1, in the whole trial
//	row              int32    data row of the context; null without data
//	arm              int32    from 0
//	arm_name         string
//	reward           float64  received
//	expected_reward  float64  of the arm
//	best_reward      float64  the highest expected reward
//	realised         float64  regret: best_reward − reward
//	expected         float64  regret: best_reward − expected_reward
//	mistake          bool     whether expected is above 0
//	propensity       float64  probability with which the arm was chosen; null if the policy does not know it
//
// Of a round, realised and expected add up in this order to those of Write, to the last digit. Pulls that do not are an error.
func WritePulls(w io.Writer, f Format, sets []*results.Set) error {
	if f == Archive {
		return errors.New("export: pulls go into .csv or .parquet")
	}
	return PullTable(sets).write(w, f)
}

// PullTable returns the pulls of all trials. WritePulls documents the columns and the order of the rows.
func PullTable(sets []*results.Set) *Table { return newTable("pulls", pullColumns, sets, writePulls) }

// WritePullsFile is WritePulls to a file, as WriteFile.
func WritePullsFile(path string, sets []*results.Set) error {
	f, err := FormatOf(path)
	if err != nil {
		return err
	}
	return wholefile.WriteFunc(path, func(w io.Writer) error { return WritePulls(w, f, sets) })
}

func writePulls(out rowWriter, set *results.Set, p results.PolicyRecords, rec results.Record) error {
	if rec.PullsDamaged() {
		return nil
	}
	env := set.Conditions.Environment
	row := []any{rec.ID(), env.Name, p.Label, p.Policy.Name, rec.Seed}
	constant := len(row)
	for pull, err := range rec.Pulls() {
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("the pulls of %s, seed %d, were not recorded: run the same command again with --record pulls", p.Label, rec.Seed)
		}
		if err != nil {
			return err
		}
		var data, propensity any
		if pull.Row >= 0 {
			data = int32(pull.Row)
		}
		if !math.IsNaN(pull.Propensity) {
			propensity = pull.Propensity
		}
		row = append(row[:constant], int32(pull.Round), int32(pull.T), data, int32(pull.Arm), env.Arms[pull.Arm], pull.Reward, pull.Expected, pull.Best,
			pull.Best-pull.Reward, pull.Best-pull.Expected, pull.Expected < pull.Best, propensity)
		if err := out.Write(row); err != nil {
			return err
		}
	}
	return nil
}
