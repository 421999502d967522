package sgmcmc

import (
	"math"

	"banditsim/posterior"
)

// SGLD is stochastic gradient Langevin dynamics: Langevin without its parts.
func SGLD() Method[LangevinOptions] {
	return langevin("SGLD", "stochastic gradient Langevin dynamics", 1e-6, 0.3, langevinClaims(false))
}

// PSGLD is SGLD with the preconditioner.
func PSGLD() Method[LangevinOptions] {
	return langevin("pSGLD", "SGLD, preconditioned", 3e-7, 0.3, langevinClaims(true))
}

// ConstSGD is Langevin at τ = 0.
func ConstSGD() Method[LangevinOptions] {
	return langevin("ConstSGD", "stochastic gradient descent of constant step", 1e-6, 0, descentClaims())
}

// CSGLD is SGLD of one chain with a contour (Deng et al., NeurIPS 2020).
func CSGLD() Method[LangevinOptions] {
	return langevin("CSGLD", "contour SGLD", 1e-6, 0.3, contourClaims(false, 1))
}

// ICSGLD is CSGLD of several chains that share the contour (Deng et al., ICLR 2022).
func ICSGLD() Method[LangevinOptions] {
	return langevin("ICSGLD", "interacting contour SGLD", 1e-6, 0.3, contourClaims(false, 0))
}

// PCSGLD is CSGLD with the preconditioner.
func PCSGLD() Method[LangevinOptions] {
	return langevin("pCSGLD", "contour SGLD, preconditioned", 5e-8, 0.3, contourClaims(true, 1))
}

// PICSGLD is ICSGLD with the preconditioner.
func PICSGLD() Method[LangevinOptions] {
	return langevin("pICSGLD", "interacting contour SGLD, preconditioned", 3e-7, 0.3, contourClaims(true, 0))
}

// langevin declares Langevin with the parts that it claims.
func langevin(name, doc string, rate, temperature float64, c Claims) Method[LangevinOptions] {
	return Method[LangevinOptions]{
		Name: name, Doc: doc, Claims: c,
		Defaults: func() LangevinOptions {
			o := Plain(rate, temperature)
			if c.Preconditioner {
				o.Preconditioner.Kind = "rmsprop"
			}
			if c.Contour {
				o.Contour.Kind = "paper"
			}
			if c.Contour && c.Chains == 1 {
				o.Contour.Omega = 0.006
			}
			return o
		},
		Small:   LangevinOptions.Small,
		New:     func(o LangevinOptions, u Setup) (posterior.Sampler, error) { return NewLangevin(o, u) },
		Checked: func(o LangevinOptions) LangevinOptions { return o },
	}
}

// Small returns the options with a learning rate for the small network.
func (o LangevinOptions) Small() LangevinOptions {
	o.LearningRate = 2e-4
	if o.Preconditioner.Kind != "off" {
		o.LearningRate, o.Preconditioner.Scale = 4e-4, SmallBatch
	}
	return o
}

// langevinClaims are the claims of Langevin without a contour. A step on U = kx²/2 is x ← (1 −
// εk)x − ε·(noise of the gradient) + √(2τε)·w.
func langevinClaims(preconditioned bool) Claims {
	return Claims{
		Density: true, ZeroTemperature: true, Bounded: true, Decay: true, Period: 1, FineRate: 0.01,
		Preconditioner: preconditioned,
		Variance: func(k, v, eps, temperature float64) float64 {
			return (temperature + eps*v/2) / k / (1 - eps*k/2)
		},
		Autocorrelation: func(k, eps float64, lag int) float64 { return math.Pow(1-float64(eps*k), float64(lag)) },
		Memory:          func(k, eps float64) float64 { return -1 / math.Log(math.Abs(1-float64(eps*k))) },
	}
}

// descentClaims are the claims of Langevin at τ = 0, which has no density.
func descentClaims() Claims {
	c := langevinClaims(false)
	c.Density, c.Bounded, c.FineRate = false, false, 0
	return c
}

// contourClaims are the claims of Langevin with a contour, for a number of chains (0: any).
func contourClaims(preconditioned bool, chains int) Claims {
	c := langevinClaims(preconditioned)
	c.Contour, c.Chains = true, chains
	return c
}
