package logged

import (
	"math"
	"slices"
)

// gridSize is the number of clips below the largest weight.
const gridSize = 20

// clips returns the clips to choose from, in increasing order: gridSize values, evenly spaced in their logarithm from the
// larger of 1 and the median of the weights above 0 to the largest weight, and +Inf last: no clip. If no weight is above
// that median it is +Inf alone.
func clips(s *sample) []float64 {
	positive := make([]float64, 0, weighted(s))
	for _, w := range s.weight {
		if w > 0 {
			positive = append(positive, w)
		}
	}
	if len(positive) == 0 {
		return []float64{math.Inf(1)}
	}
	slices.Sort(positive)
	low, high := max(1, positive[len(positive)/2]), positive[len(positive)-1]
	var grid []float64
	if high > low {
		for i := range gridSize {
			grid = append(grid, low*math.Pow(high/low, float64(i)/gridSize))
		}
	}
	return append(grid, math.Inf(1))
}

// weighted returns the number of rows with a weight above 0.
func weighted(s *sample) int {
	n := 0
	for _, w := range s.weight {
		if w > 0 {
			n++
		}
	}
	return n
}

// choose returns the estimate with changed weights ŵ = change(w, parameter) at the parameter of the grid with the least
// estimated mean squared error (Su et al. 2020, section 5):
//
//	variance of the terms/n + (bias)²,  bias = mean of (ŵ − w)(r − q),
//
// where the bias is estimated without the changed weights' help, by the very residuals that the change leaves out. Of equals
// it takes the largest parameter, which changes least. change of 0 is 0, so that rows without weight add the same to all.
func choose(s *sample, model bool, grid []float64, change func(w, parameter float64) float64) estimate {
	type row struct{ weight, residual, value float64 }
	n := float64(len(s.reward))
	center := 0.0 // center of values: sums of squares about it keep their digits
	for i := range s.reward {
		center += s.valueOf(i, model) / n
	}
	rows := make([]row, 0, weighted(s))
	var unweighted, unweightedSquares float64
	for i, w := range s.weight {
		v := s.valueOf(i, model) - center
		if w > 0 {
			rows = append(rows, row{w, s.residual(i, model), v})
			continue
		}
		unweighted += v
		unweightedSquares += float64(v * v)
	}
	best, least := math.Inf(1), math.Inf(1)
	for _, parameter := range slices.Backward(grid) {
		sum, squares, bias := unweighted, unweightedSquares, 0.0
		for _, r := range rows {
			changed := change(r.weight, parameter)
			term := r.value + float64(changed*r.residual)
			sum += term
			squares += float64(term * term)
			bias += float64((changed - r.weight) * r.residual)
		}
		variance := (squares - float64(sum*sum)/n) / max(n-1, 1)
		if mse := variance/n + float64(bias/n*bias/n); mse < least {
			best, least = parameter, mse
		}
	}
	e := mean(corrected(s, model, func(w float64) float64 { return change(w, best) }))
	e.parameter = best
	return e
}
