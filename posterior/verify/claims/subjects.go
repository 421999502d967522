package claims

import (
	"math"

	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// Subjects returns the project's own samplers with what they claim, under the names
// of the posteriors that they sample where there is one.
func Subjects() []Sampler {
	sgld := langevinClaims()
	psgld := preconditioned(sgld)
	contour := func(c Claims, chains int) Claims {
		c.Contour, c.Chains = true, chains
		c.Steps = append(c.Steps, handContour(c.Preconditioner, chains)...)
		return c
	}
	return []Sampler{
		{"SGLD", "stochastic gradient Langevin dynamics", newLangevin, sgld},
		{"pSGLD", "SGLD with the RMSProp preconditioner", newLangevin, psgld},
		{"ConstSGD", "stochastic gradient descent of constant step", newLangevin, descentClaims()},
		{"CSGLD", "contour SGLD: one chain", newLangevin, contour(sgld, 1)},
		{"ICSGLD", "interacting contour SGLD: chains share one energy histogram", newLangevin, contour(sgld, 0)},
		{"pCSGLD", "contour SGLD, preconditioned", newLangevin, contour(psgld, 1)},
		{"pICSGLD", "interacting contour SGLD, preconditioned", newLangevin, contour(psgld, 0)},
		{"cycSGLD", "cyclical SGLD, preconditioned", newCyclical, cyclicalClaims()},
		{"reSGLD", "replica exchange SGLD, preconditioned: the coldest chain counts", newExchange, exchangeClaims()},
		{"SGHMC", "stochastic gradient Hamiltonian Monte Carlo", newSGHMC, hamiltonianClaims()},
		{"SVGD", "Stein variational gradient descent", newSVGD, steinClaims()},
	}
}

// langevinClaims are those of Langevin without parts: of SGLD.
func langevinClaims() Claims {
	return Claims{
		Density: true, ZeroTemperature: true, Bounded: true, Decay: true, Period: 1, FineRate: 0.01,
		// O1, and O4 at T = 0.
		Variance: func(k, v, eps, temperature float64) float64 {
			return (temperature + eps*v/2) / k / (1 - eps*k/2)
		},
		Autocorrelation: func(k, eps float64, lag int) float64 { return math.Pow(1-eps*k, float64(lag)) },
		Memory:          langevinMemory,
		Steps:           []HandCase{handNetwork("SGLD")},
	}
}

func langevinMemory(k, eps float64) float64 { return -1 / math.Log(math.Abs(1-eps*k)) }

// preconditioned adds the preconditioner.
func preconditioned(c Claims) Claims {
	c.Preconditioner = true
	c.Steps = append(c.Steps, handNetwork("pSGLD"))
	return c
}

// descentClaims are those of Langevin without a temperature, which has no density.
func descentClaims() Claims {
	c := langevinClaims()
	c.Density, c.Bounded, c.FineRate, c.Steps = false, false, 0, nil
	return c
}

// newLangevin builds Langevin with the parts of the setup.
func newLangevin(u Setup) (posterior.Sampler, error) { return langevin(u) }

func langevin(u Setup) (*sgmcmc.Langevin, error) {
	s := &sgmcmc.Langevin{
		LearningRate: u.LearningRate, Decay: u.Decay, Temperature: u.Temperature, Noise: u.Noise, Parallel: u.Parallel,
	}
	if p := u.Preconditioner; p.Kind == "rmsprop" {
		s.Preconditioner = &sgmcmc.RMSProp{Alpha: p.Alpha, Rho: p.Rho, Scale: p.Scale, Multiplied: p.Multiplied}
		if u.V != nil {
			var v [][]float32
			for range u.Chains {
				v = append(v, append([]float32(nil), u.V...))
			}
			s.Preconditioner.SetV(v)
		}
	}
	if u.Contour.Kind != "off" {
		h := sgmcmc.NewHistogram(u.Contour, u.Temperature, u.Chains)
		if u.Theta != nil {
			if err := h.SetTheta(u.Theta); err != nil {
				return nil, err
			}
		}
		s.Contour = h
	}
	return s, nil
}

// cycle is C of the cyclical subject.
const cycle = 20

func newCyclical(u Setup) (posterior.Sampler, error) {
	s, err := langevin(u)
	return &sgmcmc.Cyclical{Langevin: s, Peak: u.LearningRate, Cycle: cycle}, err
}

// cyclicalRate is equation (1) of Zhang et al., ICLR 2020.
func cyclicalRate(peak float64, step int) float64 {
	return peak / 2 * (math.Cos(math.Pi*float64(step)/cycle) + 1)
}

// cyclicalClaims: the variance goes up and down with the cycle, v ← (1−εk)²v + 2εT +
// ε²·(the gradient's variance). Its average over a cycle is claimed.
func cyclicalClaims() Claims {
	c := preconditioned(langevinClaims())
	c.Period, c.FineRate, c.Autocorrelation = cycle, 0.016, nil
	c.Variance = func(k, v, eps, temperature float64) float64 {
		variance, mean := temperature/k, 0.0
		for range 400 { // cycles: it has long forgotten the start
			mean = 0
			for step := range cycle {
				e := cyclicalRate(eps, step)
				variance = (1-e*k)*(1-e*k)*variance + 2*e*temperature + e*e*v
				mean += variance / cycle
			}
		}
		return mean
	}
	c.Memory = func(k, eps float64) float64 { // steps for which Π(1 − ε_i·k) is 1/e
		log := 0.0
		for step := range cycle {
			log -= math.Log(math.Abs(1 - cyclicalRate(eps, step)*k))
		}
		return cycle / log
	}
	c.Steps = []HandCase{handCyclical()}
	return c
}

// The exchange subject's ladder.
const (
	rungs              = 3
	hottestRate        = 1.25
	hottestTemperature = 2
)

func newExchange(u Setup) (posterior.Sampler, error) {
	s, err := langevin(u)
	if err != nil {
		return nil, err
	}
	s.Exchange = &sgmcmc.Exchange{
		Ladder:     sgmcmc.Ladder(u.Chains, hottestRate, hottestTemperature),
		Correction: 1, Every: 1, Rand: u.Stream.Child("exchange"),
	}
	return s, nil
}

// exchangeClaims: a swap mixes chains of unlike steps, for which there is no closed
// form. The coldest chain samples the density as ε → 0.
func exchangeClaims() Claims {
	c := preconditioned(langevinClaims())
	c.ZeroTemperature, c.Chains, c.Coupled = false, rungs, true
	c.Variance, c.Autocorrelation = nil, nil
	c.Steps = []HandCase{handExchange()}
	return c
}

// friction is c of the Hamiltonian subject.
const friction = 0.8

func newSGHMC(u Setup) (posterior.Sampler, error) {
	return &sgmcmc.SGHMC{
		LearningRate: u.LearningRate, Decay: u.Decay, Friction: friction, Temperature: u.Temperature,
		Noise: u.Noise, Parallel: u.Parallel,
	}, nil
}

// hamiltonianClaims are O3. A gradient noise of variance v adds ε²v to the variance
// 2cεT of a step's noise, that is εv/2c to the temperature.
func hamiltonianClaims() Claims {
	momentum := func(k, v, eps, temperature float64) float64 {
		return (temperature + eps*v/(2*friction)) / (1 - eps*friction/2 - eps*eps*k/4)
	}
	return Claims{
		Density: true, ZeroTemperature: true, Bounded: true, Decay: true, Period: 1, FineRate: 0.1,
		Variance: func(k, v, eps, temperature float64) float64 {
			return momentum(k, v, eps, temperature) / k * (1 - eps*friction/2)
		},
		MomentumVariance: momentum,
		// The larger eigenvalue of the step (x, p).
		Memory: func(k, eps float64) float64 {
			trace, det := 2-eps*friction-eps*eps*k, 1-eps*friction
			root := math.Sqrt(math.Abs(det))
			if d := trace*trace/4 - det; d > 0 {
				root = math.Abs(trace)/2 + math.Sqrt(d)
			}
			return -1 / math.Log(root)
		},
		Steps: []HandCase{handHamiltonian()},
	}
}

func newSVGD(u Setup) (posterior.Sampler, error) {
	return &sgmcmc.SVGD{
		LearningRate: u.LearningRate, Decay: u.Decay, Temperature: u.Temperature, Smoothing: 0.9, Rho: 1e-6, Parallel: u.Parallel,
	}, nil
}

func steinClaims() Claims {
	return Claims{
		Density: true, Particles: true, Decay: true, Period: 1, FineRate: 0.02,
		Steps: []HandCase{handStein()},
	}
}
