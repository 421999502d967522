package logged

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// jsonLines reads a file with one JSON object per line as a table. Columns are the fields of the first kindRows rows,
// named by paths in nested objects (user.age). A new field in a later row is an error, a missing one an empty cell.
type jsonLines struct {
	lines
	list   string // name of the field that may be a list; its cell is the list in JSON
	header []string
}

// newJSONLines returns the fields of the first rows of a file, sorted, and the source of its rows.
func newJSONLines(path, list string) ([]string, source, error) {
	fields := map[string]string{}
	err := read(path, func(in *bufio.Reader) (err error) {
		l := jsonLines{lines: lines{in: in}, list: list}
		for i := 0; i < kindRows && err == nil; i++ {
			err = l.object(fields)
		}
		return err
	})
	if err != nil && err != io.EOF {
		return nil, nil, err
	}
	header := slices.Sorted(maps.Keys(fields))
	return header, func(in *bufio.Reader) (cells, error) { return &jsonLines{lines{in: in}, list, header}, nil }, nil
}

// Read returns the cells of the next row.
func (l *jsonLines) Read() ([]string, error) {
	fields := make(map[string]string, len(l.header))
	if err := l.object(fields); err != nil {
		return nil, err
	}
	cells := make([]string, len(l.header))
	for name, v := range fields {
		k, ok := slices.BinarySearch(l.header, name)
		if !ok {
			return nil, fmt.Errorf("line %d: the field %s is not in the first %d rows: add it there, as null if need be", l.line, name, kindRows)
		}
		cells[k] = v
	}
	return cells, nil
}

// object adds the fields of the object in the next line to the argument fields.
func (l *jsonLines) object(fields map[string]string) error {
	line, err := l.next()
	if err != nil {
		return err
	}
	var object map[string]any
	if err = unmarshal(line, &object); err != nil {
		err = fmt.Errorf("%w: want one JSON object in a line", err)
	} else {
		err = flatten(fields, "", object, l.list)
	}
	if err != nil {
		return fmt.Errorf("line %d: %w", l.line, err)
	}
	return nil
}

// flatten adds an object's fields to a map, as texts under prefix + name. Only the field called list may be a list.
func flatten(to map[string]string, prefix string, object map[string]any, list string) error {
	for key, v := range object {
		name := prefix + key
		switch v := v.(type) {
		case nil:
			to[name] = ""
		case string:
			to[name] = v
		case json.Number:
			to[name] = numberText(v)
		case bool:
			to[name] = strconv.FormatBool(v)
		case []any:
			if name != list {
				return fmt.Errorf("the field %s is a list: want a number, a string, true, false or null", name)
			}
			for i, item := range v {
				if number, ok := item.(json.Number); ok {
					v[i] = numberText(number)
				}
			}
			text, err := json.Marshal(v)
			if to[name] = string(text); err != nil {
				return err
			}
		case map[string]any:
			if err := flatten(to, name+".", v, list); err != nil {
				return err
			}
		}
	}
	return nil
}

// unmarshal is json.Unmarshal with numbers as json.Number: a float64 would merge numbers of arms above 2⁵³.
func unmarshal(line []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	err := d.Decode(to)
	if _, more := d.Token(); err == nil && more != io.EOF {
		err = errors.New("text after the object")
	}
	return err
}

// numberText returns a number as CSV has it: whole numbers with all their digits, others without an exponent.
func numberText(n json.Number) string {
	if v, err := n.Float64(); err == nil && strings.ContainsAny(n.String(), ".eE") {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return n.String()
}
