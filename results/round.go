package results

import (
	"bytes"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"banditsim/bandit"
)

// A Round is the line of one round in a trial file.
type Round struct {
	Round int `json:"round"` // number of the round, from 1
	// Regret of the round alone, summed over its pulls; see bandit.RoundRecord.
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

// parseRound reads the line of round n of a trial with the given number of arms.
func parseRound(line []byte, n, arms int) (*Round, error) {
	r := new(Round)
	if err := decodeStrict(line, r); err != nil {
		return nil, fmt.Errorf("round: %w", err)
	}
	return r, r.check(n, arms)
}

// parse reads and checks the line of round n, which must have the given number of pulls. It reads all fields if whole
// is set, otherwise those up to Wrong. It reuses r's slices and is about ten times as fast as parseRound. It calls
// parseRound for a line that is not in the form in which Writer writes lines.
func (r *Round) parse(line []byte, n, arms, pulls int, whole bool) error {
	f := fieldReader{text: line}
	f.skip(`{"round":`)
	r.Round = f.int()
	f.skip(`,"realised":`)
	r.Realised = f.float()
	f.skip(`,"expected":`)
	r.Expected = f.float()
	f.skip(`,"arms":`)
	r.Arms, r.Wrong = r.Arms[:0], r.Wrong[:0]
	for ok := f.open(); ok; ok = f.more() {
		r.Arms = append(r.Arms, f.int())
	}
	if f.take(`,"wrong":`) {
		for ok := f.open(); ok; ok = f.more() {
			f.skip("[")
			row := f.int()
			f.skip(",")
			r.Wrong = append(r.Wrong, [2]int{row, f.int()})
			f.skip("]")
		}
	}
	if whole {
		r.parseDiagnostics(&f)
	}
	if f.bad || string(f.rest()) != "}\n" && (whole || !bytes.HasPrefix(f.rest(), []byte(`,"energy":`))) {
		round, err := parseRound(line, n, arms)
		if err != nil {
			return err
		}
		*r = *round
	}
	sum := 0
	for _, k := range r.Arms {
		if k < 0 {
			return fmt.Errorf("round: %d pulls of an arm", k)
		}
		sum += k
	}
	if sum != pulls {
		return fmt.Errorf("round: the arms have %d pulls in all, want %d", sum, pulls)
	}
	return r.check(n, arms)
}

// parseDiagnostics reads the fields after wrong.
func (r *Round) parseDiagnostics(f *fieldReader) {
	r.Energy, r.Bin, r.Multiplier, r.ESS = r.Energy[:0], r.Bin[:0], r.Multiplier[:0], 0
	r.Theta, r.Series = r.Theta[:0], r.Series[:0]
	if f.take(`,"energy":`) {
		r.Energy = f.numbers(r.Energy)
	}
	if f.take(`,"bin":`) {
		for ok := f.open(); ok; ok = f.more() {
			r.Bin = append(r.Bin, f.int())
		}
	}
	if f.take(`,"multiplier":`) {
		for ok := f.open(); ok; ok = f.more() {
			var m [3]Number
			for i, before := range []string{"[", ",", ","} {
				f.skip(before)
				m[i] = f.number()
			}
			f.skip("]")
			r.Multiplier = append(r.Multiplier, m)
		}
	}
	if f.take(`,"ess":`) {
		r.ESS = f.number()
	}
	if f.take(`,"theta":`) {
		r.Theta = f.numbers(r.Theta)
	}
	if f.take(`,"series":`) {
		for ok := f.open(); ok; ok = f.more() {
			r.Series = slices.Grow(r.Series, 1)[:len(r.Series)+1] // reuses the strings and slices of an earlier round
			s := &r.Series[len(r.Series)-1]
			f.skip(`{"name":`)
			s.Name = f.string(s.Name)
			unit := s.Unit
			if s.Unit = ""; f.take(`,"unit":`) {
				s.Unit = f.string(unit)
			}
			f.skip(`,"values":`)
			s.Values = f.numbers(s.Values[:0])
			f.skip("}")
		}
	}
}
