package agent

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"banditsim/bandit"
	"banditsim/internal/check"
	"banditsim/internal/lists"
	"banditsim/internal/nearest"
	"banditsim/internal/words"
)

// A Context has the value of each column by name. A number is a float64, an int, a json.Number, or a bool for 0 or 1. A
// category is a string, or one of these types, which fmt.Sprint converts to a string. Nil is a missing value.
type Context map[string]any

// encode writes the elements of a context to dst and returns the columns whose category the agent does not know.
func (a *Agent) encode(dst []float32, c Context) (unseen []string, err error) {
	clear(dst)
	if len(c) != len(a.config.Columns) {
		if err := a.checkNames(c); err != nil {
			return nil, err
		}
	}
	at := 0
	for i := range a.config.Columns {
		col := &a.config.Columns[i]
		v, ok := c[col.Name]
		if !ok {
			return nil, a.checkNames(c)
		}
		to := dst[at : at+col.Width()]
		at += col.Width()
		if col.Values == nil {
			err = putNumber(to, col, v)
		} else if !a.putCategory(to, i, v) {
			unseen = append(unseen, col.Name)
		}
		if err != nil {
			return nil, err
		}
	}
	return unseen, nil
}

// checkNames returns an error if the context has a column that the agent does not know, or lacks a column of the agent.
func (a *Agent) checkNames(c Context) error {
	known := lists.Each(a.config.Columns, func(col bandit.Column) string { return col.Name })
	for _, name := range slices.Sorted(maps.Keys(c)) {
		if !slices.Contains(known, name) {
			return fmt.Errorf("the context has a %q, which the agent does not know%s: its columns are %s", name, nearest.DidYouMean(name, known), words.Clip(fmt.Sprint(known)))
		}
	}
	for _, name := range known {
		if _, ok := c[name]; !ok {
			return fmt.Errorf("the context has no %q: want a value, or null if it is missing", name)
		}
	}
	return nil
}

// putNumber writes the elements of a number to dst, which are 0 before. For a missing value it sets only the element
// that marks it, if the column has one.
func putNumber(dst []float32, col *bandit.Column, v any) error {
	if v == nil {
		if len(dst) > 1 {
			dst[1] = 1
		}
		return nil
	}
	x, err := number(v)
	if err != nil {
		return fmt.Errorf("%q: %w", col.Name, err)
	}
	dst[0] = col.Standardize(x)
	return nil
}

// number converts the value of a column to a finite number.
func number(v any) (x float64, err error) {
	switch v := v.(type) {
	case float64:
		x = v
	case int:
		x = float64(v)
	case bool:
		if v {
			x = 1
		}
	case json.Number:
		if x, err = check.ParseFloat(v.String()); err != nil {
			return 0, err
		}
	default:
		return 0, fmt.Errorf("%#v is no number", v)
	}
	if math.IsNaN(x) || math.Abs(x) > math.MaxFloat32 {
		return 0, fmt.Errorf("%g, want a number that is finite, or null if it is missing", x)
	}
	return x, nil
}

// putCategory sets the element of a category's value, or of bandit.Missing for nil, to 1. It reports whether the
// value is known; if not, all elements stay 0.
func (a *Agent) putCategory(dst []float32, column int, v any) bool {
	text := ""
	switch v := v.(type) {
	case nil:
		if text = bandit.Missing; a.index[column][text] == 0 {
			text = "" // as an empty cell of a log is encoded
		}
		if a.index[column][text] == 0 {
			return true // encoded as zeros: the agent's columns have no category for missing values
		}
	case string:
		text = v
	case float64: // without an exponent, as in CSV
		text = strconv.FormatFloat(v, 'f', -1, 64)
	default:
		text = fmt.Sprint(v)
	}
	k := a.index[column][text]
	if k > 0 {
		dst[k-1] = 1
	}
	return k > 0
}
