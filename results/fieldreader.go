package results

import (
	"bytes"
	"math"
	"math/bits"
	"slices"
	"strconv"
)

// A fieldReader reads JSON of a known form without white space, as Writer writes it, some ten times as fast as
// encoding/json. After the first mismatch it is bad, and what it returns means nothing: what it rejects may still be JSON.
type fieldReader struct {
	bad  bool
	text []byte
	at   int // what was read of text
}

// peek returns the next byte, 0 at the end.
func (f *fieldReader) peek() byte {
	if f.at < len(f.text) {
		return f.text[f.at]
	}
	return 0
}

// rest returns what has not been read.
func (f *fieldReader) rest() []byte { return f.text[f.at:] }

// take skips text and reports whether it was there.
func (f *fieldReader) take(text string) bool {
	end := f.at + len(text)
	there := end <= len(f.text) && string(f.text[f.at:end]) == text
	if there {
		f.at = end
	}
	return there
}

// skip skips text, which must be there.
func (f *fieldReader) skip(text string) { f.bad = !f.take(text) || f.bad }

// is skips c and reports whether it was there.
func (f *fieldReader) is(c byte) bool {
	there := f.at < len(f.text) && f.text[f.at] == c
	if there {
		f.at++
	}
	return there
}

// open begins a list and reports whether it has an element.
func (f *fieldReader) open() bool {
	f.bad = !f.is('[') || f.bad
	return !f.bad && !f.is(']')
}

// more reports whether another element of the list follows.
func (f *fieldReader) more() bool {
	if f.bad || f.is(',') {
		return !f.bad
	}
	f.bad = !f.is(']')
	return false
}

// int reads a whole number of at most 17 digits.
func (f *fieldReader) int() int {
	negative := f.is('-')
	b, first, v := f.text, f.at, 0
	for f.at < len(b) && b[f.at]-'0' < 10 {
		v = 10*v + int(b[f.at]-'0')
		f.at++
	}
	digits := f.at - first
	f.bad = f.bad || digits == 0 || digits > 17
	if negative {
		return -v
	}
	return v
}

// string reads a string of plain ASCII characters. It returns old if that is the same.
func (f *fieldReader) string(old string) string {
	f.skip(`"`)
	b := f.rest()
	end := bytes.IndexByte(b, '"')
	if f.bad || end < 0 || slices.ContainsFunc(b[:end], func(c byte) bool { return c < ' ' || c == '\\' || c > '~' }) {
		f.bad = true
		return ""
	}
	f.at += end + 1
	if b = b[:end]; string(b) == old {
		return old
	}
	return string(b)
}

// float reads a finite number, correctly rounded. strconv reads those of more than 19 digits and those with an exponent.
func (f *fieldReader) float() float64 {
	first := f.at
	negative := f.is('-')
	digits := f.at
	m := f.digits(0)
	whole, places := f.at-digits, 0
	good := whole == 1 || whole > 1 && f.text[digits] != '0'
	if f.is('.') {
		point := f.at
		m = f.digits(m)
		places = f.at - point
		good = good && places > 0
	}
	if c := f.peek(); c == 'e' || c == 'E' || whole+places >= len(powersOfTen) {
		for f.at < len(f.text) && bytes.IndexByte([]byte("eE+-0123456789"), f.text[f.at]) >= 0 {
			f.at++
		}
		v, err := strconv.ParseFloat(string(f.text[first:f.at]), 64)
		f.bad = f.bad || !good || err != nil
		return v
	}
	f.bad = f.bad || !good
	v := float64(m)
	switch {
	case places == 0 || m == 0:
	case m < 1<<53:
		v /= float64(powersOfTen[places]) // both are exact
	default:
		v = quotient(m, places)
	}
	if negative {
		return -v
	}
	return v
}

// digits reads digits and returns the number that they make after those of m.
func (f *fieldReader) digits(m uint64) uint64 {
	b, i := f.text, f.at
	for ; i < len(b) && b[i]-'0' < 10; i++ {
		m = 10*m + uint64(b[i]-'0')
	}
	f.at = i
	return m
}

// powersOfTen are those that uint64 holds. Up to 10²² a float64 is exact.
var powersOfTen = func() (p [20]uint64) {
	p[0] = 1
	for i := range p[1:] {
		p[i+1] = 10 * p[i]
	}
	return p
}()

// quotient returns m/10^places, rounded to even, for m above zero.
func quotient(m uint64, places int) float64 {
	d := powersOfTen[places]
	shift, scale := bits.LeadingZeros64(m), bits.LeadingZeros64(d)
	// With their highest bits set, m is below d and not below half of it, so that the quotient has all 64 bits.
	high, low, exponent := m<<shift, uint64(0), scale-shift-64
	if d <<= scale; high >= d {
		high, low, exponent = high>>1, high<<63, exponent+1
	}
	q, rest := bits.Div64(high, low, d)
	mantissa, below := q>>11, q&(1<<11-1)
	if half := uint64(1 << 10); below > half || below == half && (rest > 0 || mantissa&1 == 1) {
		mantissa++ // it may become 2⁵³, which adds one to the exponent, as it should
	}
	return math.Float64frombits(uint64(exponent+11+52+1023)<<52 + mantissa - 1<<52)
}

// number reads a Number, which may be NaN or infinite.
func (f *fieldReader) number() (n Number) {
	if f.peek() != '"' {
		return Number(f.float())
	}
	end := f.at + 2 + max(bytes.IndexByte(f.text[f.at+1:], '"'), 0)
	f.bad = end > len(f.text) || n.UnmarshalJSON(f.text[f.at:min(end, len(f.text))]) != nil || f.bad
	f.at = min(end, len(f.text))
	return n
}

// numbers appends a list of Numbers to to.
func (f *fieldReader) numbers(to []Number) []Number {
	for ok := f.open(); ok; ok = f.more() {
		to = append(to, f.number())
	}
	return to
}
