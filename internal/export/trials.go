package export

import (
	"fmt"

	"banditsim/results/compare"
)

// trialColumns returns the columns of tables of trials. None of them depends on the machine on which a trial ran.
func (l *layout) trialColumns() sheet {
	s := sheet{trialColumn, environmentColumn, settingColumn, dataHashColumn, epochColumn}
	s = append(s, l.policyColumns()...)
	s = append(s,
		seedColumn,
		failedColumn,
		each("rounds", Int32, "", "finished", func(r *row) any { return int32(r.record.Totals.Rounds) }),
		each("realised", Float64, "reward", "cumulative regret, by the rewards received", func(r *row) any { return r.record.Totals.Realised }),
		each("expected", Float64, "reward", "cumulative regret, by expected rewards", func(r *row) any { return r.record.Totals.Expected }),
		each("realised_after", Float64, "reward", "`realised` after burn-in", func(r *row) any { return r.record.Totals.RealisedAfter }),
		each("expected_after", Float64, "reward", "`expected` after burn-in", func(r *row) any { return r.record.Totals.ExpectedAfter }),
		each("mistakes", Int32, "pulls", "pulls of an arm that did not have the highest expected reward", func(r *row) any { return int32(r.record.Totals.Mistakes) }),
		each("steps", Uint64, "", "gradient steps of all chains; null in trials of older versions", func(r *row) any {
			if r.sidecar == nil || r.sidecar.Steps == nil {
				return nil
			}
			return uint64(*r.sidecar.Steps)
		}).orNull(),
		each("sha256", String, "", "the checksum in the last line of the trial file: SHA-256 of all bytes before it", func(r *row) any { return fmt.Sprintf("%x", r.record.Sum) }),
	)
	for _, m := range compare.ScoreMeasures() {
		s = append(s, each(m.Name, Float64, m.Unit, m.Doc, func(r *row) any {
			if r.sidecar == nil || r.sidecar.Score == nil || r.sidecar.Score.Failure != "" {
				return nil
			}
			return m.Of(r.sidecar.Score.Values())
		}).orNull())
	}
	return append(s, l.parameterColumns()...)
}

// writeSums writes the row of the trial r.record.
func (s sheet) writeSums(out func([]any) error, r row) error {
	if sidecar, err := r.record.Sidecar(); err == nil {
		r.sidecar = &sidecar
	}
	return s.writer(out)(&r)
}
