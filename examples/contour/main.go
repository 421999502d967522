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
