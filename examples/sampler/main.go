// Command sampler is banditsim with one more sampler, BAOAB: on targets with known answers, and as a
// posterior of the bandit.
//
//	go run . sampler verify BAOAB
//	go run . run quick --policies BAOAB,pSGLD --out out/baoab
package main

import (
	"math"

	"banditsim/bandit/experiment"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/cmd/banditsim/cli"
	"banditsim/posterior"
	"banditsim/posterior/neural"
	"banditsim/posterior/sgmcmc"
)

// Method declares the sampler and what it claims.
var Method = sgmcmc.Method{
	Name: "BAOAB", Doc: "underdamped Langevin dynamics, split",
	New: func(s sgmcmc.Setup) (posterior.Sampler, error) {
		return &BAOAB{Size: s.LearningRate, Friction: 1, Temperature: s.Temperature, Noise: s.Noise}, nil
	},
	Claims: sgmcmc.Claims{
		Density: true, Period: 1, FineRate: 0.25,
		// Friction 1 forgets in two units of time, or in 1/k where that is slower.
		Memory:   func(k, h float64) float64 { return max(2, 1/k) / h },
		Variance: variance,
	},
}

// variance is the stationary variance of x on U = kx²/2 with gradient noise of
// variance v: the fixed point of one step's moments. Without noise it is τ/k at any h.
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

// Options are a network's, and the sampler's.
type Options struct {
	neural.NetworkOptions
	Size        float64 `json:"size"`
	Friction    float64 `json:"friction"`
	Temperature float64 `json:"temperature"`
}

// Kind declares the sampler as a posterior over a network.
var Kind = posterior.Kind[Options]{
	Name: Method.Name, Doc: Method.Doc + ": 4 chains",
	Defaults: func() Options { return Options{neural.SGHMC.Defaults().NetworkOptions, 3e-4, 300, 0.3} },
	New:      Options.New,
	Claims:   posterior.Claims{Rounds: 150},
}

func (o Options) New(setup posterior.Setup) (posterior.Posterior, error) {
	return neural.NewNetwork(o.NetworkOptions, setup, func(u sgmcmc.Setup) (posterior.Sampler, error) {
		return &BAOAB{Size: o.Size, Friction: o.Friction, Temperature: o.Temperature, Noise: u.Noise}, nil
	})
}

func main() {
	catalog := builtin.Default()
	cli.Exec(catalog, experiment.AddSampler(catalog, Method), experiment.AddPosterior(catalog, Kind))
}
