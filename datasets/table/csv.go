package table

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// openCSV reads comma-separated values (RFC 4180) with another separator if the first line has more of
// them: ';', a tab or '|'; or, if it has none of these, blanks. Blanks around cells are dropped.
//
// The first line holds the names of columns if header is yes, or if it is auto and no cell of the line is
// a number, is repeated in the line or occurs again in its column (see findHeader). Columns without a name have their
// number.
func openCSV(file string, b []byte, separator rune, o Options) (*source, error) {
	if separator == 0 {
		separator = findSeparator(b)
	}
	s := &source{}
	var err error
	if s.atLeast, err = scanCSV(file, b, byte(separator)); err != nil {
		return nil, err
	}
	records := func(f func([]cell) error) error { return readCSV(file, b, separator, f) }
	var first []cell
	err = records(func(cells []cell) error {
		first = append(first, cells...)
		return errEnough
	})
	switch {
	case err != nil && err != errEnough:
		return nil, err
	case first == nil:
		return nil, at(file, 1, 1, "there are no values in the file: want a row for each example")
	}
	if s.header = o.Header == "yes"; o.Header == "auto" {
		s.header, s.warning, err = findHeader(file, first, func(f func([]cell) error) error {
			if err := tooManyCells(file, s.atLeast-1, o.leastStored(len(first))); err != nil {
				return err
			}
			return records(f)
		})
		if err != nil {
			return nil, err
		}
	}
	if s.header {
		s.atLeast--
	}
	for i, c := range first {
		d := declaration{name: strconv.Itoa(i + 1)}
		if s.header && c.text != "" {
			d = declaration{name: c.text, line: c.line, column: c.column}
		}
		s.columns = append(s.columns, d)
	}
	s.target = len(first) - 1
	s.rows = func(f func([]cell) error) error {
		skip := s.header
		return records(func(cells []cell) error {
			if skip {
				skip = false
				return nil
			}
			return f(cells)
		})
	}
	return s, nil
}

// errEnough ends the reading of records.
var errEnough = errors.New("enough was read")

// findSeparator returns the separator of which the first line has most.
func findSeparator(b []byte) rune {
	b = bytes.TrimLeft(b[:min(len(b), maxRow)], "\r\n")
	line, _, _ := bytes.Cut(b, []byte{'\n'})
	best, most := ',', 0
	if bytes.IndexByte(bytes.TrimSpace(line), ' ') >= 0 {
		best = ' '
	}
	var count [utf8.RuneSelf]int
	quoted := false
	for _, c := range line {
		switch {
		case c == '"':
			quoted = !quoted
		case c < utf8.RuneSelf && !quoted:
			count[c]++
		}
	}
	for _, separator := range ",;\t|" {
		if n := count[separator]; n > most {
			best, most = separator, n
		}
	}
	return best
}

// readCSV calls f for every record until it returns an error.
func readCSV(file string, b []byte, separator rune, f func([]cell) error) error {
	r := csv.NewReader(bytes.NewReader(b))
	r.Comma, r.FieldsPerRecord, r.ReuseRecord, r.TrimLeadingSpace = separator, -1, true, separator != '\t'
	var cells []cell
	want, firstLine := 0, 0
	for {
		record, err := r.Read()
		var wrong *csv.ParseError
		switch {
		case err == io.EOF:
			return nil
		case errors.As(err, &wrong):
			return at(file, wrong.Line, wrong.Column, "%w", wrong.Err)
		case err != nil:
			return err
		}
		cells = cells[:0]
		for i, text := range record {
			line, column := r.FieldPos(i)
			cells = append(cells, cell{strings.TrimSpace(text), line, column})
		}
		if n := len(cells); separator == ' ' && n > 1 && cells[n-1].text == "" {
			cells = cells[:n-1] // after blanks at the end of the line
		}
		if len(cells) == 1 && cells[0].text == "" {
			continue // a line of blanks
		}
		line := cells[0].line
		if want == 0 {
			want, firstLine = len(cells), line
		}
		if len(cells) != want {
			column := cells[min(len(cells)-1, want)].column // column of the first cell too many, or of the last
			return at(file, line, column, "%d cells, want %d as in line %d: is a separator or a quote missing?", len(cells), want, firstLine)
		}
		if err := f(cells); err != nil {
			return err
		}
	}
}
