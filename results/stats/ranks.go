package stats

import (
	"cmp"
	"slices"
)

// Ranks returns the place of each value, 1 for the lowest; equal values share the mean of their places.
// No value may be NaN.
func Ranks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	ranks := make([]float64, len(values))
	for low := 0; low < len(order); {
		high := low
		for high < len(order) && values[order[high]] == values[order[low]] {
			high++
		}
		for _, i := range order[low:high] {
			ranks[i] = float64(low+1+high) / 2
		}
		low = high
	}
	return ranks
}
