// Command sampler is banditsim with an additional sampler, BAOAB. The first command below checks the sampler on targets
// with known answers, the second uses it for the posterior of a policy.
//
//	go test -v -run TestSamples .
//	go run . run quick --policies BAOAB,pSGLD --out out/baoab
package main

import (
	"fmt"
	"math"

	"banditsim/bandit/experiment"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/cmd/banditsim/cli"
	"banditsim/posterior"
	"banditsim/posterior/neural"
	"banditsim/posterior/sgmcmc"
)

// Options are the options of BAOAB.
type Options struct {
	Size        float64 `json:"size"`
	Friction    float64 `json:"friction"`
	Temperature float64 `json:"temperature"`
}

// Method declares the sampler, its options and what it claims.
var Method = sgmcmc.Method[Options]{
	Name: "BAOAB", Doc: "underdamped Langevin dynamics, split",
	Defaults: func() Options { return Options{Size: 3e-4, Friction: 300, Temperature: 0.3} },
	Small:    func(o Options) Options { return Options{Size: 1e-2, Friction: 50, Temperature: o.Temperature} },
	New: func(o Options, s sgmcmc.Setup) (posterior.Sampler, error) {
		if !(o.Size >= 0 && o.Friction >= 0 && o.Temperature >= 0) {
			return nil, fmt.Errorf("size, friction and temperature are %g, %g and %g, want at least 0", o.Size, o.Friction, o.Temperature)
		}
		return &BAOAB{Options: o, Noise: s.Noise}, nil
	},
	Checked: func(o sgmcmc.LangevinOptions) Options {
		return Options{Size: o.LearningRate, Friction: 1, Temperature: o.Temperature}
	},
	Claims: sgmcmc.Claims{
		Density: true, Period: 1, FineRate: 0.25,
		// With friction 1 the correlation falls to 1/e within 2 units of time, or within 1/k if 1/k is longer.
		Memory:   func(k, h float64) float64 { return max(2, 1/k) / h },
		Variance: variance,
	},
}

// variance returns the stationary variance of x on U = kx²/2 with gradient noise of variance v and friction 1: the
// fixed point of the moments over a step of size h. Without noise it is τ/k for every h.
func variance(k, v, h, temperature float64) float64 {
	keep := math.Exp(-h)
	kick := (1 - keep*keep) * temperature
	xx, xp, pp := 1.0, 0.0, 1.0
	for range 100_000 {
		pp, xp = pp-2*h*k*xp+h*h*(k*k*xx+v), xp-h*k*xx // p ← p − h(kx + noise)
		xx, xp = xx+h*xp+h*h/4*pp, xp+h/2*pp           // x ← x + hp/2
		xp, pp = keep*xp, keep*keep*pp+kick            // p ← cp + …
		xx, xp = xx+h*xp+h*h/4*pp, xp+h/2*pp           // x ← x + hp/2
	}
	return xx
}

func main() {
	catalog := builtin.Default()
	cli.Exec(catalog, experiment.AddSampler(catalog, neural.Over(Method)))
}
