package logged

import (
	"context"
	"math"
	"slices"

	"banditsim/internal/kernel"
)

const (
	kept         = 8    // number of the last steps that twoLoops uses, each with its change of the gradient
	maxSteps     = 300  // largest number of steps
	flatGradient = 1e-6 // largest element of the gradient, in absolute value, at which minimize stops
)

// minimize moves x to the minimum of f by L-BFGS with backtracking (Nocedal and Wright, Numerical Optimization, 2006,
// algorithms 7.4 and 3.1). f returns the value of a strictly convex function at x and writes its gradient. The first
// step is −scale times the gradient. minimize stops early when ctx is done. Sums have a fixed order and rounded
// products, so that every processor gets the same bits. (Gonum's optimizer would add 21 packages to the command.)
func minimize(ctx context.Context, x []float64, scale float64, f func(gradient []float64) float64) {
	n := len(x)
	gradient, next, from, direction := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	var steps, changes [][]float64
	value := f(gradient)
	for range maxSteps {
		steep := func(g float64) bool { return math.Abs(g) > flatGradient }
		if !slices.ContainsFunc(gradient, steep) || ctx.Err() != nil {
			return
		}
		twoLoops(direction, gradient, steps, changes, scale)
		slope := dot(gradient, direction)
		copy(from, x)
		length, moved := 1.0, math.Inf(1)
		for ; length > 1e-10; length /= 2 {
			copy(x, from)
			kernel.AddScaled(x, length, direction)
			if moved = f(next); moved <= value+float64(1e-4*float64(length*slope)) {
				break
			}
		}
		if !(moved < value) { // no step lowers f by more than rounding errors
			copy(x, from)
			return
		}
		step, change := slices.Clone(x), slices.Clone(next)
		kernel.AddScaled(step, -1, from)
		kernel.AddScaled(change, -1, gradient)
		if dot(step, change) > 0 {
			steps, changes = append(steps, step), append(changes, change)
		}
		if len(steps) > kept {
			steps, changes = steps[1:], changes[1:]
		}
		value = moved
		gradient, next = next, gradient
	}
}

// twoLoops writes −H·gradient to direction. H approximates the inverse Hessian from steps and changes; without any it
// is scale·I.
func twoLoops(direction, gradient []float64, steps, changes [][]float64, scale float64) {
	for i, g := range gradient {
		direction[i] = -g
	}
	weights := make([]float64, len(steps))
	for k, s := range slices.Backward(steps) {
		weights[k] = dot(s, direction) / dot(s, changes[k])
		kernel.AddScaled(direction, -weights[k], changes[k])
	}
	if last := len(steps) - 1; last >= 0 {
		scale = dot(steps[last], changes[last]) / dot(changes[last], changes[last])
	}
	for i := range direction {
		direction[i] *= scale
	}
	for k, s := range steps {
		kernel.AddScaled(direction, weights[k]-dot(changes[k], direction)/dot(s, changes[k]), s)
	}
}
