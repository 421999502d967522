package export

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"

	"banditsim/bandit"
	"banditsim/internal/parquet"
	"banditsim/internal/wholefile"
	"banditsim/results"
)

// A pulledRow is what the columns of a pull need.
type pulledRow struct {
	trialRow
	*bandit.PullRecord
}

// pullColumns returns the columns of a row for each pull.
func pullColumns() sheet[*pulledRow] {
	s := sheet[*pulledRow]{trialColumn[*pulledRow](), environmentColumn[*pulledRow]()}
	return append(append(s, policyColumns[*pulledRow]()...),
		seedColumn[*pulledRow](),
		each("round", parquet.Int32, "", "from 1", func(r *pulledRow) any { return int32(r.Round) }),
		each("pull", parquet.Int32, "", "from 1, in the whole trial", func(r *pulledRow) any { return int32(r.T) }),
		each("row", parquet.Int32, "", "data row of the context; null in environments without data", func(r *pulledRow) any {
			if r.Row < 0 {
				return nil
			}
			return int32(r.Row)
		}).orNull(),
		each("arm", parquet.Int32, "", "from 0", func(r *pulledRow) any { return int32(r.Arm) }),
		each("arm_name", parquet.String, "", "its name", func(r *pulledRow) any { return r.set.Conditions.Environment.Arms[r.Arm] }),
		each("reward", parquet.Float64, "reward", "received", func(r *pulledRow) any { return r.Reward }),
		each("expected_reward", parquet.Float64, "reward", "expected reward of the arm", func(r *pulledRow) any { return r.Expected }),
		each("best_reward", parquet.Float64, "reward", "the highest expected reward", func(r *pulledRow) any { return r.Best }),
		each("realised", parquet.Float64, "reward", "regret: `best_reward` less `reward`", func(r *pulledRow) any { return r.Best - r.Reward }),
		each("expected", parquet.Float64, "reward", "regret: `best_reward` less `expected_reward`", func(r *pulledRow) any { return r.Best - r.Expected }),
		each("mistake", parquet.Bool, "", "whether the arm was not the best", func(r *pulledRow) any { return r.Expected < r.Best }),
		each("propensity", parquet.Float64, "", "probability with which the arm was chosen: of the protocol in burn-in (1/K; 1 in the initial pulls, which take the arms in turn), "+
			"then of the policy; null if it does not know it (Thompson sampling over chains does not)", func(r *pulledRow) any {
			if math.IsNaN(r.Propensity) {
				return nil
			}
			return r.Propensity
		}).orNull())
}

// WritePulls writes a row for each pull of all trials, in the order of set, policy, seed and pull, as CSV or Parquet. A
// trial whose pulls were not recorded is an error; one whose pulls are damaged, and left out of its set, is left out. The columns are those of PullTable, which
// docs/export.md describes.
//
// The realised and expected regrets of a round add up in this order to those of Write, to the last digit. Pulls that do not are an error.
func WritePulls(w io.Writer, f Format, sets []*results.Set) error {
	if f == Archive {
		return errors.New("export: pulls go into .csv or .parquet")
	}
	return PullTable(sets).write(w, f)
}

// PullTable returns the pulls of all trials. WritePulls has the order of the rows.
func PullTable(sets []*results.Set) *Table {
	s := pullColumns()
	return newTable("pulls", s.columns(), sets, func(out rowWriter, t trialRow) error { return writePulls(out, s, t) })
}

// WritePullsFile is WritePulls to a file, as WriteFile.
func WritePullsFile(path string, sets []*results.Set) error {
	f, err := FormatOf(path)
	if err != nil {
		return err
	}
	return wholefile.WriteFunc(path, func(w io.Writer) error { return WritePulls(w, f, sets) })
}

func writePulls(out rowWriter, s sheet[*pulledRow], t trialRow) error {
	if t.record.PullsDamaged() {
		return nil
	}
	line, row := line[*pulledRow]{sheet: s}, pulledRow{trialRow: t}
	for pull, err := range t.record.Pulls() {
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("the pulls of %s, seed %d, were not recorded: run the same command again with --record pulls", t.policy.Label, t.record.Seed)
		}
		if err != nil {
			return err
		}
		row.PullRecord = pull
		if err := line.put(out, &row); err != nil {
			return err
		}
	}
	return nil
}
