package table

import (
	"bytes"
	"iter"
	"strconv"
	"strings"
)

// openLibsvm reads the libsvm and svmlight format: a line per row with a label and pairs index:value, in ascending
// order. Omitted features are 0. Columns are the label and each index from 1, or 0 if it occurs. # begins a comment.
func openLibsvm(file string, b []byte) (*source, error) {
	if err := checkLines(file, b); err != nil {
		return nil, err
	}
	low, high := 1, 0
	for r, err := range readLibsvm(file, b) {
		if err != nil {
			return nil, err
		}
		if n := len(r.index); n > 0 {
			low, high = min(low, r.index[0]), max(high, r.index[n-1])
		}
	}
	s := &source{columns: []column{{name: "label", kind: "categorical"}}}
	for i := low; i <= high; i++ {
		s.columns = append(s.columns, column{name: strconv.Itoa(i), kind: "numeric"})
	}
	s.rows = func(yield func([]cell, error) bool) {
		cells := make([]cell, len(s.columns))
		for r, err := range readLibsvm(file, b) {
			cells[0] = r.label
			for i := range cells[1:] {
				cells[i+1] = cell{"0", r.label.line, r.label.column}
			}
			for i, v := range r.values {
				cells[1+r.index[i]-low] = v
			}
			if !yield(cells, err) {
				return
			}
		}
	}
	return s, nil
}

type libsvmRow struct {
	label  cell
	index  []int
	values []cell
}

// readLibsvm yields the rows, each of which is valid until the next.
func readLibsvm(file string, b []byte) iter.Seq2[libsvmRow, error] {
	return func(yield func(libsvmRow, error) bool) {
		var r libsvmRow
		line := 0
		for text := range bytes.Lines(b) {
			line++
			content, _, _ := strings.Cut(strings.TrimRight(string(text), "\r\n"), "#")
			if strings.TrimSpace(content) == "" {
				continue
			}
			if err := r.parse(file, content, line); !yield(r, err) || err != nil {
				return
			}
		}
	}
}

func (r *libsvmRow) parse(file, content string, line int) error {
	r.label, r.index, r.values = cell{}, r.index[:0], r.values[:0]
	content = strings.ReplaceAll(content, "\t", " ")
	for next := skipBlanks(content, 0); next < len(content); {
		word, _, _ := strings.Cut(content[next:], " ")
		column := next + 1
		next = skipBlanks(content, next+len(word))
		if r.label.text == "" {
			r.label = cell{strings.TrimPrefix(word, "+"), line, column}
			if r.label.text == "" || strings.Contains(word, ":") {
				return at(file, line, column, "found %s, want a label", quote(word))
			}
			continue
		}
		number, value, ok := strings.Cut(word, ":")
		i, err := strconv.Atoi(number)
		switch n := len(r.index); {
		case !ok || err != nil || i < 0:
			return at(file, line, column, "found %s, want index:value with an index of at least 0", quote(word))
		case i > maxColumns:
			return at(file, line, column, "the index %d, want at most %d", i, maxColumns)
		case n > 0 && i <= r.index[n-1]:
			return at(file, line, column, "the index %d after %d, want ascending ones", i, r.index[n-1])
		}
		r.index = append(r.index, i)
		r.values = append(r.values, cell{value, line, column + len(number) + 1})
	}
	return nil
}

// isLibsvm reports whether a line is a label followed by pairs index:value.
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
