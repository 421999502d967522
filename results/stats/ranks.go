package stats

import (
	"cmp"
	"slices"
)

// ranks returns the place of each value, 1 for the lowest; equal values share the mean of their places.
// No value may be NaN.
func ranks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	places := make([]float64, len(values))
	for low := 0; low < len(order); {
		high := low
		for high < len(order) && values[order[high]] == values[order[low]] {
			high++
		}
		for _, i := range order[low:high] {
			places[i] = float64(low+1+high) / 2
		}
		low = high
	}
	return places
}
