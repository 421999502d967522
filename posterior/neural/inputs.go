package neural

import (
	"math"

	"banditsim/internal/moments"
	"banditsim/internal/state"
)

// inputs standardizes contexts by the moments of those that were observed: a column that has had another value than 0
// and 1 becomes (v − mean)/deviation; one that has not stays, so that rare categories are no outliers. The moments in use
// are renewed when the contexts have become more by a tenth.
type inputs struct {
	moments.Vectors           // moments of the contexts observed
	used            float64   // contexts observed when the moments in use were taken
	number          []bool    // columns with numbers
	shift, factor   []float64 // in use: (v − shift)·factor
}

func newInputs(dim int) inputs {
	in := inputs{Vectors: moments.NewVectors(dim), number: make([]bool, dim), shift: make([]float64, dim), factor: make([]float64, dim)}
	for j := range in.factor {
		in.factor[j] = 1
	}
	return in
}

// add adds a context.
func (in *inputs) add(context []float32) {
	for j, v := range context {
		if v != 0 && v != 1 {
			in.number[j] = true
		}
	}
	in.Add(context)
}

// due reports whether the moments in use are to be renewed.
func (in *inputs) due() bool { return in.N >= 1.1*in.used && in.N > in.used }

// renew takes the moments of the contexts observed. A standardized input v becomes (v − shift)/ratio.
func (in *inputs) renew() (ratio, shift []float64) {
	in.used = in.N
	ratio, shift = make([]float64, len(in.Mean)), make([]float64, len(in.Mean))
	for j, mean := range in.Mean {
		ratio[j] = 1
		if !in.number[j] {
			continue
		}
		sd := math.Sqrt(in.Squares[j] / in.N)
		if !(sd > 1e-9*math.Abs(mean)) { // equal but for rounding
			sd = 1
		}
		ratio[j], shift[j] = sd*in.factor[j], (mean-in.shift[j])*in.factor[j]
		in.shift[j], in.factor[j] = mean, 1/sd
	}
	return ratio, shift
}

// standardize writes the inputs of a context to dst.
func (in *inputs) standardize(dst, context []float32) {
	for j, v := range context {
		dst[j] = float32((float64(v) - in.shift[j]) * in.factor[j])
	}
}

func (in *inputs) state(c *state.Codec) {
	c.Float64In("contexts", &in.N, 0, math.MaxFloat64)
	c.Float64In("contexts in use", &in.used, 0, in.N)
	for _, v := range [][]float64{in.Mean, in.Squares, in.shift, in.factor} {
		c.Float64s(v)
	}
	for j := range in.number {
		c.Bool(&in.number[j])
	}
}
