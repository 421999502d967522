package sgmcmc

import (
	"fmt"
	"math"
	"slices"

	"banditsim/posterior"
)

// evaluation evaluates the chains of a sampler and checks the results.
type evaluation struct {
	chains      []posterior.Chain // chains of the current step
	rate        float64           // ε, for the error where it is too high
	errs        []error
	energies    []float64
	multipliers []float64
	one         func(i int) // a method value, made once
}

// checkNoise returns an error if n chains lack sources of noise at a temperature above 0.
func checkNoise(n int, temperature float64, noise []posterior.Normals) error {
	if temperature > 0 && (len(noise) < n || slices.Contains(noise[:n], nil)) {
		return fmt.Errorf("sgmcmc: step: Noise has %d sources, want one for each of %d chains at the temperature %g", len(noise), n, temperature)
	}
	return nil
}

// evaluate fills in the energy and the gradient of every chain.
func (p *evaluation) evaluate(chains []posterior.Chain, rate float64, parallel posterior.Parallel) error {
	p.chains, p.rate = chains, rate
	if n := len(chains); len(p.errs) != n {
		p.errs, p.energies, p.multipliers, p.one = make([]error, n), make([]float64, n), make([]float64, n), p.evaluateChain
	}
	parallel.Do(len(chains), p.one)
	for _, err := range p.errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// meet sets the chains' multipliers by a contour, to 1 without one.
func (p *evaluation) meet(contour Contour) {
	fill(p.multipliers, 1)
	if contour != nil {
		for i := range p.chains {
			p.energies[i] = p.chains[i].Energy
		}
		contour.Meet(p.multipliers, p.energies)
	}
	for i, m := range p.multipliers {
		p.chains[i].Multiplier = m
	}
}

func (p *evaluation) evaluateChain(i int) {
	c := &p.chains[i]
	energy, err := c.Target.EnergyGrad(c.Grad, c.X)
	switch {
	case err != nil:
		err = fmt.Errorf("sgmcmc: chain %d: energy: %w", i, err)
	case math.IsNaN(energy):
		err = fmt.Errorf("sgmcmc: chain %d: the energy is not a number: %w: the learning rate %g is too high", i, posterior.ErrDiverged, p.rate)
	}
	c.Energy, p.errs[i] = energy, err
}
