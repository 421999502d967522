package sgmcmc

import (
	"fmt"

	"banditsim/internal/check"
	"banditsim/posterior"
)

// ReSGHMCOptions are the options of ReSGHMC.
type ReSGHMCOptions struct {
	SGHMCOptions
	LadderOptions
}

// ReSGHMC is replica exchange SGHMC: the ladder and the swaps of ReSGLD with the dynamics of SGHMC. By default the ladder is
// that of ReSGLD. Momenta stay with their rung: they do not depend on the position. As they are half a step behind it,
// those of a swap then move by half a step of the gradient at the old position and half of that at the new one;
// without that a swap would leave an error of the order of ε, and swaps in every step one that ε → 0 does not remove.
func ReSGHMC() Method[ReSGHMCOptions] {
	return Method[ReSGHMCOptions]{
		Name: "reSGHMC", Doc: "replica exchange stochastic gradient Hamiltonian Monte Carlo",
		Defaults: func() ReSGHMCOptions {
			return ReSGHMCOptions{SGHMC().Defaults(), ReSGLD().Defaults().LadderOptions}
		},
		Small: func(o ReSGHMCOptions) ReSGHMCOptions { return ReSGHMCOptions{o.SGHMCOptions.small(), o.LadderOptions} },
		New: func(o ReSGHMCOptions, u Setup) (posterior.Sampler, error) {
			s, err := newUnderdamped(o.SGHMCOptions, off, u)
			if err != nil {
				return nil, err
			}
			if loss := o.LearningRate * o.LearningRateFactor * o.Friction; loss > 1 {
				return nil, fmt.Errorf("sgmcmc: friction: learning_rate times learning_rate_factor times friction is %g, want at most 1", loss)
			}
			if s.exchange, err = o.LadderOptions.exchange(o.Temperature, nil, 0, varianceSmoothing, u); err == nil {
				s.exchange.moved = s.swapped
			}
			return s, err
		},
		Checked: func(o LangevinOptions) ReSGHMCOptions { return ReSGHMCOptions{hamiltonianOptions(o), checkedLadder()} },
		Claims:  exchangedHamiltonianClaims(),
	}
}

// exchangedHamiltonianClaims: as for ReSGLD, swaps leave no closed form, and the coldest chain samples the density as ε → 0.
func exchangedHamiltonianClaims() Claims {
	c := hamiltonianClaims()
	c.ZeroTemperature, c.Chains, c.Coupled = false, rungs, true
	c.Variance, c.MomentumVariance, c.FineRate = nil, nil, 0.04
	return c
}

// CycSGHMCOptions are the options of CycSGHMC. LearningRate is the peak ε₀.
type CycSGHMCOptions struct {
	SGHMCOptions
	Cycle int     `json:"cycle"` // gradient steps in a cycle, C
	Hold  float64 `json:"hold"`  // share of a cycle, at its end, in which the learning rate stays
}

// CycSGHMC is cyclical SGHMC: Underdamped with a learning rate in cycles (Zhang et al., ICLR 2020), of which the last part can
// be constant. The friction does not change: in descent the step is about ε/c, and so in proportion to ε.
func CycSGHMC() Method[CycSGHMCOptions] {
	return Method[CycSGHMCOptions]{
		Name: "cycSGHMC", Doc: "cyclical stochastic gradient Hamiltonian Monte Carlo",
		Defaults: func() CycSGHMCOptions { return CycSGHMCOptions{SGHMC().Defaults(), CycSGLD().Defaults().Cycle, 0} },
		Small: func(o CycSGHMCOptions) CycSGHMCOptions {
			return CycSGHMCOptions{o.SGHMCOptions.small(), 4 * SmallSteps, o.Hold}
		},
		New: func(o CycSGHMCOptions, u Setup) (posterior.Sampler, error) {
			if err := check.First(checkCycle(o.Cycle), check.NotNegative("hold", o.Hold), check.That(o.Hold < 1, "hold: %g, want below 1", o.Hold)); err != nil {
				return nil, fmt.Errorf("sgmcmc: %w", err)
			}
			s, err := newUnderdamped(o.SGHMCOptions, off, u)
			if err == nil {
				s.setCycle(o.Cycle, o.Hold)
			}
			return s, err
		},
		Checked: func(o LangevinOptions) CycSGHMCOptions {
			return CycSGHMCOptions{hamiltonianOptions(o), cycle, checkedHold}
		},
		Claims: cyclicalHamiltonianClaims(),
	}
}

const checkedHold = 0.25 // the last quarter of a cycle, in the checks

// heldRate is the learning rate of a cycle in the checks.
func heldRate(peak float64, step int) float64 {
	return cyclicalRate(peak, min(step, cycle-cycle/4))
}

// cyclicalHamiltonianClaims: not Bounded, which SGHMC claims of the same code, as the steps of a cycle are on average too small for
// that check. With a step of the cycle p ← ap − εkx + n, x ← x + εp, a = 1 − εc, and n of variance 2cετ + ε²v,
// the second moments follow. The claims are their averages over a cycle.
func cyclicalHamiltonianClaims() Claims {
	c := hamiltonianClaims()
	c.Period, c.FineRate, c.Bounded = cycle, 0.16, false
	moments := func(k, v, eps, temperature float64) (xx, pp float64) {
		x2, xp, p2 := temperature/k, 0.0, temperature
		for range 400 { // cycles, after which the start no longer matters
			xx, pp = 0, 0
			for step := range cycle {
				e := heldRate(eps, step)
				a := 1 - float64(e*friction)
				p2n := float64(a*a*p2) - float64(2*a*e*k*xp) + float64(e*e*k*k*x2) + float64(2*friction*e*temperature) + float64(e*e*v)
				xpn := float64(a*xp) - float64(e*k*x2)
				x2, xp, p2 = x2+float64(2*e*xpn)+float64(e*e*p2n), xpn+float64(e*p2n), p2n
				xx, pp = xx+x2/cycle, pp+p2/cycle
			}
		}
		return xx, pp
	}
	c.Variance = func(k, v, eps, temperature float64) float64 {
		xx, _ := moments(k, v, eps, temperature)
		return xx
	}
	c.MomentumVariance = func(k, v, eps, temperature float64) float64 {
		_, pp := moments(k, v, eps, temperature)
		return pp
	}
	memory := c.Memory
	c.Memory = func(k, eps float64) float64 { // the mean of the rates of a cycle
		mean := 0.0
		for step := range cycle {
			mean += heldRate(eps, step) / cycle
		}
		return memory(k, mean)
	}
	return c
}
