package main

import "banditsim/posterior/sgmcmc"

// Apart is a contour for chains that do not interact: a histogram for each. What is left of
// ICSGLD with it is CSGLD, as often as there are chains.
type Apart []*sgmcmc.Histogram

// NewApart returns histograms for so many chains.
func NewApart(o sgmcmc.ContourOptions, temperature float64, chains int) Apart {
	var a Apart
	for range chains {
		a = append(a, sgmcmc.NewHistogram(o, temperature, 1))
	}
	return a
}

// Meet lets every histogram learn from its own chain.
func (a Apart) Meet(multipliers, energies []float64) {
	for i, h := range a {
		h.Meet(multipliers[i:i+1], energies[i:i+1])
	}
}

// Weights are each by the chain's own θ.
func (a Apart) Weights(weights []float64) {
	for i, h := range a {
		h.Weights(weights[i : i+1])
	}
}

// State returns the first chain's θ, which stands in the record, and all bins.
func (a Apart) State() (theta []float64, bins []int) {
	for i, h := range a {
		t, b := h.State()
		if i == 0 {
			theta = t
		}
		bins = append(bins, b...)
	}
	return theta, bins
}

// StartRound tells every histogram of the trial's rounds.
func (a Apart) StartRound(ended, rounds int) {
	for _, h := range a {
		h.StartRound(ended, rounds)
	}
}
