package compare

import (
	"fmt"

	"banditsim/internal/words"
	"banditsim/results"
)

// A FailedTrial ended before its last round.
type FailedTrial struct {
	Seed uint64 `json:"seed"`
	results.Failure
}

// FailedTrials are those of one policy, by seed.
type FailedTrials []FailedTrial

// Failed returns the records that have a failure; none are an empty list.
func Failed(records []results.Record) FailedTrials {
	failed := FailedTrials{}
	for _, t := range records {
		if f := t.Totals.Failure; f != nil {
			failed = append(failed, FailedTrial{t.Seed, *f})
		}
	}
	return failed
}

// Seeds returns the trials' seeds.
func (f FailedTrials) Seeds() []uint64 {
	var seeds []uint64
	for _, t := range f {
		seeds = append(seeds, t.Seed)
	}
	return seeds
}

// String returns "2 failed: seeds 3, 7".
func (f FailedTrials) String() string {
	of := "seeds"
	if len(f) == 1 {
		of = "seed"
	}
	return fmt.Sprintf("%d failed: %s %s", len(f), of, words.Ranges(f.Seeds()))
}
