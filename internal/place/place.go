// Package place adds the position of a mistake to errors about user input: file:line:column, the line and a caret for
// files; the text and a caret for short texts such as a threshold.
package place

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Source is a text in which errors can point at a place.
type Source struct {
	name    string
	lines   []string
	lengths []int // lengths of the lines, in characters
}

// NewSource returns the source of a text. name is usually the path of a file.
func NewSource(name, text string) *Source {
	lines := strings.Split(text, "\n")
	lengths := make([]int, len(lines))
	for i, l := range lines {
		lines[i] = strings.TrimSuffix(l, "\r")
		lengths[i] = utf8.RuneCountInString(lines[i])
	}
	return &Source{name, lines, lengths}
}

// At returns the place at a line and column, both from 1, or the nearest place in the source. Columns count characters.
func (s *Source) At(line, column int) Place {
	line = min(max(line, 1), len(s.lines))
	return Place{s, line, min(max(column, 1), s.lengths[line-1]+1)}
}

// A Place is the position of a character in a source. The zero value is an unknown place.
type Place struct {
	source       *Source
	line, column int
}

// Known reports whether p is a place in a source.
func (p Place) Known() bool { return p.source != nil }

// String returns file:line:column of a known place.
func (p Place) String() string { return fmt.Sprintf("%s:%d:%d", p.source.name, p.line, p.column) }

// Wrap adds p to an error, unless the error has a place or p is unknown. If err wraps a TextError, whose text must
// begin at p, Wrap instead adds the place of the mistake within the text to TextError.Err, and drops the rest of err.
func (p Place) Wrap(err error) error {
	if err == nil || !p.Known() || errors.As(err, new(*Error)) {
		return err
	}
	if in, ok := errors.AsType[*TextError](err); ok {
		p = p.Within(in.Text, in.Offset)
		err = in.Err
	}
	return &Error{File: p.source.name, Line: p.line, Column: p.column, Text: p.source.lines[p.line-1], Err: err}
}

// Within returns the place of the byte text[offset]. The text, or a quotation mark before it, must begin at p. Within
// returns p if the source has the text in another form, such as over several lines.
func (p Place) Within(text string, offset int) Place {
	if !p.Known() {
		return p
	}
	rest := []rune(p.source.lines[p.line-1])[p.column-1:]
	quote := 0
	if len(rest) > 0 && (rest[0] == '"' || rest[0] == '\'') {
		quote = 1
	}
	if strings.HasPrefix(string(rest[quote:]), text) {
		p.column += quote + utf8.RuneCountInString(text[:offset])
	}
	return p
}

// An Error is a mistake at a place in a file.
type Error struct {
	File         string
	Line, Column int    // from 1; columns count characters
	Text         string // the line
	Err          error
}

// Error returns file:line:column and the cause, then the line, then a caret below the column.
func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %v\n%s", e.File, e.Line, e.Column, e.Err, excerpt(e.Text, e.Column))
}

func (e *Error) Unwrap() error { return e.Err }

// A TextError is a mistake in a short text.
type TextError struct {
	Text   string
	Offset int // in bytes, at most len(Text)
	Err    error
}

// Error returns the cause, then the text, then a caret below the mistake.
func (e *TextError) Error() string {
	return fmt.Sprintf("%v\n%s", e.Err, excerpt(e.Text, utf8.RuneCountInString(e.Text[:e.Offset])+1))
}

func (e *TextError) Unwrap() error { return e.Err }

// around is the number of characters shown on either side of the caret in a long line.
const around = 60

// excerpt returns the line, or the part around the column if it is long, with a caret below the column.
func excerpt(line string, column int) string {
	text := []rune(line)
	at := column - 1
	end, tail := len(text), ""
	if end > 2*around && end > at+around {
		end, tail = at+around, "…"
	}
	begin, head := 0, ""
	if len(text) > 2*around && at > around {
		begin, head = at-around, "…"
	}
	var pad strings.Builder
	for _, r := range head + string(text[begin:at]) {
		if r != '\t' {
			r = ' '
		}
		pad.WriteRune(r)
	}
	return "  " + head + strings.Map(printable, string(text[begin:end])) + tail + "\n  " + pad.String() + "^"
}

// printable returns r, or ? for characters that could change what a terminal shows.
func printable(r rune) rune {
	if r == '\t' || unicode.IsPrint(r) {
		return r
	}
	return '?'
}
