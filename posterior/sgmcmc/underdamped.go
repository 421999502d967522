package sgmcmc

import (
	"math"

	"banditsim/internal/check"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// Underdamped is Langevin dynamics with momenta: stochastic gradient Hamiltonian Monte Carlo (Chen, Fox, Guestrin, ICML
// 2014, equation (15)) with unit mass and friction c, momentum first:
//
//	p ← (1 − εc)p − εg + √(2cετ)·w,  w ~ N(0, I)
//	x ← x + εp
//
// In the limit ε → 0 it samples exp(−U/τ); for a finite ε on a Gaussian there are closed forms (SGHMC claims them). The
// noise of the gradient is not subtracted from that of the friction. Momenta start at 0. A move out of a Bounded target
// is rejected and reverses the momentum. In descent the step is about ε/c. A step costs one evaluation of the target
// for each chain, and O(d).
//
// With a contour the drift is multiplied by M, as in Langevin: p ← (1 − εc)p − εMg + √(2cετ)·w. The force Mg is that of
// the flattened energy U + ζτ·log Ψ_θ(U), so that the limit is its density.
//
// With a thermostat it is the stochastic gradient Nosé–Hoover thermostat (Ding et al., NeurIPS 2014, algorithm 2): each
// chain has a friction ξ of its own, from c on, in place of c in the first term of p, and moves it after x by ξ ← ξ +
// ε(‖p‖²/d − τ) in d dimensions. Noise of the gradient, of a variance that is not known, then leaves the temperature as
// it is.
type Underdamped struct {
	dynamics
	Friction   float64 // c, with εc at most 1
	thermostat bool
	momentum   [][]float32
	xi         []float64 // ξ, chain by chain; nil without a thermostat
}

// newUnderdamped returns the sampler of a setup, with a contour but without a thermostat. It validates the options.
func newUnderdamped(o SGHMCOptions, c ContourOptions, u Setup) (*Underdamped, error) {
	s, loss := &Underdamped{Friction: o.Friction}, o.LearningRate*o.Friction
	return s, s.init(s, o.LearningRate, o.Decay, o.Temperature, c, u, check.NotNegative("friction", o.Friction),
		check.That(loss <= 1, "friction: learning_rate times friction is %g, want at most 1: above it the friction reverses the momentum", loss))
}

func (s *Underdamped) begin(chains []posterior.Chain) {
	s.momentum = vectors(s.momentum, chains, 0)
	for i := len(s.xi); s.thermostat && i < len(chains); i++ {
		s.xi = append(s.xi, s.Friction)
	}
}

// swapped moves the momentum of a chain whose position was swapped.
func (s *Underdamped) swapped(i int, old, now []float32) {
	rate, _ := s.rung(i)
	half := float32(rate / 2)
	for j := range now {
		s.momentum[i][j] += float32(half * float32(now[j]-old[j]))
	}
}

// Momentum returns the momenta of all chains, which belong to the sampler; none before the first step.
func (s *Underdamped) Momentum() [][]float32 { return s.momentum }

func (s *Underdamped) moveChain(i int) {
	c, p := &s.chains[i], s.momentum[i]
	friction := s.Friction
	if s.thermostat {
		friction = s.xi[i]
	}
	own, temperature := s.rung(i) // own: ε of the chain for the friction: εc does not depend on the size
	rate := own
	if s.size > 0 {
		rate /= math.Sqrt(s.size)
	}
	eps, keep := float32(rate), float32(1-float64(own*friction))
	drift := float32(rate * c.Multiplier)
	for j, g := range c.Grad {
		p[j] = float32(keep*p[j]) - float32(drift*g)
	}
	if temperature > 0 {
		w := s.scratch.Take()
		defer s.scratch.Give(w)
		s.noise[i].Normals(w)
		sd := float32(math.Sqrt(2 * s.Friction * own * temperature))
		for j := range p {
			p[j] += float32(sd * w[j])
		}
	}
	c.Keep()
	for j := range p {
		c.X[j] += float32(eps * p[j])
	}
	if c.Refuse() {
		for j := range p {
			p[j] = -p[j]
		}
	}
	if s.thermostat {
		s.xi[i] += float64(s.LearningRate * (2*kinetic(p)/float64(len(p)) - s.Temperature))
	}
}

// SetSize makes steps relative to the size n of the data: ε/√n in place of ε, and c√n in place of c.
func (s *Underdamped) SetSize(n float64) { s.size = n }

func (s *Underdamped) state(c *state.Codec) {
	vectorState(c, "momentum", &s.momentum)
	if s.thermostat {
		s.xi = state.Resize(c, "frictions", s.xi, len(s.momentum))
		c.Float64s(s.xi)
	}
}

// SGHMCOptions are the options of SGHMC and SGNHT.
type SGHMCOptions struct {
	LearningRate float64 `json:"learning_rate"`       // step size, ε
	Decay        float64 `json:"learning_rate_decay"` // factor of the learning rate before each training round
	Friction     float64 `json:"friction"`            // friction, c
	Temperature  float64 `json:"temperature"`         // temperature, τ
}

// SGHMC is stochastic gradient Hamiltonian Monte Carlo: Underdamped without its parts. By default εc is
// 0.09, and ε/c that of ConstSGD.
func SGHMC() Method[SGHMCOptions] {
	return Method[SGHMCOptions]{
		Name: "SGHMC", Doc: "stochastic gradient Hamiltonian Monte Carlo",
		Defaults: func() SGHMCOptions {
			return SGHMCOptions{LearningRate: 3e-4, Decay: 1, Friction: 300, Temperature: 0.3}
		},
		Small: SGHMCOptions.small,
		New: func(o SGHMCOptions, u Setup) (posterior.Sampler, error) {
			return newUnderdamped(o, off, u)
		},
		Checked: hamiltonianOptions,
		Claims:  hamiltonianClaims(),
	}
}

// small returns the options with a step and a friction for the small network.
func (o SGHMCOptions) small() SGHMCOptions {
	o.LearningRate, o.Friction = 1e-2, 50
	return o
}

// hamiltonianOptions returns the options of a check.
func hamiltonianOptions(o LangevinOptions) SGHMCOptions {
	return SGHMCOptions{LearningRate: o.LearningRate, Decay: o.Decay, Friction: friction, Temperature: o.Temperature}
}

const friction = 0.8 // c in the checks

// hamiltonianClaims: a gradient noise of variance v adds ε²v to the variance 2cεT of a step's
// noise, that is εv/2c to the temperature.
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
			trace, det := 2-float64(eps*friction)-float64(eps*eps*k), 1-float64(eps*friction)
			root := math.Sqrt(math.Abs(det))
			if d := trace*trace/4 - det; d > 0 {
				root = math.Abs(trace)/2 + math.Sqrt(d)
			}
			return -1 / math.Log(root)
		},
	}
}

