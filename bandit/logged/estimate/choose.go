package estimate

import (
	"math"
	"slices"
)

// gridSize is the number of clips below the largest weight.
const gridSize = 20

// clips returns the clips to choose from, in increasing order: gridSize values, evenly spaced in their logarithm from the
// larger of 1 and the median of the weights above 0 to the largest weight, and +Inf last: no clip. If no weight is above
// that median it is +Inf alone.
func clips(s *Sample) []float64 {
	var positive []float64
	for _, w := range s.Weight {
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

// choose returns the estimate with changed weights ŵ = change(w, parameter) at the parameter of the grid with the least
// estimated mean squared error (Su et al. 2020, section 5):
//
//	variance of the terms/n + (bias)²,  bias = mean of (ŵ − w)(r − q),
//
// where the bias is estimated without the changed weights' help, by the very residuals that the change leaves out. Of equals
// it takes the largest parameter, which changes least.
func choose(s *Sample, model bool, grid []float64, change func(w, parameter float64) float64) Estimate {
	n := float64(len(s.Reward))
	best, least := math.Inf(1), math.Inf(1)
	for _, parameter := range slices.Backward(grid) {
		var count, center, squares, bias float64
		for i, w := range s.Weight {
			changed, residual := change(w, parameter), s.residual(i, model)
			term := s.value(i, model) + float64(changed*residual)
			bias += float64((changed - w) * residual)
			count++
			d := term - center
			center += d / count
			squares += float64(d * (term - center))
		}
		if mse := squares/max(n-1, 1)/n + float64(bias/n*bias/n); mse < least {
			best, least = parameter, mse
		}
	}
	e := mean(corrected(s, model, func(w float64) float64 { return change(w, best) }))
	e.Parameter = best
	return e
}
