package exact

import (
	"math"
	"slices"

	"banditsim/internal/moments"
	"banditsim/internal/state"
)

// columns scales contexts. With standardize, each column is divided by its standard deviation over the contexts so far,
// so that distances between contexts do not depend on their columns' units. A column is not scaled while its values are
// all 0 or 1. The factors, 1 over the standard deviations, are updated whenever the number of contexts doubles.
type columns struct {
	moments.Vectors
	standardize bool
	factor      []float64 // by column
	used        float64   // number of contexts when the factors were last updated
	scaled      []float32 // result of scale
}

func newColumns(dim int, standardize bool) columns {
	return columns{Vectors: moments.NewVectors(dim), standardize: standardize, factor: slices.Repeat([]float64{1}, dim)}
}

// scale returns context scaled, valid until the next call, or context itself without standardize or for a wrong length.
func (c *columns) scale(context []float32) []float32 {
	if !c.standardize || len(context) != len(c.factor) {
		return context
	}
	c.scaled = c.scaled[:0]
	for j, v := range context {
		c.scaled = append(c.scaled, float32(float64(v)*c.factor[j]))
	}
	return c.scaled
}

// add adds an unscaled context. If the number of contexts has doubled since the factors were last updated, add updates
// them and returns, by column, the ratio of the new factor to the old one. Otherwise it returns nil.
func (c *columns) add(context []float32) (ratio []float64) {
	c.Add(context)
	if c.N < 2*c.used {
		return nil
	}
	c.used, ratio = c.N, slices.Repeat([]float64{1}, len(c.factor))
	for j, squares := range c.Squares {
		if c.standardize && c.Number[j] && squares > 0 {
			factor := 1 / math.Sqrt(squares/c.N)
			c.factor[j], ratio[j] = factor, factor/c.factor[j]
		}
	}
	return ratio
}

// rescale multiplies each column of the contexts by its ratio.
func (h *history) rescale(ratio []float64) {
	for i := range h.contexts {
		h.contexts[i] = float32(float64(h.contexts[i]) * ratio[i%h.dim])
	}
}

// distance returns the root mean square distance between two of the scaled contexts, or 1 if all are equal.
func (c *columns) distance() float64 {
	sum := 0.0
	for j, squares := range c.Squares {
		sum += float64(squares * float64(c.factor[j]*c.factor[j]))
	}
	if sum == 0 {
		return 1
	}
	return math.Sqrt(2 * sum / c.N)
}

func (c *columns) state(s *state.Codec) {
	c.Vectors.State(s)
	if !c.standardize {
		return
	}
	s.Float64In("contexts of the units", &c.used, 0, math.MaxFloat64)
	s.Float64s(c.factor)
	s.Bools(c.Number)
}
