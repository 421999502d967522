package export

import (
	"fmt"

	"banditsim/internal/parquet"
	"banditsim/results"
	"banditsim/results/compare"
)

// A sumsRow is what the columns of a row for each trial need.
type sumsRow struct {
	trialRow
	sidecar *results.Sidecar // nil if the trial has none that can be read
}

// trialColumns returns the columns of a row for each trial. None depends on the machine: the same trials give the same
// rows, wherever they ran.
func (l *layout) trialColumns() sheet[*sumsRow] {
	s := sheet[*sumsRow]{trialColumn[*sumsRow](), environmentColumn[*sumsRow](), settingColumn[*sumsRow](), dataHashColumn[*sumsRow](), epochColumn[*sumsRow]()}
	s = append(s, policyColumns[*sumsRow]()...)
	if l.options {
		s = append(s, optionsColumn[*sumsRow]())
	}
	s = append(s,
		seedColumn[*sumsRow](),
		failedColumn[*sumsRow](),
		each("rounds", parquet.Int32, "", "finished", func(r *sumsRow) any { return int32(r.record.Totals.Rounds) }),
		each("realised", parquet.Float64, "reward", "cumulative regret, by the rewards received", func(r *sumsRow) any { return r.record.Totals.Realised }),
		each("expected", parquet.Float64, "reward", "cumulative regret, by expected rewards", func(r *sumsRow) any { return r.record.Totals.Expected }),
		each("realised_after", parquet.Float64, "reward", "`realised` after burn-in", func(r *sumsRow) any { return r.record.Totals.RealisedAfter }),
		each("expected_after", parquet.Float64, "reward", "`expected` after burn-in", func(r *sumsRow) any { return r.record.Totals.ExpectedAfter }),
		each("mistakes", parquet.Int32, "pulls", "pulls of an arm that did not have the highest expected reward", func(r *sumsRow) any { return int32(r.record.Totals.Mistakes) }),
		each("steps", parquet.Uint64, "", "gradient steps of all chains; null in trials of older versions", func(r *sumsRow) any {
			if r.sidecar == nil || r.sidecar.Steps == nil {
				return nil
			}
			return uint64(*r.sidecar.Steps)
		}).orNull(),
		each("sha256", parquet.String, "", "the checksum in the last line of the trial file: SHA-256 of all bytes before it", func(r *sumsRow) any { return fmt.Sprintf("%x", r.record.Sum()) }),
	)
	for _, m := range compare.ScoreMeasures() {
		s = append(s, each(m.Name, parquet.Float64, m.Unit, m.Doc, func(r *sumsRow) any {
			if r.sidecar == nil || r.sidecar.Score == nil || r.sidecar.Score.Failure != "" {
				return nil
			}
			return m.Of(r.sidecar.Score.Values())
		}).orNull())
	}
	return append(s, parameterColumns[*sumsRow](l)...)
}

// writeSums writes the row of a trial.
func (l *layout) writeSums(s sheet[*sumsRow]) writeTrial {
	return func(out rowWriter, t trialRow) error {
		row := sumsRow{trialRow: t}
		if sidecar, err := t.record.Sidecar(); err == nil {
			row.sidecar = &sidecar
		}
		return (&line[*sumsRow]{sheet: s}).put(out, &row)
	}
}
