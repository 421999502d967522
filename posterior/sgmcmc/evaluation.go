package sgmcmc

import (
	"fmt"
	"math"

	"banditsim/posterior"
)

// evaluation evaluates the chains of a sampler and checks the results.
type evaluation struct {
	chains   []posterior.Chain // of the current step
	rate     float64           // ε, for the error where it is too high
	errs     []error
	energies []float64
	one      func(i int) // a method value, made once
}

// evaluate fills in the energy and the gradient of every chain.
func (p *evaluation) evaluate(chains []posterior.Chain, rate float64, parallel posterior.Parallel) error {
	p.chains, p.rate = chains, rate
	if n := len(chains); len(p.errs) != n {
		p.errs, p.energies, p.one = make([]error, n), make([]float64, n), p.evaluateChain
	}
	parallel.Do(len(chains), p.one)
	for _, err := range p.errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *evaluation) evaluateChain(i int) {
	c := &p.chains[i]
	energy, err := c.Target.EnergyGrad(c.Grad, c.X)
	switch {
	case err != nil:
		err = fmt.Errorf("sgmcmc: chain %d: energy: %w", i, err)
	case math.IsNaN(energy):
		err = fmt.Errorf("sgmcmc: chain %d: the energy is not a number: the learning rate %g is too high", i, p.rate)
	}
	c.Energy, p.errs[i] = energy, err
}
