package mushroom

import (
	"bytes"
	"fmt"
)

// numFields is the number of letters in a line: the class and the attributes.
const numFields = 1 + numAttributes

// check reads and checks the lines of a file. Its error gives name, line and column, the value found and
// the values allowed.
func check(data []byte, name string) (rows []Row, err error) {
	blank := 0 // the first blank line; only more of them may follow
	for line := 1; len(data) > 0; line++ {
		var text []byte
		text, data, _ = bytes.Cut(data, []byte{'\n'})
		text = bytes.TrimSuffix(text, []byte{'\r'})
		if len(text) == 0 {
			if blank == 0 {
				blank = line
			}
			continue
		}
		if blank > 0 {
			return nil, fmt.Errorf("%s:%d:1: a blank line between rows, want them at the end only", name, blank)
		}
		row, column, err := checkLine(text)
		if err != nil {
			return nil, fmt.Errorf("%s:%d:%d: %w", name, line, column, err)
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s:1:1: no rows: the file is empty", name)
	}
	return rows, nil
}

// checkLine returns the row of a line, or the column of the first error.
func checkLine(text []byte) (row Row, column int, err error) {
	// A missing letter shifts all that follow it: count first.
	if n := 1 + bytes.Count(text, []byte{','}); n != numFields {
		column = len(text) + 1
		if n > numFields {
			column = 1
			for range numFields {
				column += bytes.IndexByte(text[column-1:], ',') + 1
			}
		}
		return row, column, fmt.Errorf("%d fields, want %d: the class and %d attributes, no header", n, numFields, numAttributes)
	}
	column = 1
	for i := range numFields {
		field := text
		if end := bytes.IndexByte(text, ','); end >= 0 {
			field, text = text[:end], text[end+1:]
		}
		if i == 0 && !(len(field) == 1 && (field[0] == Edible || field[0] == Poisonous)) {
			return row, column, fmt.Errorf("class: found %s, want e or p", quote(field))
		}
		if i > 0 {
			a := &schema[i-1]
			if len(field) != 1 || a.Index(field[0]) < 0 {
				return row, column, fmt.Errorf("%s: found %s, want one of %s", a.Name, quote(field), a.letters())
			}
			row.Values[i-1] = field[0]
		} else {
			row.Class = field[0]
		}
		column += len(field) + 1
	}
	return row, 0, nil
}

// quote returns a value in quotes, shortened if it is long.
func quote(field []byte) string {
	const most = 20
	if len(field) > most {
		return fmt.Sprintf("%q…", field[:most])
	}
	return fmt.Sprintf("%q", field)
}
