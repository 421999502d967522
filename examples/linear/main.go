// Command linear is the whole of banditsim with one more posterior, Bayesian
// linear regression:
//
//	go run . run quick --policies Linear,pICSGLD,Uniform --set Linear.act=sample --out out/linear
package main

import (
	"fmt"
	"os"

	"banditsim/bandit/experiment"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/cmd/banditsim/cli"
	"banditsim/posterior"
)

func main() {
	catalog := builtin.Default()
	defaults := func(posterior.Profile) Options { return Options{Prior: 10, Noise: 10} }
	if err := experiment.AddPosterior(catalog, "Linear", "Bayesian linear regression, exact", defaults, New); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(cli.Main(catalog, os.Args[1:], os.Stdout, os.Stderr))
}
