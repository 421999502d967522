package sgmcmc

import (
	"slices"

	"banditsim/internal/kernel"
	"banditsim/internal/state"
)

// authors is the contour of the authors' published bandit program, for comparisons of regret. Unlike in Histogram:
//
//   - the index of a chain's bin, counted from 0, is trunc(Û/Δu) clipped to [1, m−1]. No chain is ever in bin 0, but the
//     multiplier in bin 1 uses θ[0] as well. Before the first step the index is m−1;
//   - the multiplier and the random field of a chain use its index of the step before;
//   - θ moves by the mean of the random fields (computeField) of the chains whose new index is below m−1. A chain whose old index is
//     m−1 keeps the field of an earlier step; before its first, the field is −1/m² in every bin;
//   - at index m−1 the multiplier is 1, and the weight is the regularizer alone;
//   - weights come from θ before the update, plus 1e-10;
//   - θ and the fields are float32.
type authors struct {
	binned
	theta   []float32
	index   []int       // the chains' bins, from 0
	field   [][]float32 // random field of θ, chain by chain
	sum     []float32   // scratch: the sum of fields
	weights []float64
	theta64 []float64 // what State returns
	tau     float64
}

var _ Contour = (*authors)(nil)

// authorsWeightFloor is added to every weight.
const authorsWeightFloor = 1e-10

// newAuthors returns the contour for a number of chains at a temperature. It validates options as for kind "authors".
func newAuthors(o ContourOptions, temperature float64, chains int) (*authors, error) {
	b, err := newBinned("authors", o, temperature, chains)
	if err != nil {
		return nil, err
	}
	flat := 1 / float32(o.Bins)
	h := &authors{
		binned: b, tau: temperature, theta: slices.Repeat([]float32{flat}, o.Bins), theta64: make([]float64, o.Bins),
		sum: make([]float32, o.Bins), index: slices.Repeat([]int{o.Bins - 1}, chains), weights: slices.Repeat([]float64{1}, chains),
	}
	h.Fields = h.state
	for range chains {
		h.field = append(h.field, slices.Repeat([]float32{-flat * flat}, o.Bins))
	}
	return h, nil
}

// State returns θ and the bin of every chain, counted from 1.
func (h *authors) State() (theta []float64, bins []int) {
	for i, t := range h.theta {
		h.theta64[i] = float64(t)
	}
	for p, j := range h.index {
		h.bins[p] = j + 1
	}
	return h.theta64, h.bins
}

// Meet sets the multipliers and updates θ, in the authors' order.
func (h *authors) Meet(multipliers, energies []float64) {
	h.assign(energies, h.Bin)
	h.Visit(multipliers, h.bins, nil)
}

// Bin returns the bin of an energy, from 1 as in State.
func (h *authors) Bin(energy float64) int {
	return 1 + int(min(max(energy/h.o.Width, 1), float64(h.o.Bins-1)))
}

// Visit is Histogram.Visit in the authors' order: it sets multipliers and random fields from the chains' bins of the
// step before, then the bins and weights of this step, and then updates θ.
func (h *authors) Visit(multipliers []float64, bins []int, theta []float64) {
	last := h.o.Bins - 1
	for p, bin := range bins {
		multipliers[p] = 1
		if j := h.index[p]; j < last {
			difference := float32(kernel.Log(float64(h.theta[j]))) - float32(kernel.Log(float64(h.theta[j-1])))
			multipliers[p] = 1 + h.o.Zeta*h.tau*float64(difference)/h.o.Width
			h.computeField(p, j)
		}
		h.index[p] = bin - 1
		h.weights[p] = h.o.WeightRegularizer
		if j := h.index[p]; j < last {
			h.weights[p] += power(float64(h.theta[j]), h.o.Zeta)
		}
		h.weights[p] += authorsWeightFloor
	}
	for i, t := range theta {
		h.theta[i] = float32(t)
	}
	if theta == nil && !h.frozen {
		h.learn()
	}
}

// computeField sets the random field of a chain in bin j. Its element for bin i is θ(j)(1_{i=j} − θ(i)).
func (h *authors) computeField(p, j int) {
	for i, t := range h.theta {
		h.field[p][i] = -h.theta[j] * t
	}
	h.field[p][j] = h.theta[j] * (1 - h.theta[j])
}

// learn adds to θ ω times the mean of the random fields of the chains whose index is below m−1.
func (h *authors) learn() {
	clear(h.sum)
	n := 0
	for p, j := range h.index {
		if j < h.o.Bins-1 {
			n++
			for i, f := range h.field[p] {
				h.sum[i] += f
			}
		}
	}
	if n == 0 {
		return
	}
	for i, f := range h.sum {
		h.theta[i] += float32(float32(h.o.Omega) * (f / float32(n)))
	}
}

// Weights writes the weights that the last Visit computed to weights; 1 before the first.
func (h *authors) Weights(weights []float64) { copy(weights, h.weights) }

func (h *authors) state(c *state.Codec) {
	c.Float32s(h.theta)
	for p, field := range h.field {
		c.Int("index", &h.index[p], 1, h.o.Bins-1)
		c.Float32s(field)
	}
	c.Float64s(h.weights)
	c.Bool(&h.frozen)
}
