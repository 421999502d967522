package bandit

import "fmt"

// Missing stands for a missing value among the Values of a category, where it is the last.
const Missing = "?"

// A Column describes how the value of a named column is encoded as elements of a context.
type Column struct {
	Name string `json:"name"`
	// Values are the values of a category; nil if the column is a number. Each value has an element, which is 1 for
	// this value and 0 for others. For a value that is not among them, all elements are 0.
	Values []string `json:"values,omitempty"`
	// Mean and SD standardize a number: its element is (value − Mean)/SD, or 0 if the value is missing. If SD is 0, the
	// element is the value.
	Mean float64 `json:"mean,omitzero"`
	SD   float64 `json:"sd,omitzero"`
	// Missing gives a number a second element, which is 1 if the value is missing, else 0.
	Missing bool `json:"missing,omitzero"`
}

// Width returns the number of elements of the column in a context.
func (c *Column) Width() int {
	switch {
	case c.Values != nil:
		return len(c.Values)
	case c.Missing:
		return 2
	}
	return 1
}

// Standardize returns the element that encodes the number v.
func (c *Column) Standardize(v float64) float32 {
	if c.SD == 0 {
		return float32(v)
	}
	return float32((v - c.Mean) / c.SD)
}

// NumberColumns returns columns for a context of n numbers that have no names. It names them x1, x2, ….
func NumberColumns(n int) []Column {
	list := make([]Column, n)
	for i := range list {
		list[i].Name = fmt.Sprintf("x%d", i+1)
	}
	return list
}
