package table

import (
	"bytes"
	"strconv"
	"strings"
)

// openLibsvm reads the format of libsvm and svmlight: a line for each row with a label and ascending pairs
// index:value. Features that a row does not name are 0. Columns are label, then the indices from 1, or from
// 0 if one occurs. Text after # is a comment.
func openLibsvm(file string, b []byte, o Options) (*source, error) {
	rows, low, high, err := scanLibsvm(file, b)
	if err != nil {
		return nil, err
	}
	if err := tooManyCells(file, rows, o.leastStored(high-low+2)); err != nil {
		return nil, err
	}
	if err := readLibsvm(file, b, func(_ cell, index []int, _ []cell) error {
		if len(index) > 0 {
			low, high = min(low, index[0]), max(high, index[len(index)-1])
		}
		return nil
	}); err != nil {
		return nil, err
	}
	s := &source{columns: []declaration{{name: "label", kind: "categorical"}}, atLeast: rows}
	for i := low; i <= high; i++ {
		s.columns = append(s.columns, declaration{name: strconv.Itoa(i), kind: "numeric"})
	}
	s.rows = func(f func([]cell) error) error {
		cells := make([]cell, len(s.columns))
		return readLibsvm(file, b, func(label cell, index []int, values []cell) error {
			cells[0] = label
			for i := range cells[1:] {
				cells[i+1] = cell{"0", label.line, label.column}
			}
			for i, v := range values {
				cells[1+index[i]-low] = v
			}
			return f(cells)
		})
	}
	return s, nil
}

// readLibsvm calls f for every row until it returns an error.
func readLibsvm(file string, b []byte, f func(label cell, index []int, values []cell) error) error {
	var index []int
	var values []cell
	line := 0
	for text := range bytes.Lines(b) {
		line++
		content, _, _ := strings.Cut(strings.TrimRight(string(text), "\r\n"), "#")
		if strings.TrimSpace(content) == "" {
			continue
		}
		index, values = index[:0], values[:0]
		var label cell
		for column, word := range fields(content) {
			if label.text == "" {
				label = cell{strings.TrimPrefix(word, "+"), line, column}
				if label.text == "" || strings.Contains(word, ":") {
					return at(file, line, column, "found %s, want a label", quote(word))
				}
				continue
			}
			number, value, ok := strings.Cut(word, ":")
			i, err := strconv.Atoi(number)
			switch {
			case !ok || err != nil || i < 0:
				return at(file, line, column, "found %s, want index:value with an index of at least 0", quote(word))
			case i > maxColumns:
				return at(file, line, column, "the index %d, want at most %d", i, maxColumns)
			case len(index) > 0 && i <= index[len(index)-1]:
				return at(file, line, column, "the index %d after %d, want ascending ones", i, index[len(index)-1])
			}
			index = append(index, i)
			values = append(values, cell{value, line, column + len(number) + 1})
		}
		if err := f(label, index, values); err != nil {
			return err
		}
	}
	return nil
}

// fields calls yield with each word of a line and its column.
func fields(line string) func(yield func(int, string) bool) {
	return func(yield func(int, string) bool) {
		for i := 0; i < len(line); {
			n := strings.IndexAny(line[i:], " \t")
			if n < 0 {
				n = len(line) - i
			}
			if n > 0 && !yield(i+1, line[i:i+n]) {
				return
			}
			i += n + 1
		}
	}
}

// isLibsvm reports whether a line is a label and pairs.
func isLibsvm(line string) bool {
	list := strings.Fields(line)
	if len(list) < 2 {
		return false
	}
	for _, f := range list[1:] {
		number, value, ok := strings.Cut(f, ":")
		_, err := strconv.Atoi(number)
		if _, isNumber := parseNumber(value); !ok || err != nil || !isNumber {
			return false
		}
	}
	return true
}
