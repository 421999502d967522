package main

import "banditsim/posterior/sgmcmc"

// Apart is a contour for chains that do not interact: each chain has its own histogram. With it, ICSGLD
// is CSGLD run separately for each chain.
type Apart []*sgmcmc.Histogram

// NewApart returns an Apart for a number of chains.
func NewApart(o sgmcmc.ContourOptions, temperature float64, chains int) (Apart, error) {
	var a Apart
	for range chains {
		h, err := sgmcmc.NewHistogram(o, temperature, 1)
		if err != nil {
			return nil, err
		}
		a = append(a, h)
	}
	return a, nil
}

// Meet updates each histogram with the energy of its chain, and sets the chains' multipliers.
func (a Apart) Meet(multipliers, energies []float64) {
	for i, h := range a {
		h.Meet(multipliers[i:i+1], energies[i:i+1])
	}
}

// Weights sets the weight of each chain by its own θ.
func (a Apart) Weights(weights []float64) {
	for i, h := range a {
		h.Weights(weights[i : i+1])
	}
}

// State returns θ of the first chain and the bin of each chain. The θ of the other chains is not recorded.
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

// StartRound forwards the round number to every histogram.
func (a Apart) StartRound(ended, rounds int) {
	for _, h := range a {
		h.StartRound(ended, rounds)
	}
}
