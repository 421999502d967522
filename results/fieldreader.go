package results

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// A fieldReader reads JSON in exactly the form that Writer writes, without white space, about ten times as fast as
// encoding/json. If the text has another form, even if it is valid JSON, bad is set, and later results mean nothing.
type fieldReader struct {
	bad  bool
	text []byte
	at   int // offset in text of the next byte to read
}

// rest returns the text that has not been read.
func (f *fieldReader) rest() []byte { return f.text[f.at:] }

// take skips its argument if that comes next, and reports whether it does.
func (f *fieldReader) take(text string) bool {
	end := f.at + len(text)
	there := end <= len(f.text) && string(f.text[f.at:end]) == text
	if there {
		f.at = end
	}
	return there
}

// skip skips its argument, and sets bad if that does not come next.
func (f *fieldReader) skip(text string) { f.bad = !f.take(text) || f.bad }

// takeByte is take for a single byte.
func (f *fieldReader) takeByte(c byte) bool {
	there := f.at < len(f.text) && f.text[f.at] == c
	if there {
		f.at++
	}
	return there
}

// open reads the beginning of a list, or the whole of an empty list, and reports whether the list has an element.
func (f *fieldReader) open() bool {
	f.bad = !f.takeByte('[') || f.bad
	return !f.bad && !f.takeByte(']')
}

// more reads the comma or the bracket after an element of a list, and reports whether another element follows.
func (f *fieldReader) more() bool {
	if f.bad || f.takeByte(',') {
		return !f.bad
	}
	f.bad = !f.takeByte(']')
	return false
}

// int reads a whole number of at most 17 digits, without leading zeros.
func (f *fieldReader) int() int {
	negative := f.takeByte('-')
	b, first, v := f.text, f.at, 0
	for f.at < len(b) && b[f.at]-'0' < 10 {
		v = 10*v + int(b[f.at]-'0')
		f.at++
	}
	digits := f.at - first
	f.bad = f.bad || digits == 0 || digits > 17 || digits > 1 && b[first] == '0'
	if negative {
		return -v
	}
	return v
}

// string reads a string of printable ASCII without escapes. If it equals old, old is returned without allocation.
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

// float reads a finite number.
func (f *fieldReader) float() float64 {
	first := f.at
	f.takeByte('-')
	digits := f.at
	for f.at < len(f.text) && (f.text[f.at]-'0' < 10 || strings.IndexByte(".eE+-", f.text[f.at]) >= 0) {
		f.at++
	}
	b := f.text[digits:f.at]
	v, err := strconv.ParseFloat(string(f.text[first:f.at]), 64)
	// ParseFloat also accepts .5, 5. and 05, which are not JSON.
	point := bytes.IndexByte(b, '.') + 1
	f.bad = f.bad || err != nil || b[0]-'0' >= 10 || b[0] == '0' && len(b) > 1 && b[1]-'0' < 10 || point > 0 && (point == len(b) || b[point]-'0' >= 10)
	return v
}

// number reads a Number, which may be NaN or infinite.
func (f *fieldReader) number() (n Number) {
	first := f.at
	if !f.takeByte('"') {
		return Number(f.float())
	}
	end := f.at + 1 + max(bytes.IndexByte(f.rest(), '"'), 0)
	f.bad = end > len(f.text) || n.UnmarshalJSON(f.text[first:min(end, len(f.text))]) != nil || f.bad
	f.at = min(end, len(f.text))
	return n
}

// numbers reads a list of Numbers and appends them to list.
func (f *fieldReader) numbers(list []Number) []Number {
	for ok := f.open(); ok; ok = f.more() {
		list = append(list, f.number())
	}
	return list
}
