package table

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// openCSV reads comma-separated values (RFC 4180). If separator is 0, findSeparator chooses it: ',', ';', tab or '|'
// or, if none of these is in the first line, a blank. Blanks around cells are dropped.
//
// If header is yes, the first line holds the names of columns; if it is auto, findHeader decides. The name of a column
// that has none is its number.
func openCSV(file string, b []byte, separator rune, header string) (*source, error) {
	if separator == 0 {
		separator = findSeparator(b)
	}
	records := readCSV(file, b, separator)
	var first []cell
	for cells, err := range records {
		if err != nil {
			return nil, err
		}
		first = slices.Clone(cells)
		break
	}
	if first == nil {
		return nil, at(file, 1, 1, "there are no values in the file: want a row for each example")
	}
	s := &source{target: len(first) - 1, header: header == "yes"}
	if header == "auto" {
		var err error
		if s.header, s.warning, err = findHeader(file, first, records); err != nil {
			return nil, err
		}
	}
	for i, c := range first {
		d := column{name: strconv.Itoa(i + 1)}
		if s.header && c.text != "" {
			d = column{name: c.text, line: c.line, at: c.column}
		}
		s.columns = append(s.columns, d)
	}
	s.rows = func(yield func([]cell, error) bool) {
		skip := s.header
		for cells, err := range records {
			if !skip && !yield(cells, err) {
				return
			}
			skip = false
		}
	}
	return s, nil
}

// findSeparator returns the separator that occurs most often in the first line, outside quotes. Commas do not count if
// they are decimal commas: all are between digits, at most one in each cell, and another separator occurs.
func findSeparator(b []byte) rune {
	b = bytes.TrimLeft(b[:min(len(b), maxRow)], "\r\n")
	line, _, _ := bytes.Cut(b, []byte{'\n'})
	best, most := ',', 0
	if bytes.IndexByte(bytes.TrimSpace(line), ' ') >= 0 {
		best = ' '
	}
	var count [utf8.RuneSelf]int
	quoted, decimal := false, 0
	for i, c := range line {
		switch {
		case c == '"':
			quoted = !quoted
		case c < utf8.RuneSelf && !quoted:
			count[c]++
			if c == ',' && i > 0 && isDigit(line[i-1]) && i+1 < len(line) && isDigit(line[i+1]) {
				decimal++
			}
		}
	}
	if others := count[';'] + count['\t'] + count['|']; decimal == count[','] && others > 0 && decimal <= others+1 {
		count[','] = 0
	}
	for _, separator := range ",;\t|" {
		if n := count[separator]; n > most {
			best, most = separator, n
		}
	}
	return best
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// readCSV yields the cells of each record, which are valid until the next one.
func readCSV(file string, b []byte, separator rune) iter.Seq2[[]cell, error] {
	return func(yield func([]cell, error) bool) {
		in := &rowReader{rest: b, separator: byte(separator)}
		r := csv.NewReader(in)
		r.Comma, r.FieldsPerRecord, r.ReuseRecord, r.TrimLeadingSpace = separator, -1, true, separator != '\t'
		var cells []cell
		want, firstLine := 0, 0
		for {
			in.bytes, in.separators = maxRow, 100*maxColumns
			begin := r.InputOffset()
			record, err := r.Read()
			switch wrong, ok := errors.AsType[*csv.ParseError](err); {
			case err == io.EOF:
				return
			case ok:
				err = at(file, wrong.Line, wrong.Column, "%w: a cell with quotes in it is put into quotes, and these in it are doubled", wrong.Err)
			case err != nil:
				line, _ := position(b, int(begin))
				err = at(file, line, 1, "%w", err)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			cells = cells[:0]
			for i, text := range record {
				line, column := r.FieldPos(i)
				cells = append(cells, cell{strings.TrimSpace(text), line, column})
			}
			n := len(cells)
			if separator == ' ' && n > 1 && cells[n-1].text == "" {
				cells = cells[:n-1] // an empty cell after blanks at the end of the line
			}
			if n = len(cells); n == 1 && cells[0].text == "" {
				continue // a line of blanks
			}
			line := cells[0].line
			if want == 0 {
				want, firstLine = n, line
			}
			switch {
			case n > maxColumns:
				err = at(file, line, 1, "%d columns, want at most %d: is the table transposed, or the separator another one?", n, maxColumns)
			case n != want:
				column := cells[min(n-1, want)].column // place of the first extra cell or, if cells are missing, of the last one
				err = at(file, line, column, "%d cells, want %d as in line %d: is a separator or a quote missing? The separator is %q; remove line %[3]d if it is no part of the table", n, want, firstLine, separator)
			}
			if !yield(cells, err) || err != nil {
				return
			}
		}
	}
}

// A rowReader fails if a row has too many bytes or separators: a file that is no table must not fill the memory.
type rowReader struct {
	rest              []byte
	separator         byte
	bytes, separators int // how many the current row may still have
}

func (r *rowReader) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	r.bytes -= n
	r.separators -= bytes.Count(p[:n], []byte{r.separator})
	if r.bytes < 0 || r.separators < 0 {
		return n, fmt.Errorf("the row that begins here has more than %d MiB, or %d columns: is a quote not closed, or is this another file than a table?", maxRow>>20, maxColumns)
	}
	return n, nil
}

// areNames reports whether the cells of a line may be names of columns: no cell is a number, neither ? nor NA occurs
// twice, and not all cells are empty. doubled is the index of the first cell that repeats an earlier one, or −1.
func areNames(line []cell) (doubled int, names bool) {
	seen := map[string]bool{}
	doubled = -1
	for i, c := range line {
		if _, number := parseDecimal(c.text); number || seen[c.text] && c.missing() {
			return -1, false
		}
		if seen[c.text] && doubled < 0 {
			doubled = i
		}
		if c.text != "" {
			seen[c.text] = true
		}
	}
	return doubled, len(seen) > 0
}

// findHeader reports whether the first line of CSV holds the names of columns: no cell is a number, occurs twice in the
// line or again in its column. If the only fault is a cell that occurs twice, the other columns decide: if one has only
// numbers below, the line is a header, and the repeated cell an error; else the line is a row, with a warning.
func findHeader(file string, first []cell, records iter.Seq2[[]cell, error]) (header bool, warning string, err error) {
	doubled, names := areNames(first)
	if !names {
		return false, "", nil
	}
	numbers, others := make([]bool, len(first)), make([]bool, len(first)) // whether a column has numbers, or other values, below the first line
	lines := 0
	for cells, err := range records {
		if err != nil {
			return false, "", err
		}
		if lines++; lines == 1 {
			continue
		}
		for i, c := range cells {
			switch _, number := parseDecimal(c.text); {
			case c.missing():
			case c.text == first[i].text:
				return false, "", nil
			case number:
				numbers[i] = true
			default:
				others[i] = true
			}
		}
	}
	if doubled < 0 {
		return true, "", nil
	}
	c := first[doubled]
	for i := range first {
		if numbers[i] && !others[i] && !first[i].missing() {
			return false, "", at(file, c.line, c.column, "the name %s is that of two columns: rename one, or use environment.header=no if the line holds none", quote(c.text))
		}
	}
	return false, fmt.Sprintf("line %d of %s counts as a row, since it has %s twice: if it holds names of columns rename one, else use environment.header=no",
		first[0].line, file, quote(c.text)), nil
}
