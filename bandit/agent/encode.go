package agent

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"banditsim/bandit"
	"banditsim/internal/check"
	"banditsim/internal/lists"
	"banditsim/internal/nearest"
	"banditsim/internal/words"
)

// A Context has the value of each column by name. A number is a float64, an int, a json.Number, or a bool for 0 or 1. A
// category is a string, or one of these types, which is converted to text. Nil is a missing value.
type Context map[string]any

// maxNumber bounds the standardized numbers of a context, because policies compute with their squares in float32. It is
// checked before the policy runs: an error after the policy has drawn random numbers would change its next decisions.
const maxNumber = 1e18

// encode writes the elements of a context to dst and returns the columns whose category the agent does not know.
func (a *Agent) encode(dst []float32, c Context) (unseen []string, err error) {
	clear(dst)
	if len(c) != len(a.config.Columns) {
		return nil, a.checkNames(c)
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
			if err = putNumber(to, col, v); err != nil {
				return nil, err
			}
		} else if !a.putCategory(to, i, v) {
			unseen = append(unseen, col.Name)
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

// putNumber writes the elements of the number v to dst, which must be zeros. A nil v is a missing value: putNumber then
// sets the element that marks missing values to 1, if the column has one, and leaves the number at 0.
func putNumber(dst []float32, col *bandit.Column, v any) error {
	if v == nil {
		if len(dst) > 1 {
			dst[1] = 1
		}
		return nil
	}
	x, err := number(v)
	if dst[0] = col.Standardize(x); err == nil && !(math.Abs(float64(dst[0])) <= maxNumber) {
		err = fmt.Errorf("%v, want a number that is at most %g from 0 once standardized, or null if it is missing", v, maxNumber)
	}
	if err != nil {
		return fmt.Errorf("%q: %w", col.Name, err)
	}
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
		return 0, fmt.Errorf("%#v is no number but of type %T: want a float64, int, bool or json.Number, or null if it is missing", v, v)
	}
	if !words.Finite(x) {
		return 0, fmt.Errorf("%g, want a number that is finite, or null if it is missing", x)
	}
	return x, nil
}

// putCategory sets the element of the category v to 1 and returns true, or returns false if the column does not have v.
// A nil v, a missing value, counts as the category bandit.Missing or "" if the column has it; else all elements stay 0.
func (a *Agent) putCategory(dst []float32, column int, v any) bool {
	index := a.index[column]
	k := index[category(v)]
	if v == nil {
		k = cmp.Or(index[bandit.Missing], index[""]) // "" is an empty cell of a log
	}
	if k > 0 {
		dst[k-1] = 1
	}
	return k > 0 || v == nil // in a column without a category for missing values, zeros are their code
}

// category converts the value of a column of categories to its text, in UTF-8, so that a journal reads back the same.
func category(v any) string {
	text, ok := v.(string)
	if x, number := v.(float64); number { // without an exponent, as in CSV
		text = strconv.FormatFloat(x, 'f', -1, 64)
	} else if !ok {
		text = fmt.Sprint(v)
	}
	return strings.ToValidUTF8(text, "\ufffd")
}
