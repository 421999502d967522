package sgmcmc

import (
	"math"

	"banditsim/posterior"
)

// Methods lists the samplers of this package.
func Methods() []Method {
	return []Method{
		MethodSGLD, MethodPSGLD, MethodConstSGD, MethodCSGLD, MethodICSGLD, MethodPCSGLD, MethodPICSGLD,
		MethodCycSGLD, MethodReSGLD, MethodSGHMC, MethodICSGHMC, MethodSVGD, MethodSGNHT, MethodMALA,
		MethodHMC,
	}
}

// Langevin with its parts, under the names of the literature.
var (
	MethodSGLD     = Method{"SGLD", "stochastic gradient Langevin dynamics", newLangevin, langevinClaims(false)}
	MethodPSGLD    = Method{"pSGLD", "SGLD, preconditioned", newLangevin, langevinClaims(true)}
	MethodConstSGD = Method{"ConstSGD", "stochastic gradient descent of constant step", newLangevin, descentClaims()}
	MethodCSGLD    = Method{"CSGLD", "contour SGLD", newLangevin, contourClaims(false, 1)}
	MethodICSGLD   = Method{"ICSGLD", "interacting contour SGLD", newLangevin, contourClaims(false, 0)}
	MethodPCSGLD   = Method{"pCSGLD", "contour SGLD, preconditioned", newLangevin, contourClaims(true, 1)}
	MethodPICSGLD  = Method{"pICSGLD", "interacting contour SGLD, preconditioned", newLangevin, contourClaims(true, 0)}
)

func newLangevin(u Setup) (posterior.Sampler, error) { return NewLangevin(u) }

// langevinClaims are the claims of Langevin without a contour. A step on U = kx²/2 is x ← (1 −
// εk)x − ε·(noise of the gradient) + √(2τε)·w.
func langevinClaims(preconditioned bool) Claims {
	return Claims{
		Density: true, ZeroTemperature: true, Bounded: true, Decay: true, Period: 1, FineRate: 0.01,
		Preconditioner: preconditioned,
		Variance: func(k, v, eps, temperature float64) float64 {
			return (temperature + eps*v/2) / k / (1 - eps*k/2)
		},
		Autocorrelation: func(k, eps float64, lag int) float64 { return math.Pow(1-eps*k, float64(lag)) },
		Memory:          func(k, eps float64) float64 { return -1 / math.Log(math.Abs(1-eps*k)) },
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
