package neural

import (
	"fmt"
	"math"
	"slices"

	"banditsim/internal/state"
	"banditsim/posterior/neural/internal/replay"
)

// ranks replaces the values of columns with heavy tails, which mean and deviation do not describe, by their ranks among
// the contexts held: a value v becomes
//
//	z = √12·(rank(v)/K − ½)
//
// so that z has mean 0 and standard deviation 1. Ranks come from K quantiles of the column, linear between these and
// constant beyond. A column is ranked for good if its kurtosis exceeds a limit when input moments are renewed.
type ranks struct {
	tails float64     // limit of the kurtosis, which is 3 for a normal distribution
	knots [][]float64 // quantiles of each column, ascending; empty for a column that is not ranked
}

// rankKnots is the number of quantiles, K.
const rankKnots = 64

// has reports whether column j is ranked.
func (r *ranks) has(j int) bool { return r != nil && len(r.knots[j]) > 0 }

// renew ranks columns with heavy tails, and computes the quantiles of ranked columns from a dense buffer. It sets ratio
// and shift, from inputs.renew, to 1 and 0 in ranked columns, so that shiftInputs leaves their weights as they are.
func (r *ranks) renew(in *inputs, b *replay.Buffer, ratio, shift []float64) {
	if r == nil {
		return
	}
	values := make([]float64, b.N)
	for j, number := range in.Number {
		if !number {
			continue
		}
		fourth := 0.0
		for i := range values {
			values[i] = float64(b.Value(i, j))
			z := (values[i] - in.shift[j]) * in.factor[j]
			fourth += float64(float64(z*z) * float64(z*z))
		}
		if !r.has(j) && fourth <= float64(r.tails*float64(b.N)) {
			continue
		}
		slices.Sort(values)
		r.knots[j] = r.knots[j][:0]
		for k := range rankKnots {
			r.knots[j] = append(r.knots[j], values[(2*k+1)*b.N/(2*rankKnots)])
		}
		ratio[j], shift[j] = 1, 0
	}
}

// score returns z for the value v in column j.
func (r *ranks) score(j int, v float64) float64 {
	knots := r.knots[j]
	first, _ := slices.BinarySearch(knots, v)
	last := first
	for last < rankKnots && knots[last] == v {
		last++
	}
	rank := float64(first+last) / 2
	switch {
	case last > first: // v equals some quantiles and has their mean rank
	case first == 0:
		rank = 0.5
	case first == rankKnots:
		rank = rankKnots - 0.5
	default:
		rank += (v-knots[first-1])/(knots[first]-knots[first-1]) - 0.5
	}
	return math.Sqrt(12) * (rank/rankKnots - 0.5)
}

func (r *ranks) state(c *state.Codec) {
	if r == nil {
		return
	}
	for j := range r.knots {
		state.Slice(c, "quantiles of a column", &r.knots[j], rankKnots, c.Float64)
		if n := len(r.knots[j]); n != 0 && n != rankKnots {
			c.Fail(fmt.Errorf("%d quantiles of a column, want none or %d", n, rankKnots))
		}
	}
}
