package logged

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// jsonLines are the rows of a file with a JSON object in each line, as a table: a column for each field, those of objects within by
// their path (user.age). The fields are those of the first rows; a field that comes later is an error, one that is missing an empty
// cell.
type jsonLines struct {
	in     *bufio.Reader
	header []string
	index  map[string]int
	cells  []string
	line   int
}

// jsonHeader returns the fields of the first rows of a file, sorted.
func jsonHeader(path string) ([]string, error) {
	in, err := open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	fields := map[string]string{}
	lines := bufio.NewReader(in)
	for n := 1; n <= kindRows; n++ {
		if err := nextObject(lines, fields, nil); err == io.EOF {
			break
		} else if err != nil {
			return nil, fmt.Errorf("log %s: line %d: %w", path, n, err)
		}
	}
	var header []string
	for name := range fields {
		header = append(header, name)
	}
	slices.Sort(header)
	return header, nil
}

// fromJSONLines returns the source of the rows for a header.
func fromJSONLines(header []string) source {
	return func(in io.Reader) (cells, error) {
		index := make(map[string]int, len(header))
		for i, name := range header {
			index[name] = i
		}
		return &jsonLines{in: bufio.NewReaderSize(in, 1<<16), header: header, index: index, cells: make([]string, len(header))}, nil
	}
}

// Read returns the cells of the next row.
func (l *jsonLines) Read() ([]string, error) {
	clear(l.cells)
	fields := map[string]string{}
	l.line++
	if err := nextObject(l.in, fields, l.index); err == io.EOF {
		return nil, err
	} else if err != nil {
		return nil, fmt.Errorf("line %d: %w", l.line, err)
	}
	for name, v := range fields {
		l.cells[l.index[name]] = v
	}
	return l.cells, nil
}

// nextObject adds the fields of the object in the next line that is not blank. With known fields others are an error.
func nextObject(in *bufio.Reader, fields map[string]string, known map[string]int) error {
	for {
		line, err := in.ReadBytes('\n')
		if len(line) == 0 || err != nil && err != io.EOF {
			return err
		}
		if len(strings.TrimSpace(string(line))) == 0 {
			continue
		}
		var object map[string]any
		if err := json.Unmarshal(line, &object); err != nil {
			return fmt.Errorf("%w: want one JSON object in a line", err)
		}
		return flatten(fields, "", object, known)
	}
}

// flatten adds the fields of an object as text, under a prefix.
func flatten(to map[string]string, prefix string, object map[string]any, known map[string]int) error {
	for key, v := range object {
		name := prefix + key
		if inner, ok := v.(map[string]any); ok {
			if err := flatten(to, name+".", inner, known); err != nil {
				return err
			}
			continue
		}
		if _, ok := known[name]; known != nil && !ok {
			return fmt.Errorf("the field %s is not in the first %d rows: add it there, as null if need be", name, kindRows)
		}
		switch v := v.(type) {
		case nil:
			to[name] = ""
		case string:
			to[name] = v
		case float64:
			to[name] = strconv.FormatFloat(v, 'g', -1, 64)
		case bool:
			to[name] = strconv.FormatBool(v)
		default:
			return fmt.Errorf("the field %s is a list: want a number, a text, true, false or null", name)
		}
	}
	return nil
}
