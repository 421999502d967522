package results

import (
	"bytes"
	"fmt"
	"slices"

	"banditsim/internal/jsonread"
	"banditsim/results/internal/jsonl"
)

// parseRound reads the line of round n of a trial with the given number of arms.
func parseRound(line []byte, n, arms int) (*Round, error) {
	r := new(Round)
	if err := jsonl.DecodeStrict(line, r); err != nil {
		return nil, fmt.Errorf("round: %w", err)
	}
	return r, r.check(n, arms)
}

// parse reads the line of round n and checks it: all fields if whole, otherwise those up to Wrong. It keeps
// r's slices to allocate nothing, and is twenty times as fast as parseRound, which it calls for
// lines that Writer does not write.
func (r *Round) parse(line []byte, n, arms, pulls int, whole bool) error {
	f := fieldReader{jsonread.New(line)}
	f.Skip(`{"round":`)
	r.Round = f.Int()
	f.Skip(`,"realised":`)
	r.Realised = f.Float()
	f.Skip(`,"expected":`)
	r.Expected = f.Float()
	f.Skip(`,"arms":`)
	r.Arms, r.Wrong = r.Arms[:0], r.Wrong[:0]
	for ok := f.Open(); ok; ok = f.More() {
		r.Arms = append(r.Arms, f.Int())
	}
	if f.Take(`,"wrong":`) {
		for ok := f.Open(); ok; ok = f.More() {
			f.Skip("[")
			row := f.Int()
			f.Skip(",")
			r.Wrong = append(r.Wrong, [2]int{row, f.Int()})
			f.Skip("]")
		}
	}
	if whole {
		r.parseDiagnostics(&f)
	}
	if f.Bad || string(f.Rest()) != "}\n" && (whole || !bytes.HasPrefix(f.Rest(), []byte(`,"energy":`))) {
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
	if f.Take(`,"energy":`) {
		r.Energy = f.numbers(r.Energy)
	}
	if f.Take(`,"bin":`) {
		for ok := f.Open(); ok; ok = f.More() {
			r.Bin = append(r.Bin, f.Int())
		}
	}
	if f.Take(`,"multiplier":`) {
		for ok := f.Open(); ok; ok = f.More() {
			var m [3]Number
			f.Skip("[")
			m[0] = f.number()
			f.Skip(",")
			m[1] = f.number()
			f.Skip(",")
			m[2] = f.number()
			f.Skip("]")
			r.Multiplier = append(r.Multiplier, m)
		}
	}
	if f.Take(`,"ess":`) {
		r.ESS = f.number()
	}
	if f.Take(`,"theta":`) {
		r.Theta = f.numbers(r.Theta)
	}
	if f.Take(`,"series":`) {
		for ok := f.Open(); ok; ok = f.More() {
			r.Series = slices.Grow(r.Series, 1)[:len(r.Series)+1] // keeps the names and values that were there
			s := &r.Series[len(r.Series)-1]
			f.Skip(`{"name":`)
			s.Name = f.Text(s.Name)
			unit := s.Unit
			if s.Unit = ""; f.Take(`,"unit":`) {
				s.Unit = f.Text(unit)
			}
			f.Skip(`,"values":`)
			s.Values = f.numbers(s.Values[:0])
			f.Skip("}")
		}
	}
}

// A fieldReader reads Numbers too.
type fieldReader struct{ jsonread.Reader }

// numbers appends a list of Numbers to to.
func (f *fieldReader) numbers(to []Number) []Number {
	for ok := f.Open(); ok; ok = f.More() {
		to = append(to, f.number())
	}
	return to
}

// number reads a Number, which may be NaN or infinite.
func (f *fieldReader) number() Number {
	if f.Next() == '"' {
		return f.notFinite()
	}
	return Number(f.Float())
}

func (f *fieldReader) notFinite() Number {
	b := f.Rest()
	end := min(len(b), len(`"+Inf"`))
	if short := len(`"NaN"`); end >= short && b[short-1] == '"' {
		end = short
	}
	var n Number
	f.Bad = n.UnmarshalJSON(b[:end]) != nil || f.Bad
	f.Advance(end)
	return n
}
