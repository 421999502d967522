package results

import (
	"fmt"
	"math"
	"math/bits"

	"banditsim/bandit"
)

// A Round is the line of one round in a trial file.
type Round struct {
	Round int `json:"round"` // number of the round, from 1
	// Realised and Expected are the regrets of this round alone, summed over its pulls; see bandit.RoundRecord.
	Realised float64 `json:"realised"`
	Expected float64 `json:"expected"`
	Arms     []int   `json:"arms"` // number of pulls of every arm
	// Wrong has the data row (−1 in environments without data) and the arm of each pull of an arm that was not the best.
	Wrong [][2]int `json:"wrong,omitempty"`
	// Energy has the last energy of each chain; it is empty without a sampler.
	Energy []Number `json:"energy,omitempty"`
	// Bin has the number of each chain's energy bin, from 1; 0 if the energy is in no bin. Multiplier has the lowest, mean
	// and highest contour multiplier of each chain. Both are empty without a contour.
	Bin        []int       `json:"bin,omitempty"`
	Multiplier [][3]Number `json:"multiplier,omitempty"`
	ESS        Number      `json:"ess,omitzero"`    // effective sample size of the chains' weights
	Theta      []Number    `json:"theta,omitempty"` // the contour's θ, in every 50th round and the last
	Series     []Series    `json:"series,omitempty"`
}

// A Series is a diagnostic that the sampler or the policy defines, with its values in one round.
type Series struct {
	Name   string   `json:"name"`
	Unit   string   `json:"unit,omitempty"`
	Values []Number `json:"values"` // one value, or one per chain
}

// check returns an error unless r can be round n of a trial with the given number of arms.
func (r *Round) check(n, arms int) error {
	switch {
	case r.Round != n:
		return fmt.Errorf("round %d, want round %d", r.Round, n)
	case len(r.Arms) != arms:
		return fmt.Errorf("pulls of %d arms, want %d", len(r.Arms), arms)
	case len(r.Bin) > 0 && len(r.Bin) != len(r.Energy), len(r.Multiplier) > 0 && len(r.Multiplier) != len(r.Energy):
		return fmt.Errorf("%d energies, %d bins and %d multipliers, want as many of each", len(r.Energy), len(r.Bin), len(r.Multiplier))
	}
	for _, w := range r.Wrong {
		if w[1] < 0 || w[1] >= arms {
			return fmt.Errorf("wrong pull of arm %d, want 0 to %d", w[1], arms-1)
		}
	}
	return nil
}

// hash adds the fields of r up to Wrong to h, the hash of the earlier rounds, and returns the result.
func (r *Round) hash(h uint64) uint64 {
	add := func(v uint64) { h = bits.RotateLeft64((h^v)*0x9e3779b97f4a7c15, 31) }
	add(math.Float64bits(r.Realised))
	add(math.Float64bits(r.Expected))
	for _, pulls := range r.Arms {
		add(uint64(pulls))
	}
	for _, w := range r.Wrong {
		add(uint64(w[0]))
		add(uint64(w[1]))
	}
	return h
}

// set fills r from a round of a trial, with θ only if withTheta is set. It reuses the memory of r.Wrong.
func (r *Round) set(from *bandit.RoundRecord, withTheta bool) {
	d := &from.Diagnostics
	*r = Round{Round: from.Round, Realised: from.Realised, Expected: from.Expected, Arms: from.Arms, Wrong: r.Wrong[:0]}
	for _, m := range from.Mistakes {
		r.Wrong = append(r.Wrong, [2]int{m.Row, m.Arm})
	}
	for _, s := range d.Series {
		r.Series = append(r.Series, Series{s.Name, s.Unit, numbersOf(s.Values)})
	}
	if len(d.Chains) == 0 {
		return
	}
	r.ESS = Number(d.WeightESS)
	for _, c := range d.Chains {
		r.Energy = append(r.Energy, Number(c.Energy))
		if d.Theta != nil {
			r.Bin = append(r.Bin, c.Bin)
			r.Multiplier = append(r.Multiplier, [3]Number{Number(c.MultiplierMin), Number(c.MultiplierMean), Number(c.MultiplierMax)})
		}
	}
	if withTheta {
		r.Theta = numbersOf(d.Theta)
	}
}

func numbersOf(list []float64) []Number {
	numbers := make([]Number, len(list))
	for i, v := range list {
		numbers[i] = Number(v)
	}
	return numbers
}
