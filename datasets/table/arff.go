package table

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"banditsim/internal/words"
)

// openARFF reads the attribute-relation file format of Weka: attributes numeric, nominal, string and date; rows dense
// or sparse. Strings and dates are categories. Relational attributes and weights of rows are not supported.
func openARFF(file string, b []byte) (*source, error) {
	if err := checkLines(file, b); err != nil {
		return nil, err
	}
	s := &source{}
	line, rest := 0, b
	for data := false; !data; {
		if len(rest) == 0 {
			return nil, at(file, line, 1, "there is no @data: want the rows after it")
		}
		var text []byte
		text, rest, _ = bytes.Cut(rest, []byte{'\n'})
		line++
		word, declared, _ := strings.Cut(strings.ReplaceAll(strings.TrimSpace(string(text)), "\t", " "), " ")
		switch keyword := strings.ToLower(word); {
		case keyword == "@attribute":
			d, err := parseAttribute(declared)
			if err != nil {
				return nil, at(file, line, 1, "%w", err)
			}
			d.line, d.at = line, 1+len(text)-len(bytes.TrimLeft(bytes.TrimLeft(text, " \t")[len(word):], " \t"))
			if s.columns = append(s.columns, d); len(s.columns) > maxColumns {
				return nil, at(file, line, 1, "more than %d attributes, want at most so many", maxColumns)
			}
		case keyword == "@data":
			data = true
		case keyword != "" && keyword != "@relation" && keyword[0] != '%':
			return nil, at(file, line, 1, "found %s, want @relation, @attribute or @data", quote(word))
		}
	}
	if len(s.columns) == 0 {
		return nil, at(file, line, 1, "there is no @attribute before @data")
	}
	s.target = len(s.columns) - 1
	s.rows = func(yield func([]cell, error) bool) {
		line := line
		var cells []cell
		for text := range bytes.Lines(rest) {
			line++
			trimmed := strings.TrimSpace(string(text))
			if trimmed == "" || trimmed[0] == '%' {
				continue
			}
			var err error
			if trimmed[0] == '{' {
				cells, err = s.sparse(cells[:0], string(text), line)
			} else {
				cells, err = splitARFF(cells[:0], strings.TrimRight(string(text), "\r\n"), line)
			}
			switch want := len(s.columns); {
			case err != nil:
				err = fmt.Errorf("%s:%w", file, err)
			case len(cells) != want:
				err = at(file, line, cells[min(len(cells)-1, want)].column, "%d cells, want %d as there are attributes", len(cells), want)
			}
			if !yield(cells, err) || err != nil {
				return
			}
		}
	}
	return s, nil
}

func parseAttribute(text string) (column, error) {
	text = strings.TrimSpace(text)
	d := column{kind: "categorical", zero: "?"}
	n := strings.IndexAny(text+" ", " {")
	d.name = text[:n]
	if text != "" && (text[0] == '\'' || text[0] == '"') {
		var err error
		if d.name, n, err = unquote(text); err != nil {
			return d, err
		}
	}
	text = strings.TrimSpace(text[n:])
	word, _, _ := strings.Cut(strings.ToLower(text), " ")
	switch {
	case d.name == "":
		return d, errors.New("the attribute has no name")
	case strings.HasPrefix(text, "{"):
		if !strings.HasSuffix(text, "}") {
			return d, fmt.Errorf("attribute %s: the closing brace is missing", quote(d.name))
		}
		cells, err := splitARFF(nil, text[1:len(text)-1], 0)
		if err != nil {
			return d, fmt.Errorf("attribute %s: a quote is not closed", quote(d.name))
		}
		seen := make(map[string]bool, len(cells))
		for _, c := range cells {
			if seen[c.text] {
				return d, fmt.Errorf("attribute %s: the value %s occurs twice", quote(d.name), quote(c.text))
			}
			seen[c.text] = true
			d.values = append(d.values, c.text)
		}
		d.zero = d.values[0]
	case word == "numeric" || word == "real" || word == "integer":
		d.kind, d.zero = "numeric", "0"
	case word != "string" && word != "date":
		return d, fmt.Errorf("attribute %s has the type %s, want numeric, real, integer, string, date or {…}", quote(d.name), quote(text))
	}
	return d, nil
}

// splitARFF appends a line's comma-separated cells, up to one too many for a row. Errors begin with line and column.
func splitARFF(cells []cell, text string, line int) ([]cell, error) {
	for i := 0; ; i++ { // i++ skips a comma
		value, begin, end, err := readValue(text, i)
		if err != nil {
			return nil, fmt.Errorf("%d:%d: %w", line, begin+1, err)
		}
		cells = append(cells, cell{value, line, begin + 1})
		if i = end; i == len(text) || len(cells) > maxColumns {
			return cells, nil
		}
	}
}

// readValue reads a value, quoted or not, from byte i to a comma or the end of text. With an error, begin is its place.
func readValue(text string, i int) (value string, begin, end int, err error) {
	begin = skipBlanks(text, i)
	if begin == len(text) || text[begin] != '\'' && text[begin] != '"' {
		end = len(text)
		if n := strings.IndexByte(text[begin:], ','); n >= 0 {
			end = begin + n
		}
		return strings.TrimSpace(text[begin:end]), begin, end, nil
	}
	value, n, err := unquote(text[begin:])
	if err != nil {
		return "", begin, 0, err
	}
	if end = skipBlanks(text, begin+n); end < len(text) && text[end] != ',' {
		return "", end, 0, errors.New("text after the closing quote, want a comma")
	}
	return value, begin, end, nil
}

func skipBlanks(text string, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t') {
		i++
	}
	return i
}

// sparse appends the cells of a row of the form {index value, …}; indices count from 0. Cells that the row leaves out
// are 0 or, in a category, the first declared value, or "?" if none is declared: column.zero.
func (s *source) sparse(cells []cell, text string, line int) ([]cell, error) {
	i := strings.IndexByte(text, '{') + 1
	end := strings.LastIndexByte(text, '}')
	if end < i || strings.TrimSpace(text[end+1:]) != "" {
		return nil, fmt.Errorf("%d:%d: the closing brace is missing at the end of the line", line, i)
	}
	for k := range s.columns {
		cells = append(cells, cell{s.columns[k].zero, line, i})
	}
	text = text[:end]
	if skipBlanks(text, i) == end {
		return cells, nil
	}
	set := make([]bool, len(cells))
	for ; ; i++ { // i++ skips a comma
		i = skipBlanks(text, i)
		column := i + 1
		number := text[i : i+max(0, strings.IndexAny(text[i:], " \t"))]
		index, err := strconv.Atoi(number)
		if err != nil || index < 0 || index >= len(cells) || set[index] {
			return nil, fmt.Errorf("%d:%d: found %s, want an index from 0 to %d, once each, a blank and a value", line, column, quote(text[i:]), len(cells)-1)
		}
		value, begin, next, err := readValue(text, i+len(number))
		if err != nil {
			return nil, fmt.Errorf("%d:%d: %w", line, begin+1, err)
		}
		set[index], cells[index] = true, cell{value, line, column}
		if i = next; i == len(text) {
			return cells, nil
		}
	}
}

// unquote returns the value of a string that begins with a quote, and its length including both quotes.
func unquote(text string) (value string, n int, err error) {
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case text[0]:
			return b.String(), i + 1, nil
		case '\\':
			if i++; i < len(text) {
				b.WriteByte(text[i])
			}
		default:
			b.WriteByte(text[i])
		}
	}
	return "", 0, fmt.Errorf("the quote of %s is not closed", quote(text))
}

func quote(s string) string { return strconv.Quote(words.Shorten(s, 60)) }
