// Package jsonread reads JSON of a known form by hand, some thirty times as fast as encoding/json. What it
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
	Rest []byte // what has not been read
	Bad  bool
}

// Take skips text and reports whether it was there.
func (f *Reader) Take(text string) bool {
	there := len(f.Rest) >= len(text) && string(f.Rest[:len(text)]) == text
	if there {
		f.Rest = f.Rest[len(text):]
	}
	return there
}

// Skip skips text, which must be there.
func (f *Reader) Skip(text string) { f.Bad = !f.Take(text) || f.Bad }

// Open begins a list and reports whether it has an element.
func (f *Reader) Open() bool {
	f.Skip("[")
	return !f.Bad && !f.Take("]")
}

// More reports whether another element of the list follows.
func (f *Reader) More() bool {
	if f.Bad || f.Take(",") {
		return !f.Bad
	}
	f.Skip("]")
	return false
}

// Int reads a whole number of at most 17 digits.
func (f *Reader) Int() int {
	negative, v, i := f.Take("-"), 0, 0
	for ; i < len(f.Rest) && i < 18 && '0' <= f.Rest[i] && f.Rest[i] <= '9'; i++ {
		v = 10*v + int(f.Rest[i]-'0')
	}
	f.Bad = f.Bad || i == 0 || i == 18
	f.Rest = f.Rest[i:]
	if negative {
		return -v
	}
	return v
}

// Text reads a string of plain ASCII characters. It returns old if that is the same.
func (f *Reader) Text(old string) string {
	f.Skip(`"`)
	end := bytes.IndexByte(f.Rest, '"')
	if f.Bad || end < 0 || slices.ContainsFunc(f.Rest[:end], func(c byte) bool { return c < ' ' || c == '\\' || c > '~' }) {
		f.Bad = true
		return ""
	}
	b := f.Rest[:end]
	f.Rest = f.Rest[end+1:]
	if string(b) == old {
		return old
	}
	return string(b)
}

// Float reads a number, correctly rounded. strconv reads those of more than 19 digits and those with an exponent.
func (f *Reader) Float() float64 {
	b, i := f.Rest, 0
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
	f.Bad = f.Bad || whole == 0 || whole > 1 && b[first] == '0'
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
		f.Bad = f.Bad || places == 0
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
		f.Bad = f.Bad || err != nil
	}
	f.Rest = b[i:]
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
