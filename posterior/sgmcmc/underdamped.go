package sgmcmc

import (
	"math"

	"banditsim/internal/check"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// Underdamped is Langevin dynamics with momenta: stochastic gradient Hamiltonian Monte Carlo (Chen, Fox and Guestrin,
// ICML 2014, equation (15)) with unit mass and friction c. The momentum is updated first:
//
//	p ← (1 − εc)p − εg + √(2cετ)·w,  w ~ N(0, I)
//	x ← x + εp
//
// In the limit ε → 0 it samples exp(−U/τ); for a Gaussian, hamiltonianClaims has the variances at a finite ε. β̂ of
// equation (15), an estimate of the gradient's noise, is 0. Momenta start at 0. A move out of a Bounded target is
// rejected and reverses the momentum. At τ = 0 a step descends by about ε/c times the gradient. It costs one evaluation
// of the target per chain, and O(d).
//
// With a contour the gradient is multiplied by M of Langevin: p ← (1 − εc)p − εMg + √(2cετ)·w. Mg is the gradient of
// the energy U + ζτ·log Ψ_θ(U), flattened by θ (see Histogram.LogPsi). In the limit this energy's density is sampled.
//
// With a thermostat it is the stochastic gradient Nosé–Hoover thermostat (Ding et al., NeurIPS 2014, algorithm 2): each
// chain has its own friction ξ, which starts at c, replaces c in the first term of p, and is updated after x by ξ ← ξ +
// ε(‖p‖²/d − τ) in d dimensions. Gradient noise of unknown variance then does not change the temperature.
type Underdamped struct {
	dynamics
	Friction   float64 // c, with εc at most 1
	thermostat bool
	momentum   [][]float32
	xi         []float64 // ξ, chain by chain; empty without a thermostat
}

// newUnderdamped returns a sampler without a thermostat. It validates the options. The argument checks has the errors
// of further options.
func newUnderdamped(o SGHMCOptions, c ContourOptions, u Setup, checks ...error) (*Underdamped, error) {
	s, damping := &Underdamped{Friction: o.Friction}, o.LearningRate*o.Friction
	return s, s.init(s, o.LearningRate, o.Decay, o.Temperature, c, u, append(checks, check.NotNegative("friction", o.Friction),
		check.That(damping <= 1, "friction: learning_rate times friction is %g, want at most 1: above it the friction reverses the momentum", damping))...)
}

func (s *Underdamped) begin(chains []posterior.Chain) {
	s.momentum = vectors(s.momentum, chains, 0)
	for i := len(s.xi); s.thermostat && i < len(chains); i++ {
		s.xi = append(s.xi, s.Friction)
	}
}

// swapped updates the momentum of chain i, whose gradient changed from old to now in a swap: see ReSGHMC.
func (s *Underdamped) swapped(i int, old, now []float32) {
	own, _ := s.rung(i)
	half := float32(own / math.Sqrt(s.size) / 2)
	for j := range now {
		s.momentum[i][j] += float32(half * float32(now[j]-old[j]))
	}
}

// Momentum returns the momentum of each chain, or nil before the first step. The slices belong to the sampler.
func (s *Underdamped) Momentum() [][]float32 { return s.momentum }

func (s *Underdamped) moveChain(i int) {
	c, p := &s.chains[i], s.momentum[i]
	friction := s.Friction
	if s.thermostat {
		friction = s.xi[i]
	}
	own, temperature := s.rung(i) // ε without the 1/√n of SetSize; εc is own·friction, because SetSize multiplies c by √n
	rate := own / math.Sqrt(s.size)
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

// SetSize makes steps relative to the data's size n: ε/√n in place of ε, except in ξ's update, and c√n in place of c.
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
	Decay        float64 `json:"learning_rate_decay"` // multiplies the learning rate before each training round
	Friction     float64 `json:"friction"`            // friction, c
	Temperature  float64 `json:"temperature"`         // temperature, τ
}

// SGHMC is stochastic gradient Hamiltonian Monte Carlo: Underdamped without contour, thermostat, exchange and cycles.
// By default εc is 0.09, and ε/c is the learning rate of ConstSGD.
func SGHMC() Method[SGHMCOptions] {
	return Method[SGHMCOptions]{
		Name: "SGHMC", Doc: "stochastic gradient Hamiltonian Monte Carlo",
		Defaults: func() SGHMCOptions {
			return SGHMCOptions{LearningRate: 3e-4, Decay: 1, Friction: 300, Temperature: 0.3}
		},
		Small:   SGHMCOptions.small,
		New:     func(o SGHMCOptions, u Setup) (posterior.Sampler, error) { return newUnderdamped(o, off, u) },
		Checked: hamiltonianOptions,
		Claims:  hamiltonianClaims(),
	}
}

func (o SGHMCOptions) small() SGHMCOptions {
	o.LearningRate, o.Friction = 1e-2, 50
	return o
}

func hamiltonianOptions(o LangevinOptions) SGHMCOptions {
	return SGHMCOptions{LearningRate: o.LearningRate, Decay: o.Decay, Friction: friction, Temperature: o.Temperature}
}

const friction = 0.8 // c in the checks

// hamiltonianClaims are the claims of SGHMC. Gradient noise of variance v adds ε²v to the variance 2cετ of a step's
// noise, which is equivalent to adding εv/(2c) to the temperature.
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
		// root is the modulus of the larger eigenvalue of a step of (x, p).
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

// SGNHT is the stochastic gradient Nosé–Hoover thermostat (Ding et al., NeurIPS 2014): Underdamped with a thermostat,
// which finds the friction at which gradient noise does not heat the chains. The option friction is its initial value.
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

// thermostatClaims are the claims of SGNHT. All coordinates of a chain share ξ, and the stationary law at finite ε has
// no closed form. ξ makes Memory longer than SGHMC's. Decay is left to SGHMC, with the same code: in its check two
// samplers must have equal paths after steps without gradient and noise at different ε, but each changes ξ by −ετ.
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

// ICSGHMC is interacting contour SGHMC: the histogram, multipliers and weights of ICSGLD (Deng et al., ICLR 2022,
// algorithm 1) with the dynamics of SGHMC (Chen, Fox and Guestrin, ICML 2014, equation (15)). The authors publish only
// Langevin dynamics; the momentum is ours: the multiplier scales the gradient, but neither the friction nor the noise.
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

// ReSGHMCOptions are the options of ReSGHMC.
type ReSGHMCOptions struct {
	SGHMCOptions
	LadderOptions
}

// ReSGHMC is replica exchange SGHMC: the ladder and swaps of ReSGLD with SGHMC's dynamics. The default ladder is
// ReSGLD's. Momenta stay with their rung, as they are independent of position. But a momentum is half a step behind the
// position: after a swap, (ε/2)(g_new − g_old) is added to it, with the gradients at the new and old position.
// Otherwise a swap would leave an error of order ε, and swaps in every step one that ε → 0 does not remove.
func ReSGHMC() Method[ReSGHMCOptions] {
	return Method[ReSGHMCOptions]{
		Name: "reSGHMC", Doc: "replica exchange stochastic gradient Hamiltonian Monte Carlo",
		Defaults: func() ReSGHMCOptions {
			return ReSGHMCOptions{SGHMC().Defaults(), ReSGLD().Defaults().LadderOptions}
		},
		Small: func(o ReSGHMCOptions) ReSGHMCOptions { return ReSGHMCOptions{o.SGHMCOptions.small(), o.LadderOptions} },
		New: func(o ReSGHMCOptions, u Setup) (posterior.Sampler, error) {
			damping := o.LearningRate * o.LearningRateFactor * o.Friction
			s, err := newUnderdamped(o.SGHMCOptions, off, u,
				check.That(damping <= 1, "friction: learning_rate times learning_rate_factor times friction is %g, want at most 1", damping))
			if err != nil {
				return nil, err
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

// exchangedHamiltonianClaims are the claims of ReSGHMC. As for ReSGLD, there is no closed form because of the swaps,
// and the coldest chain samples the density as ε → 0.
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
	Hold  float64 `json:"hold"`  // share of a cycle, at its end, in which the learning rate is constant
}

// CycSGHMC is cyclical SGHMC: Underdamped with a learning rate in cycles (Zhang et al., ICLR 2020), whose last part can
// be constant. The friction does not change, so that the effective step of about ε/c is proportional to ε.
func CycSGHMC() Method[CycSGHMCOptions] {
	return Method[CycSGHMCOptions]{
		Name: "cycSGHMC", Doc: "cyclical stochastic gradient Hamiltonian Monte Carlo",
		Defaults: func() CycSGHMCOptions { return CycSGHMCOptions{SGHMC().Defaults(), CycSGLD().Defaults().Cycle, 0} },
		Small: func(o CycSGHMCOptions) CycSGHMCOptions {
			return CycSGHMCOptions{o.SGHMCOptions.small(), 4 * SmallSteps, o.Hold}
		},
		New: func(o CycSGHMCOptions, u Setup) (posterior.Sampler, error) {
			s, err := newUnderdamped(o.SGHMCOptions, off, u,
				checkCycle(o.Cycle), check.NotNegative("hold", o.Hold), check.That(o.Hold < 1, "hold: %g, want below 1", o.Hold))
			s.setCycle(o.Cycle, o.Hold)
			return s, err
		},
		Checked: func(o LangevinOptions) CycSGHMCOptions {
			return CycSGHMCOptions{hamiltonianOptions(o), cycle, checkedHold}
		},
		Claims: cyclicalHamiltonianClaims(),
	}
}

const checkedHold = 0.25 // Hold in the checks

// heldRate is the learning rate at a step of a cycle of CycSGHMC in the checks.
func heldRate(peak float64, step int) float64 { return cyclicalRate(peak, min(step, cycle-cycle/4)) }

// cyclicalHamiltonianClaims are the claims of CycSGHMC. Bounded is not claimed, because a cycle's steps are on average
// too small for its check; SGHMC shares the code and claims it. A step is p ← ap − εkx + n, x ← x + εp, with a = 1 − εc
// and noise n of variance 2cετ + ε²v. The claimed variances are the second moments of this step, averaged over a cycle.
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
	c.Memory = func(k, eps float64) float64 { // that of SGHMC at the mean learning rate of a cycle
		mean := 0.0
		for step := range cycle {
			mean += heldRate(eps, step) / cycle
		}
		return memory(k, mean)
	}
	return c
}
