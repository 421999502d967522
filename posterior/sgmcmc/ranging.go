package sgmcmc

import (
	"math"
	"slices"

	"banditsim/internal/state"
)

// ranging is a Histogram that places its bins over the energies met, for targets of unknown range. It does so at the
// start of a round, once it has met 64 energies. The bins reach from the 2 % quantile to the 98 % quantile of the last
// 512 energies, plus a tenth of that range at each end. Later they are placed anew if more than one in twenty of these
// energies lie outside them, or if the new bins would have less than half of the old range. θ keeps its values bin by
// bin, because a network's energies grow all together with its data. Until bins are placed, the multipliers are 1.
//
// The gain κ = ζτ/Δu of the multiplier is an option here, so that ζ = κΔu/τ follows from the bins. M is clipped to 1 ±
// Limit. In the paper the range is known, ζ is fixed and M is not bounded.
type ranging struct {
	state.Fields
	h           *Histogram
	temperature float64
	placed      bool
	recent      []float64 // the last energies, in a ring
	next        int
}

var _ Contour = (*ranging)(nil)

const (
	recentEnergies = 512
	enoughEnergies = 64
	rangeQuantile  = 0.02
	rangeMargin    = 0.1
	rangeOutside   = 0.05
)

// newRanging returns a ranging that has no bins yet. It keeps h.
func newRanging(h *Histogram, temperature float64) *ranging {
	h.slope, h.o.Zeta = 0, 0
	r := &ranging{h: h, temperature: temperature}
	r.Fields = r.state
	return r
}

// StartRound places the bins if enough energies are known, and there are no bins yet or they no longer fit the
// energies. It lets θ change if more than the share ThetaWarmup of all rounds has ended.
func (r *ranging) StartRound(ended, rounds int) {
	r.h.StartRound(ended, rounds)
	n := len(r.recent)
	if n < enoughEnergies {
		return
	}
	start, width := r.bounds()
	if math.IsInf(width, 0) || math.IsNaN(width) {
		return // wait for other energies
	}
	outside := 0
	for _, u := range r.recent {
		if u < r.h.o.Start || u > r.h.edge(float64(r.h.o.Bins)) {
			outside++
		}
	}
	if r.placed && float64(outside) <= rangeOutside*float64(n) && 2*width >= r.h.o.Width {
		return
	}
	r.placed, r.h.o.Start, r.h.o.Width = true, start, width
	if r.temperature > 0 {
		r.h.slope, r.h.o.Zeta = r.h.o.Gain, r.h.o.Gain*width/r.temperature
	}
}

// bounds returns the start and the width of bins over the last energies.
func (r *ranging) bounds() (start, width float64) {
	sorted := slices.Sorted(slices.Values(r.recent))
	last := float64(len(sorted) - 1)
	low, high := sorted[int(rangeQuantile*last)], sorted[int(math.Ceil((1-rangeQuantile)*last))]
	margin := float64(rangeMargin * (high - low)) // converted, so that no FMA fuses the product with the sums below
	if margin == 0 {                              // equal energies
		margin = float64(max(math.Abs(low), 1) * rangeMargin)
	}
	return low - margin, (high - low + 2*margin) / float64(r.h.o.Bins)
}

// Meet updates θ by the energies of all chains and sets their multipliers.
func (r *ranging) Meet(multipliers, energies []float64) {
	for _, u := range energies {
		if len(r.recent) < recentEnergies {
			r.recent = append(r.recent, u)
		} else {
			r.recent[r.next] = u
		}
		r.next = (r.next + 1) % recentEnergies
	}
	if !r.placed {
		fill(multipliers, 1)
		return
	}
	r.h.Meet(multipliers, energies)
	for p, m := range multipliers {
		multipliers[p] = min(max(m, 1-r.h.o.Limit), 1+r.h.o.Limit)
	}
}

// Weights and State are those of the histogram.
func (r *ranging) Weights(weights []float64)            { r.h.Weights(weights) }
func (r *ranging) State() (theta []float64, bins []int) { return r.h.State() }

func (r *ranging) state(c *state.Codec) {
	c.Object(r.h)
	c.Bool(&r.placed)
	for _, v := range []*float64{&r.h.o.Start, &r.h.o.Width, &r.h.slope, &r.h.o.Zeta} {
		c.Float64(v)
	}
	c.Int("next energy", &r.next, 0, recentEnergies-1)
	r.recent = state.Resize(c, "energies", r.recent, recentEnergies)
	c.Float64s(r.recent)
}
