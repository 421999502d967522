// Package synthetic has environments whose expected rewards are known by a formula: functions of scores (linear, sparse
// linear, logistic, quadratic), the wheel, Friedman's functions, classification by formula (xor, spirals and others),
// the neural testbed, arms without contexts.
//
// Where each seed draws its own parameters, the regret of acting uniformly may vary. Spec.UniformRegret is then NaN.
//
// Environments draw contexts and rewards from their stream, parameters from its child "parameters" and
// drift from the child "drift". They can be saved. They are not safe for concurrent use.
package synthetic

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/datasets"
	"banditsim/internal/kernel"
	"banditsim/internal/state"
)

// kind declares an environment without data.
func kind[O any](name, doc string, defaults func() O, open func(O) (*datasets.World, error)) datasets.Kind[O] {
	return datasets.Kind[O]{Name: name, Doc: doc, Defaults: defaults, Open: func(_ context.Context, o O, data string) (*datasets.World, error) {
		if data != "" {
			return nil, fmt.Errorf("the environment %s has no data file, found --data %s: leave --data out", name, data)
		}
		return open(o)
	}}
}

// A simulation is an environment: the state that is saved, and a function that draws a pull. There are no rows of data.
type simulation struct {
	state.Object
	spec bandit.Spec
	draw func(r *bandit.Round, o *bandit.Outcome)
}

func (s simulation) Spec() bandit.Spec { return s.spec }

func (s simulation) Next(r *bandit.Round, o *bandit.Outcome) error {
	r.Row = -1
	s.draw(r, o)
	return nil
}

// simulate returns the world of the environments that begin makes of the streams of trials.
func simulate(begin func(r *stream.Stream) simulation) *datasets.World {
	return &datasets.World{New: func(r *stream.Stream) (bandit.Environment, error) { return begin(r), nil }}
}

func armNames(n int) []string {
	var list []string
	for i := range n {
		list = append(list, strconv.Itoa(i+1))
	}
	return list
}

// integrate returns the integral of f from low to high by Simpson's rule. The result is rounded to 10 digits, because
// trial IDs depend on it and must not depend on the last bits of math's functions.
func integrate(low, high float64, f func(float64) float64) float64 {
	const n = 20_000 // even
	sum := f(low) + f(high)
	for i := 1; i < n; i++ {
		sum += float64(float64(2*(1+i%2)) * f(low+(high-low)*float64(i)/n))
	}
	return digits(sum * (high - low) / n / 3)
}

// digits returns v rounded to 10 significant digits.
func digits(v float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 10, 64), 64)
	if err != nil {
		panic(err) // the text is a formatted number
	}
	return r
}

func logistic(x float64) float64 {
	if x < 0 {
		e := kernel.Exp(x)
		return e / (1 + e)
	}
	return 1 / (1 + kernel.Exp(-math.Abs(x)))
}

func normalCDF(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }

// bernoulli sets each reward to 1 with the probability in mean, else to 0.
func bernoulli(r *stream.Stream, reward, mean []float64, _ []float32) {
	for a, p := range mean {
		reward[a] = 0
		if r.Float64() < p {
			reward[a] = 1
		}
	}
}
