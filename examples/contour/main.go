// Command contour is banditsim with an additional posterior: pICSGLD in which each chain has its own
// histogram, instead of one for all chains. It shows how to replace the contour of a sampler, and gives the row
// 'interaction off' in docs/reproduction.md.
//
//	go run . run quick --policies Apart,pICSGLD --out out/apart
package main

import (
	"banditsim/bandit/experiment"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/cmd/banditsim/cli"
	"banditsim/posterior"
	"banditsim/posterior/neural"
	"banditsim/posterior/sgmcmc"
)

// method returns pICSGLD with Apart as its contour.
func method() sgmcmc.Method[sgmcmc.LangevinOptions] {
	m := sgmcmc.PICSGLD()
	m.Name, m.Doc = "Apart", "pICSGLD without interaction"
	m.New = func(o sgmcmc.LangevinOptions, u sgmcmc.Setup) (posterior.Sampler, error) {
		contour := o.Contour
		o.Contour.Kind = "off"
		s, err := sgmcmc.NewLangevin(o, u)
		if err != nil {
			return nil, err
		}
		s.Contour, err = NewApart(contour, o.Temperature, u.Chains)
		return s, err
	}
	return m
}

func main() {
	catalog := builtin.Default()
	apart := neural.Over(method()).With(": one histogram per chain")
	cli.Exec(catalog, experiment.AddPosterior(catalog, apart.Kind))
}

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
