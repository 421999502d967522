// Package jsonread reads JSON of a known form by hand, some twenty times as fast as encoding/json. What it
// refuses may still be JSON, which encoding/json then reads.
package jsonread

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"strconv"
)

// A Reader reads JSON without white space. After the first mismatch it is bad, and what it returns means nothing.
type Reader struct {
	Bad  bool
	text []byte
	at   int // what was read of text; an index, as the garbage collector watches every move of a slice's start
}

// New returns a reader of text.
func New(text []byte) Reader { return Reader{text: text} }

// Rest returns what has not been read.
func (f *Reader) Rest() []byte { return f.text[f.at:] }

// Next returns the next byte, 0 at the end.
func (f *Reader) Next() byte {
	if f.at < len(f.text) {
		return f.text[f.at]
	}
	return 0
}

// Advance skips n bytes, which must be there.
func (f *Reader) Advance(n int) { f.at += n }

// Take skips text and reports whether it was there.
func (f *Reader) Take(text string) bool {
	end := f.at + len(text)
	there := end <= len(f.text) && string(f.text[f.at:end]) == text
	if there {
		f.at = end
	}
	return there
}

// Skip skips text, which must be there.
func (f *Reader) Skip(text string) { f.Bad = !f.Take(text) || f.Bad }

// is skips c and reports whether it was there.
func (f *Reader) is(c byte) bool {
	there := f.at < len(f.text) && f.text[f.at] == c
	if there {
		f.at++
	}
	return there
}

// Open begins a list and reports whether it has an element.
func (f *Reader) Open() bool {
	f.Bad = !f.is('[') || f.Bad
	return !f.Bad && !f.is(']')
}

// More reports whether another element of the list follows.
func (f *Reader) More() bool {
	if f.Bad {
		return false
	}
	if f.is(',') {
		return true
	}
	f.Bad = !f.is(']')
	return false
}

// Int reads a whole number of at most 17 digits.
func (f *Reader) Int() int {
	b, i := f.text, f.at
	negative := i < len(b) && b[i] == '-'
	if negative {
		i++
	}
	first, v := i, 0
	for ; i < len(b) && b[i]-'0' < 10; i++ {
		v = 10*v + int(b[i]-'0')
	}
	f.Bad, f.at = f.Bad || i == first || i-first > 17, i
	if negative {
		return -v
	}
	return v
}

// Text reads a string of plain ASCII characters. It returns old if that is the same.
func (f *Reader) Text(old string) string {
	f.Skip(`"`)
	b := f.Rest()
	end := bytes.IndexByte(b, '"')
	if f.Bad || end < 0 || slices.ContainsFunc(b[:end], func(c byte) bool { return c < ' ' || c == '\\' || c > '~' }) {
		f.Bad = true
		return ""
	}
	f.at += end + 1
	if b = b[:end]; string(b) == old {
		return old
	}
	return string(b)
}

// Float reads a number, correctly rounded. strconv reads those of more than 19 digits and those with an exponent.
func (f *Reader) Float() float64 {
	b := f.text[f.at:]
	i := 0
	if len(b) > 0 && b[0] == '-' {
		i = 1
	}
	first := i
	var m uint64 // all digits
	for ; i < len(b) && b[i]-'0' < 10; i++ {
		m = 10*m + uint64(b[i]-'0')
	}
	whole, places := i-first, 0
	good := whole == 1 || whole > 1 && b[first] != '0'
	if m == 0 && whole == 1 {
		whole = 0 // leading zeros of the fraction are no digits of m
	}
	if i < len(b) && b[i] == '.' {
		point := i + 1
		i = point
		for i+8 <= len(b) {
			v, n := digits(b[i : i+8])
			m, i = m*powersOfTen[n]+v, i+n
			if n < 8 {
				break
			}
		}
		for ; i < len(b) && b[i]-'0' < 10; i++ { // the end is near
			m = 10*m + uint64(b[i]-'0')
		}
		places = i - point
		good = good && places > 0
	}
	var v float64
	switch {
	case whole+places >= len(powersOfTen) || i < len(b) && b[i]|' ' == 'e':
		for i < len(b) && (b[i] == '-' || b[i] == '+' || b[i] == 'e' || b[i] == 'E' || '0' <= b[i] && b[i] <= '9') {
			i++
		}
		var err error
		v, err = strconv.ParseFloat(string(b[first:i]), 64)
		good = good && err == nil
	case places == 0:
		v = float64(m)
	default:
		v = quotient(m, places)
	}
	f.Bad = f.Bad || !good
	f.at += i
	if first == 1 {
		return -v
	}
	return v
}

