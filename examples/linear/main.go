// Command linear is banditsim with an additional posterior, Bayesian linear regression:
//
//	go run . run quick --policies OwnLinear,pICSGLD,Uniform --set OwnLinear.act=sample --out out/linear
package main

import (
	"banditsim/bandit/experiment"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/cmd/banditsim/cli"
	"banditsim/posterior"
)

// Kind declares the posterior.
var Kind = posterior.Kind[Options]{
	Name: "OwnLinear", Doc: "Bayesian linear regression, exact",
	Defaults: func() Options { return Options{Prior: 10, Noise: 10} },
	New:      New,
	Claims:   posterior.Claims{Rounds: 1, Spread: true},
}

func main() {
	catalog := builtin.Default()
	cli.Exec(catalog, experiment.AddPosterior(catalog, Kind))
}
