package column

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"banditsim/internal/words"
)

// CSV returns a function that writes rows with all digits.
func (l List[R]) CSV(rows []R) func(io.Writer) error {
	return func(w io.Writer) error {
		var columns List[R]
		var header []string
		for _, c := range l {
			if c.Exact != nil {
				columns, header = append(columns, c), append(header, c.Name)
			}
		}
		out := csv.NewWriter(w)
		out.Write(header) // Error has the error of any write
		for _, r := range rows {
			record := make([]string, len(columns))
			for k, c := range columns {
				record[k] = words.Cell(cell(c.Exact(r)))
			}
			out.Write(record)
		}
		out.Flush()
		return out.Error()
	}
}

func cell(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case float64:
		return words.Exact(v)
	case words.Float:
		return words.Exact(float64(v))
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case []uint64:
		return strings.Trim(fmt.Sprint(v), "[]")
	case []string:
		b, _ := json.Marshal(v) // texts have no error
		return string(b)
	}
	return fmt.Sprint(v)
}

// Objects are rows that JSON has as a list of objects, with the names of columns as keys, in their order.
type Objects[R any] struct {
	Columns List[R]
	Rows    []R
}

// MarshalJSON implements json.Marshaler.
func (o Objects[R]) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('[')
	for i, r := range o.Rows {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('{')
		fields := 0
		for _, c := range o.Columns {
			field, err := c.field(r)
			if err != nil {
				return nil, fmt.Errorf("column %s: %w", c.Name, err)
			}
			if len(field) == 0 {
				continue
			}
			if fields++; fields > 1 {
				b.WriteByte(',')
			}
			b.Write(field)
		}
		b.WriteByte('}')
	}
	b.WriteByte(']')
	return b.Bytes(), nil
}

// field returns the key and the value of a row, or the fields of a column without a name; empty if JSON lacks the column.
func (c Column[R]) field(r R) ([]byte, error) {
	value := c.JSON
	if value == nil {
		value = c.Exact
	}
	if c.Flat || value == nil {
		return nil, nil
	}
	v := value(r)
	if f, ok := v.(float64); ok {
		v = words.Float(f)
	}
	var b bytes.Buffer
	if c.Name != "" {
		fmt.Fprintf(&b, "%q:", c.Name)
	}
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	field := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	if c.Name == "" && err == nil {
		field = field[1 : len(field)-1] // without the braces
	}
	return field, err
}
