package stats

import (
	"cmp"
	"math"
	"slices"
)

// Holm returns the p-values of a family of tests corrected for their number (Holm 1979): the i-th
// smallest of m, from 0, times m−i, at least the corrected value before and at most 1. NaN
// stands for no test and is not counted in m.
func Holm(p []float64) []float64 {
	var order []int
	corrected := slices.Clone(p)
	for i, v := range p {
		if !math.IsNaN(v) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	least := 0.0
	for rank, i := range order {
		least = max(least, min(p[i]*float64(len(order)-rank), 1))
		corrected[i] = least
	}
	return corrected
}
