// Package worked has steps of samplers that were worked out by hand or by another program, by the name of the sampler.
package worked

import (
	"fmt"
	"slices"

	"banditsim/internal/verify"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// Of returns the worked steps of the project's sampler of that name; none of another.
func Of(sampler string) []Case { return cases()[sampler] }

func cases() map[string][]Case {
	plain := []Case{network("SGLD")}
	preconditioned := append(plain, network("pSGLD"))
	return map[string][]Case{
		"SGLD":     plain,
		"pSGLD":    preconditioned,
		"CSGLD":    plain,
		"ICSGLD":   append(slices.Clip(plain), order()),
		"pCSGLD":   append(slices.Clip(preconditioned), network("contour")),
		"pICSGLD":  append(slices.Clip(preconditioned), order(), network("contour")),
		"cycSGLD":  {cyclical()},
		"reSGLD":   {exchange(), noisyExchange()},
		"SGHMC":    {hamiltonian()},
		"ICSGHMC":  {hamiltonian(), momentumOrder()},
		"SGNHT":    {thermostat()},
		"cycSGHMC": {cyclicalMomentum()},
		"reSGHMC":  {exchangeMomentum(), noisyExchange()},
		"MALA":     {metropolis()},
		"HMC":      {leapfrog()},
		"SVGD":     {stein()},
	}
}

// A Case is a few steps worked out by hand, or by another program.
type Case struct {
	Name string
	// Options are the step size, the temperature and the parts of the sampler, as in the other checks.
	Options sgmcmc.LangevinOptions
	Theta   []float64 // θ of the contour at the start; nil: flat
	// Target returns the target of a chain.
	Target func(chain int) posterior.Target
	Start  [][]float64   // by chain
	Noise  [][][]float64 // by step, then by chain; zeros after the last
	After  []State       // after each step
	// Tolerance is relative, and absolute for numbers below 1. Positions are float32.
	Tolerance float64
}

// A State is the state after a step. Fields that are nil are not compared. Theta and Bins are
// those of posterior.Histogrammer.
type State struct {
	X           [][]float64 // by chain
	Multipliers []float64
	Theta       []float64
	Bins        []int
}

// Follow judges the steps that the sampler of build takes, one result for each case.
func Follow(j *verify.Judge, cases []Case, build func(sgmcmc.LangevinOptions, sgmcmc.Setup) (posterior.Sampler, error)) {
	for _, c := range cases {
		j.Together(c.Name, func() { c.follow(j, build) })
	}
}

func (c *Case) follow(j *verify.Judge, build func(sgmcmc.LangevinOptions, sgmcmc.Setup) (posterior.Sampler, error)) {
	u := sgmcmc.Setup{Chains: len(c.Start), Dim: len(c.Start[0]), Theta: c.Theta, Stream: j.Rand(c.Name)}
	var chains []posterior.Chain
	for p, start := range c.Start {
		u.Noise = append(u.Noise, &script{chain: p, lines: c.Noise})
		x := make([]float32, u.Dim)
		for i, v := range start {
			x[i] = float32(v)
		}
		chains = append(chains, posterior.NewChain(c.Target(p), x))
	}
	sampler := verify.Value(build(c.Options, u))
	for k, want := range c.After {
		verify.Must(sampler.Step(chains))
		for p, x := range want.X {
			for i, v := range x {
				j.Near(fmt.Sprintf("x%d of chain %d after step %d", i+1, p+1, k+1), float64(chains[p].X[i]), v, c.Tolerance)
			}
		}
		for p, m := range want.Multipliers {
			j.Near(fmt.Sprintf("multiplier of chain %d at step %d", p+1, k+1), chains[p].Multiplier, m, min(c.Tolerance, 1e-9))
		}
		if want.Theta == nil && want.Bins == nil {
			continue
		}
		theta, bins := Histogram(sampler)
		for i, v := range want.Theta {
			j.Near(fmt.Sprintf("θ(%d) after step %d", i+1, k+1), theta[i], v, min(c.Tolerance, 1e-10))
		}
		if want.Bins != nil {
			j.Promise(fmt.Sprintf("bins at step %d", k+1), slices.Equal(bins, want.Bins), "%v, want %v", bins, want.Bins)
		}
	}
}

// Histogram returns θ and the bins of a sampler with a contour. It ends the check with a failure if the sampler has none.
func Histogram(s posterior.Sampler) (theta []float64, bins []int) {
	h, ok := s.(posterior.Histogrammer)
	if !ok {
		verify.Failf("a contour is claimed, but %T is no posterior.Histogrammer", s)
	}
	theta, bins = h.Histogram()
	if theta == nil {
		verify.Failf("a contour is claimed, but Histogram of %T has no θ", s)
	}
	return theta, bins
}

// A script is a source of normals that returns given ones, one vector per call, and then zeros.
type script struct {
	chain int
	lines [][][]float64 // by step, then by chain
}

func (s *script) Normals(dst []float32) {
	clear(dst)
	if len(s.lines) > 0 {
		for i, v := range s.lines[0][s.chain] {
			dst[i] = float32(v)
		}
		s.lines = s.lines[1:]
	}
}
