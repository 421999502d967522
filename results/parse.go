package results

import (
	"bytes"
	"fmt"
	"slices"
)

// parseRound reads the line of round n of a trial with the given number of arms.
func parseRound(line []byte, n, arms int) (*Round, error) {
	r := new(Round)
	if err := decodeStrict(line, r); err != nil {
		return nil, fmt.Errorf("round: %w", err)
	}
	return r, r.check(n, arms)
}

// parse reads and checks the line of round n, which must have the given number of pulls. It reads all fields if whole is
// set, otherwise those up to Wrong. It reuses r's slices and is about ten times as fast as parseRound. It calls parseRound
// for a line that is not in the form in which Writer writes lines.
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
