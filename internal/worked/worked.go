// Package worked has steps of samplers that were worked out by hand or by another program, by the name of the sampler.
package worked

import (
	"slices"

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

// lineTarget returns a target of one dimension, with an energy and its derivative.
func lineTarget(f func(x float64) (u, du float64)) func(int) posterior.Target {
	return func(int) posterior.Target {
		return posterior.TargetFunc(1, func(grad, x []float32) float64 {
			u, du := f(float64(x[0]))
			grad[0] = float32(du)
			return u
		})
	}
}

// Options of the samplers in the checks that are none of sgmcmc.LangevinOptions, which package sgmcmc declares.
const (
	cycle              = 20
	rungs              = 3
	hottestRate        = 1.25
	hottestTemperature = 2
	estimateEvery      = 100
	smoothing          = 0.3 // share by which σ² moves to an estimate
)