// SGNHT is the stochastic gradient Nosé–Hoover thermostat (Ding et al., NeurIPS 2014): Underdamped with a
// thermostat, which finds the friction at which noise of the gradient does not heat the chains. Its friction
// starts at the option's.
func SGNHT() Method[SGHMCOptions] {
	m := SGHMC()
	m.Name, m.Doc = "SGNHT", "stochastic gradient Nosé–Hoover thermostat"
	m.New = func(o SGHMCOptions, u Setup) (posterior.Sampler, error) {
		s, err := newUnderdamped(o, off, u)
		s.thermostat = true
		return s, err
	}
	m.Claims = thermostatClaims()
	return m
}

// thermostatClaims: the coordinates of a vector share ξ, and the stationary law at a finite ε has no
// closed form. The memory is that of SGHMC, and of ξ, which is as long. The check of a decaying rate begins
// with a step at rest, in which ξ moves by −ετ; SGHMC, which is the same code, claims it.
func thermostatClaims() Claims {
	c := hamiltonianClaims()
	memory := c.Memory
	c.Variance, c.MomentumVariance, c.ZeroTemperature, c.Decay = nil, nil, false, false
	c.Thermostat, c.Coupled, c.Chains, c.FineRate = true, true, 1, 0.02
	c.Memory = func(k, eps float64) float64 { return 1.5 * memory(k, eps) }
	return c
}

// ICSGHMCOptions are the options of ICSGHMC.
type ICSGHMCOptions struct {
	SGHMCOptions
	Contour ContourOptions `json:"contour"`
}

// ICSGHMC is interacting contour SGHMC: the histogram, multipliers and weights of ICSGLD (Deng et
// al., ICLR 2022, algorithm 1) with the dynamics of SGHMC (Chen, Fox and Guestrin, ICML 2014, equation
// (15)). The authors publish Langevin dynamics alone; the momentum is ours: the multiplier scales the
// gradient, and neither friction nor noise depends on it.
func ICSGHMC() Method[ICSGHMCOptions] {
	c := hamiltonianClaims()
	c.Contour = true
	return Method[ICSGHMCOptions]{
		Name: "ICSGHMC", Doc: "interacting contour stochastic gradient Hamiltonian Monte Carlo",
		Defaults: func() ICSGHMCOptions { return ICSGHMCOptions{SGHMC().Defaults(), PICSGLD().Defaults().Contour} },
		Small:    func(o ICSGHMCOptions) ICSGHMCOptions { return ICSGHMCOptions{o.SGHMCOptions.small(), o.Contour} },
		New: func(o ICSGHMCOptions, u Setup) (posterior.Sampler, error) {
			return newUnderdamped(o.SGHMCOptions, o.Contour, u)
		},
		Checked: func(o LangevinOptions) ICSGHMCOptions { return ICSGHMCOptions{hamiltonianOptions(o), o.Contour} },
		Claims:  c,
	}
}
