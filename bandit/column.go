package bandit

import "fmt"

// Missing is the value of a category that has none, after the others.
const Missing = "?"

// A Column says how a value of a named column becomes elements of a context.
type Column struct {
	Name string `json:"name"`
	// Values of a category, each with an element that is 1 for this value and else 0. A value that is not among them has all 0. Nil:
	// the column is a number.
	Values []string `json:"values,omitempty"`
	// Mean and SD standardize a number: its element is (value − Mean)/SD, and 0 if the value is missing. SD 0: as it is.
	Mean float64 `json:"mean,omitzero"`
	SD   float64 `json:"sd,omitzero"`
	// Missing gives a number a second element, 1 if the value is missing and else 0.
	Missing bool `json:"missing,omitzero"`
}

// Width returns the number of elements.
func (c *Column) Width() int {
	switch {
	case c.Values != nil:
		return len(c.Values)
	case c.Missing:
		return 2
	}
	return 1
}

// Standardize returns the element of a number.
func (c *Column) Standardize(v float64) float32 {
	if c.SD == 0 {
		return float32(v)
	}
	return float32((v - c.Mean) / c.SD)
}

// NumberColumns returns the columns of a context of n numbers without names: x1, x2, ….
func NumberColumns(n int) []Column {
	list := make([]Column, n)
	for i := range list {
		list[i].Name = fmt.Sprintf("x%d", i+1)
	}
	return list
}