var powersOfTen = func() (p [20]uint64) {
	p[0] = 1
	for i := range p[1:] {
		p[i+1] = 10 * p[i]
	}
	return p
}()

// digits returns the value of the digits that b begins with, of eight at most, and their number. It works on all at once,
// without a branch that depends on how many there are: pairs of digits, then pairs of those, then the two halves.
func digits(b []byte) (value uint64, n int) {
	const zeros, to128, high = 0x3030303030303030, 0x7676767676767676, 0x8080808080808080
	v := binary.LittleEndian.Uint64(b) ^ zeros       // a digit is its value, all else is above nine
	n = bits.TrailingZeros64((v|(v+to128))&high) / 8 // a carry changes bytes after the first that is no digit
	v <<= 64 - 8*n                                   // as if zeros stood before them
	v = v*10 + v>>8
	const halves = 0x000000FF000000FF
	return (v&halves*(100+1000000<<32) + v>>16&halves*(1+10000<<32)) >> 32, n
}

// A scale is a power of ten, shifted to have its highest bit set.
type scale struct {
	shift   int
	d       uint64 // the power
	inverse uint64 // 2¹²⁷/d, rounded down
}

var scales = func() (s [len(powersOfTen)]scale) {
	for i := range s[1:] {
		shift := bits.LeadingZeros64(powersOfTen[i+1])
		d := powersOfTen[i+1] << shift
		inverse, _ := bits.Div64(1<<63, 0, d)
		s[i+1] = scale{shift, d, inverse}
	}
	return s
}()

// quotient returns m/10^places, correctly rounded to even, for one place or more. It is division without its branches,
// which the processor cannot foretell, and mostly without dividing.
func quotient(m uint64, places int) float64 {
	if m == 0 {
		return 0
	}
	s := &scales[places]
	shift := bits.LeadingZeros64(m)
	// q is less than the exact product with 2¹²⁷/d, by less than two. Unless all bits below the one that decides the
	// rounding are ones, that bit and those above it are those of the product, and the product is no tie.
	q, _ := bits.Mul64(m<<shift, s.inverse)
	const below = 1<<9 - 1
	if q&below == below {
		return division(m, places)
	}
	full := q >> 63
	mantissa := (q>>(9+full) + 1) >> 1 // it may become 2⁵³, which adds one to the exponent, as it should
	return math.Float64frombits(uint64(s.shift-shift+int(full)+1022)<<52 + mantissa - 1<<52)
}

// division is quotient, for any m above zero.
func division(m uint64, places int) float64 {
	s := &scales[places]
	shift := bits.LeadingZeros64(m)
	// high is below d and not below half of it, so that the quotient has all 64 bits.
	high, low, exponent := m<<shift, uint64(0), s.shift-shift-64
	if high >= s.d {
		high, low, exponent = high>>1, high<<63, exponent+1
	}
	q, rest := bits.Div64(high, low, s.d)
	mantissa, below := q>>11, q&(1<<11-1)
	if half := uint64(1 << 10); below > half || below == half && (rest > 0 || mantissa&1 == 1) {
		mantissa++ // as above
	}
	return math.Float64frombits(uint64(exponent+11+52+1023)<<52 + mantissa - 1<<52)
}
