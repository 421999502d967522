package table

import (
	"bytes"
	"fmt"
	"strconv"
)

// Bounds of a file, so that another file than a table does not fill the memory. They are checked in a fast pass over
// the bytes, before the text is split into cells.
const (
	maxBytes   = 512 << 20 // size in bytes of the text
	maxRow     = 16 << 20  // size in bytes of the text of a row
	maxColumns = 10_000
	maxCells   = 50_000_000
)

// tooManyCells returns an error if rows with so many columns in use have more than maxCells cells.
func tooManyCells(file string, rows, columns int) error {
	if columns > 0 && rows > maxCells/columns {
		return fmt.Errorf("%s has %d rows of %d columns, want at most %d cells: drop columns or take a sample of the rows", file, rows, columns, maxCells)
	}
	return nil
}

// tooManyColumns is the error of a row.
func tooManyColumns(file string, line, n int) error {
	return at(file, line, 1, "%d columns, want at most %d: is the table transposed, or the separator another one?", n, maxColumns)
}

// leastStored returns a number of columns out of n that the options leave in use, whatever their names.
func (o Options) leastStored(n int) int {
	if len(o.Keep) > 0 {
		return 1
	}
	return max(n-len(o.Drop), 1)
}

// scanLines counts the lines that hold a row and calls f for each line; one that is blank or begins with the comment
// sign holds none. It returns an error if a line is longer than maxRow.
func scanLines(file string, b []byte, first int, comment byte, f func(line []byte, number int) error) (rows int, err error) {
	for number := first; len(b) > 0; number++ {
		var line []byte
		line, b, _ = bytes.Cut(b, []byte{'\n'})
		if len(line) > maxRow {
			return 0, at(file, number, 1, "the line has more than %d MiB: is this a table?", maxRow>>20)
		}
		if line = bytes.TrimSpace(line); len(line) == 0 || line[0] == comment {
			continue
		}
		rows++
		if f == nil {
			continue
		}
		if err := f(line, number); err != nil {
			return 0, err
		}
	}
	return rows, nil
}

// scanCSV returns a number of rows that the text has at least, and an error if one is too long or too wide. Line ends
// in quotes end no row.
func scanCSV(file string, b []byte, separator byte) (rows int, err error) {
	start := 1 // line of the row
	length, cells, open := 0, 1, false
	rest := b
	for number := 1; len(rest) > 0; number++ {
		line := rest
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			line = rest[:i+1]
		}
		rest = rest[len(line):]
		if !open {
			start, length, cells = number, 0, 1
			if len(bytes.TrimLeft(line, " \t\r\n\"")) > 0 {
				rows++
			}
		}
		if length += len(line); length > maxRow {
			return 0, at(file, start, 1, "the row that begins here has more than %d MiB: is a quote not closed, or is this another file than a table?", maxRow>>20)
		}
		if bytes.IndexByte(line, '"') < 0 && !open {
			cells += bytes.Count(line, []byte{separator})
		} else {
			for _, c := range line {
				switch {
				case c == '"':
					open = !open
				case c == separator && !open:
					cells++
				}
			}
		}
		if cells > maxColumns && separator == ' ' {
			cells = len(bytes.Fields(line)) // several blanks are one separator
		}
		if cells > maxColumns {
			return 0, tooManyColumns(file, start, cells)
		}
	}
	return rows, nil
}

// scanLibsvm returns a number of rows that the text has at least, and the lowest and the highest index in it. It
// looks at the first and the last pair of each line only; what is malformed there does not count.
func scanLibsvm(file string, b []byte) (rows, low, high int, err error) {
	low, high = 1, 0
	rows, err = scanLines(file, b, 1, '#', func(line []byte, number int) error {
		if i := bytes.IndexByte(line, '#'); i >= 0 {
			line = line[:i]
		}
		for _, colon := range []int{bytes.IndexByte(line, ':'), bytes.LastIndexByte(line, ':')} {
			if colon < 0 {
				continue
			}
			word := line[:colon]
			if i, err := strconv.Atoi(string(word[bytes.LastIndexAny(word, " \t")+1:])); err == nil && i >= 0 && i <= maxColumns {
				low, high = min(low, i), max(high, i)
			}
		}
		return nil
	})
	return rows, low, high, err
}
