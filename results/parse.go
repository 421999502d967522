package results

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
)

// parseRound reads the line of round n of a trial with the given number of arms.
func parseRound(line []byte, n, arms int) (*Round, error) {
	r := new(Round)
	if err := decodeStrict(line, r); err != nil {
		return nil, fmt.Errorf("round: %w", err)
	}
	return r, r.check(n, arms)
}

// parse reads the line of round n and checks it: all fields if whole, otherwise those up to Wrong. It keeps
// r's slices to allocate nothing, and is thirty times as fast as parseRound, which it calls for
// lines that Writer does not write.
func (r *Round) parse(line []byte, n, arms, pulls int, whole bool) error {
	f := fieldReader{rest: line}
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
	if f.bad || string(f.rest) != "}\n" && (whole || !bytes.HasPrefix(f.rest, []byte(`,"energy":`))) {
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
			f.skip("[")
			m[0] = f.number()
			f.skip(",")
			m[1] = f.number()
			f.skip(",")
			m[2] = f.number()
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
			r.Series = slices.Grow(r.Series, 1)[:len(r.Series)+1] // keeps the names and values that were there
			s := &r.Series[len(r.Series)-1]
			f.skip(`{"name":`)
			s.Name = f.text(s.Name)
			unit := s.Unit
			if s.Unit = ""; f.take(`,"unit":`) {
				s.Unit = f.text(unit)
			}
			f.skip(`,"values":`)
			s.Values = f.numbers(s.Values[:0])
			f.skip("}")
		}
	}
}

// A fieldReader reads JSON in the form in which Writer writes it. After the first mismatch it is bad.
type fieldReader struct {
	rest []byte
	bad  bool
}

// take skips text and reports whether it was there.
func (f *fieldReader) take(text string) bool {
	there := len(f.rest) >= len(text) && string(f.rest[:len(text)]) == text
	if there {
		f.rest = f.rest[len(text):]
	}
	return there
}

func (f *fieldReader) skip(text string) { f.bad = !f.take(text) || f.bad }

// open begins a list and reports whether it has an element.
func (f *fieldReader) open() bool {
	f.skip("[")
	return !f.bad && !f.take("]")
}

// more reports whether another element of the list follows.
func (f *fieldReader) more() bool {
	if f.bad || f.take(",") {
		return !f.bad
	}
	f.skip("]")
	return false
}

func (f *fieldReader) int() int {
	negative, v, i := f.take("-"), 0, 0
	for ; i < len(f.rest) && i < 18 && '0' <= f.rest[i] && f.rest[i] <= '9'; i++ {
		v = 10*v + int(f.rest[i]-'0')
	}
	f.bad = f.bad || i == 0 || i == 18
	f.rest = f.rest[i:]
	if negative {
		return -v
	}
	return v
}

// text reads a string of plain ASCII characters. It returns old if that is the same.
func (f *fieldReader) text(old string) string {
	f.skip(`"`)
	end := bytes.IndexByte(f.rest, '"')
	if f.bad || end < 0 || slices.ContainsFunc(f.rest[:end], func(c byte) bool { return c < ' ' || c == '\\' || c > '~' }) {
		f.bad = true
		return ""
	}
	b := f.rest[:end]
	f.rest = f.rest[end+1:]
	if string(b) == old {
		return old
	}
	return string(b)
}

// numbers appends a list of Numbers to to.
func (f *fieldReader) numbers(to []Number) []Number {
	for ok := f.open(); ok; ok = f.more() {
		to = append(to, f.number())
	}
	return to
}

// number reads a Number, which may be NaN or infinite.
func (f *fieldReader) number() Number {
	if len(f.rest) == 0 || f.rest[0] != '"' {
		return Number(f.float())
	}
	var n Number
	end := min(len(f.rest), len(`"+Inf"`))
	if short := len(`"NaN"`); end >= short && f.rest[short-1] == '"' {
		end = short
	}
	f.bad = n.UnmarshalJSON(f.rest[:end]) != nil || f.bad
	f.rest = f.rest[end:]
	return n
}

// float reads a number, correctly rounded. strconv reads those of more than 19 digits and those with an exponent.
func (f *fieldReader) float() float64 {
	b, i := f.rest, 0
	negative := len(b) > 0 && b[0] == '-'
	if negative {
		i = 1
	}
	first := i
	var m uint64 // all digits
	for ; i < len(b) && '0' <= b[i] && b[i] <= '9'; i++ {
		m = 10*m + uint64(b[i]-'0')
	}
	whole, places := i-first, 0
	f.bad = f.bad || whole == 0 || whole > 1 && b[first] == '0'
	small := m == 0 && whole == 1 // leading zeros of the fraction are no digits of m
	if i < len(b) && b[i] == '.' {
		i++
		point := i
		for ; i+8 <= len(b); i += 8 {
			v, ok := eightDigits(b[i:])
			if !ok {
				break
			}
			m = 1e8*m + v
		}
		for ; i < len(b) && '0' <= b[i] && b[i] <= '9'; i++ {
			m = 10*m + uint64(b[i]-'0')
		}
		places = i - point
		f.bad = f.bad || places == 0
	}
	var v float64
	if exact := places < len(powersOfTen) && (small || whole+places < len(powersOfTen)); exact && (i == len(b) || b[i] != 'e' && b[i] != 'E') {
		v = quotient(m, powersOfTen[places])
		if negative {
			v = -v
		}
	} else {
		for i < len(b) && (b[i] == '-' || b[i] == '+' || b[i] == 'e' || b[i] == 'E' || '0' <= b[i] && b[i] <= '9') {
			i++
		}
		var err error
		v, err = strconv.ParseFloat(string(b[:i]), 64)
		f.bad = f.bad || err != nil
	}
	f.rest = b[i:]
	return v
}

var powersOfTen = func() (p [20]uint64) {
	p[0] = 1
	for i := range p[1:] {
		p[i+1] = 10 * p[i]
	}
	return p
}()

// eightDigits returns the value of the first eight characters of b and whether all are digits. It works on all
// at once: pairs of digits, then pairs of those, then the two halves.
func eightDigits(b []byte) (uint64, bool) {
	v := binary.LittleEndian.Uint64(b)
	const sixes, high, zeros = 0x0606060606060606, 0xF0F0F0F0F0F0F0F0, 0x3030303030303030
	if v&high != zeros || (v+sixes)&high != zeros {
		return 0, false
	}
	v -= zeros
	v = v*10 + v>>8
	const halves = 0x000000FF000000FF
	return (v&halves*(100+1000000<<32) + v>>16&halves*(1+10000<<32)) >> 32, true
}

// quotient returns m/d for a power of ten d, correctly rounded to even.
func quotient(m, d uint64) float64 {
	if m < 1<<53 { // both are exact in float64, as 5¹⁹ < 2⁵³
		return float64(m) / float64(d)
	}
	// Both are shifted to have their highest bit set, so that the quotient has all 64 bits.
	shiftM, shiftD := bits.LeadingZeros64(m), bits.LeadingZeros64(d)
	high, low, exponent := m<<shiftM, uint64(0), shiftD-shiftM-64
	if d <<= shiftD; high >= d {
		high, low, exponent = high>>1, high<<63, exponent+1
	}
	q, rest := bits.Div64(high, low, d)
	mantissa, below := q>>11, q&(1<<11-1)
	if half := uint64(1 << 10); below > half || below == half && (rest > 0 || mantissa&1 == 1) {
		mantissa++ // it may become 2⁵³, which adds one to the exponent, as it should
	}
	return math.Float64frombits(uint64(exponent+11+52+1023)<<52 + mantissa - 1<<52)
}
