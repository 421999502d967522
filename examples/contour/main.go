// Command contour is banditsim with one more posterior: pICSGLD whose chains have a histogram each
// instead of one for all. It is the line 'interaction off' of docs/reproduction.md, and shows how to
// use another contour.
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

// Options are those of pICSGLD.
type Options struct{ neural.LangevinOptions }

// Kind declares the posterior.
var Kind = posterior.Kind[Options]{
	Name: "Apart", Doc: "pICSGLD without interaction: a histogram a chain",
	Defaults: func() Options { return Options{neural.PICSGLD.Defaults()} },
	New:      Options.New,
	Claims:   neural.PICSGLD.Claims,
}

// New returns the posterior with untrained chains.
func (o Options) New(setup posterior.Setup) (posterior.Posterior, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	return neural.NewNetwork(o.NetworkOptions, setup, func(u sgmcmc.Setup) (posterior.Sampler, error) {
		u.LangevinOptions = o.LangevinOptions.LangevinOptions
		u.Contour.Kind = "off"
		s, err := sgmcmc.NewLangevin(u)
		if err != nil {
			return nil, err
		}
		s.Contour, err = NewApart(o.Contour, o.Temperature, o.Chains)
		return s, err
	})
}

func main() {
	catalog := builtin.Default()
	cli.Exec(catalog, experiment.AddPosterior(catalog, Kind))
}
