package neural

import (
	"math"

	"banditsim/internal/moments"
	"banditsim/internal/state"
)

// inputs standardizes the contexts that a network sees by the moments of those that were observed: a column that has had another value than 0
// and 1 becomes (v − mean)/deviation; one that has not stays, so that rare categories are no outliers. The moments in use
// are renewed when the contexts have become more by a tenth. For a convolution, which sees all pixels alike, the columns of a
// channel have the same moments.
type inputs struct {
	moments.Vectors           // moments of the contexts observed
	used            float64   // contexts observed when the moments in use were taken
	number          []bool    // columns with numbers
	shift, factor   []float64 // in use: (v − shift)·factor
	channels        int       // of images, whose columns share moments; 0: each column has its own
	limit           float64   // inputs beyond ±limit become ±limit; 0: none do
}

// newInputs returns those of no contexts yet, of length dim.
func newInputs(dim int) *inputs {
	in := &inputs{Vectors: moments.NewVectors(dim), number: make([]bool, dim), shift: make([]float64, dim), factor: make([]float64, dim)}
	for j := range in.factor {
		in.factor[j] = 1
	}
	return in
}

// observe adds a context. It does nothing on nil.
func (in *inputs) observe(context []float32) {
	if in == nil {
		return
	}
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
	means, squares, number := in.Mean, in.Squares, in.number
	if in.channels > 0 {
		means, squares, number = in.byChannel()
	}
	for j, mean := range means {
		ratio[j] = 1
		if !number[j] {
			continue
		}
		sd := math.Sqrt(squares[j] / in.N)
		if !(sd > 1e-9*math.Abs(mean)) { // equal but for rounding
			sd = 1
		}
		ratio[j], shift[j] = sd*in.factor[j], (mean-in.shift[j])*in.factor[j]
		in.shift[j], in.factor[j] = mean, 1/sd
	}
	return ratio, shift
}

// byChannel returns mean, sum of squared deviations per pixel and the mark of numbers for each column, those of its channel.
func (in *inputs) byChannel() (means, squares []float64, number []bool) {
	dim := len(in.Mean)
	means, squares, number = make([]float64, dim), make([]float64, dim), make([]bool, dim)
	pixels := float64(dim / in.channels)
	for c := range in.channels {
		mean, sum, isNumber := 0.0, 0.0, false
		for j := c; j < dim; j += in.channels {
			mean += in.Mean[j]
			isNumber = isNumber || in.number[j]
		}
		mean /= pixels
		for j := c; j < dim; j += in.channels {
			d := in.Mean[j] - mean
			sum += in.Squares[j] + float64(in.N*float64(d*d))
		}
		for j := c; j < dim; j += in.channels {
			means[j], squares[j], number[j] = mean, sum/pixels, isNumber
		}
	}
	return means, squares, number
}

// standardize writes the inputs of a context to dst.
func (in *inputs) standardize(dst, context []float32) {
	for j, v := range context {
		z := (float64(v) - in.shift[j]) * in.factor[j]
		if in.limit > 0 {
			z = max(-in.limit, min(z, in.limit))
		}
		dst[j] = float32(z)
	}
}

// state saves or restores the moments.
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
