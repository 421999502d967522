package sgmcmc

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"banditsim/internal/check"
	"banditsim/internal/kernel"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// LangevinOptions are the options of Langevin and of its parts, except replica exchange (LadderOptions).
type LangevinOptions struct {
	LearningRate   float64               `json:"learning_rate"`       // step size, ε
	Decay          float64               `json:"learning_rate_decay"` // multiplies the learning rate before each training round
	Temperature    float64               `json:"temperature"`         // temperature, τ
	Preconditioner PreconditionerOptions `json:"preconditioner"`
	Contour        ContourOptions        `json:"contour"`
}

// PreconditionerOptions are the options of Langevin's preconditioner.
type PreconditionerOptions struct {
	Kind       string  `json:"kind"`       // "off" or "rmsprop"
	Alpha      float64 `json:"alpha"`      // weight of the newest gradient, α
	Rho        float64 `json:"rho"`        // regularizer, ρ
	Scale      float64 `json:"scale"`      // scale of the gradient, s; in the paper the batch size, 512; independent of the option batch
	Multiplied bool    `json:"multiplied"` // compute V, the running mean of (gradient/s)², from gradient·multiplier instead of gradient
}

// Unused returns the options that have no effect. If the preconditioner is off, these are all but Kind.
func (p PreconditionerOptions) Unused() []string {
	if p.Kind == "off" {
		return []string{"alpha", "rho", "scale", "multiplied"}
	}
	return nil
}

// validate returns an error that names the first option that is out of range.
func (p *PreconditionerOptions) validate() error {
	if p.Kind == "off" {
		return nil
	}
	return cmp.Or(
		check.OneOf("preconditioner.kind", p.Kind, "off", "rmsprop"),
		check.Positive("preconditioner.rho", p.Rho),
		check.Positive("preconditioner.scale", p.Scale),
		check.That(p.Alpha >= 0 && p.Alpha <= 1, "preconditioner.alpha: %g, want 0 to 1", p.Alpha),
	)
}

// Plain returns the options of SGLD at a constant ε and τ. Preconditioner and contour are off;
// their other options are those of the paper's mushroom experiment.
func Plain(rate, temperature float64) LangevinOptions {
	return LangevinOptions{
		LearningRate: rate, Decay: 1, Temperature: temperature,
		Preconditioner: PreconditionerOptions{Kind: "off", Alpha: 0.01, Rho: 1e-3, Scale: 512},
		Contour:        DefaultContour(),
	}
}

// Langevin is stochastic gradient Langevin dynamics with optional parts. One step of every chain is
//
//	V ← (1−α)V + α(g/s)²,  G = 1/(ρ + √V)             preconditioner (RMSProp), else G = 1
//	M = 1 + (ζτ/Δu)·(log θ(J) − log θ(max(J−1, 1)))   contour, else M = 1
//	x ← x − ε·M·G·g + √(2τεG)·w,  w ~ N(0, I)
//
// where J is the contour's bin that the chain's energy is in, and α, ρ, s, ζ and Δu are options. V starts at 1. In the
// limit ε → 0 a chain samples the density exp(−U/τ) (Welling and Teh, ICML 2011). With the preconditioner it does so
// only approximately, because the term Γ of Li et al., AAAI 2016, is left out, as in the authors' program. (Γ has the
// derivatives of G, and is 0 if G is constant.) With a contour it samples the flattened density of the paper, equation
// (2). At τ = 0 it is stochastic gradient descent. With an exchange (NewExchange) every chain has an ε and a τ of its
// own, and neighbors swap positions.
//
// The noise has the ε of the same step, and no factor M. A move out of a Bounded target is rejected. A step costs one
// evaluation of the target for each chain, and O(d) operations.
//
// Setup.Parallel may leave out chains, such as those that another process moves. Their positions then stay as they are.
type Langevin struct {
	dynamics
	pre PreconditionerOptions // valid
	v   [][]float32           // V, chain by chain, set by Setup.V or the first step; empty without the preconditioner
}

// NewLangevin returns the sampler of a setup. It validates the options.
func NewLangevin(o LangevinOptions, u Setup) (*Langevin, error) {
	s := &Langevin{pre: o.Preconditioner}
	if err := s.init(s, o.LearningRate, o.Decay, o.Temperature, o.Contour, u, o.Preconditioner.validate()); err != nil {
		return nil, err
	}
	for range u.Chains {
		if u.V != nil && s.pre.Kind != "off" {
			s.v = append(s.v, slices.Clone(u.V))
		}
	}
	return s, nil
}

func (s *Langevin) begin(chains []posterior.Chain) {
	if s.pre.Kind != "off" {
		s.v = vectors(s.v, chains, 1)
	}
}

func (s *Langevin) moveChain(i int) {
	c := &s.chains[i]
	rate, temperature := s.rung(i)
	rate /= s.size
	p := kernel.Langevin{
		Step:        float32(rate),
		Multiplier:  float32(c.Multiplier),
		NoiseScale2: float32(2 * temperature * rate),
	}
	var v, w []float32
	if pre := &s.pre; pre.Kind != "off" {
		p.Precondition = true
		p.Alpha, p.Rho, p.InvScale = float32(pre.Alpha), float32(pre.Rho), float32(1/(math.Sqrt(s.size)*pre.Scale))
		p.MultipliedV = pre.Multiplied
		v = s.v[i]
	}
	if temperature > 0 {
		w = s.scratch.Take()
		defer s.scratch.Give(w)
		s.noise[i].Normals(w)
	}
	c.Keep()
	kernel.LangevinUpdate(c.X, c.Grad, v, w, &p)
	c.Refuse()
}

// SetSize makes steps relative to the size n of the data: ε/n in place of ε, and s√n in place of s.
func (s *Langevin) SetSize(n float64) { s.size = n }

// SaveChain returns the sampler's state of chain i alone: the position of its noise stream and, if there is one, its V.
func (s *Langevin) SaveChain(i int) ([]byte, error) {
	return state.Save(func(c *state.Codec) { s.chainState(c, i) })
}

// RestoreChain restores what SaveChain returned, in a sampler that has done the same number of steps.
func (s *Langevin) RestoreChain(i int, b []byte) error {
	return state.Restore(b, func(c *state.Codec) { s.chainState(c, i) })
}

func (s *Langevin) chainState(c *state.Codec, i int) {
	if len(s.v) > 0 {
		c.Float32s(s.v[i])
	}
	noiseState(c, s.noise[i:i+1])
}

func (s *Langevin) state(c *state.Codec) {
	if s.pre.Kind != "off" {
		c.Part(func(c *state.Codec) { vectorState(c, "V", &s.v) })
	}
}

// SGLD is stochastic gradient Langevin dynamics: Langevin, by default without preconditioner and contour.
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

// CSGLD is SGLD with a contour, for one chain (Deng et al., NeurIPS 2020).
func CSGLD() Method[LangevinOptions] {
	return langevin("CSGLD", "contour SGLD", 1e-6, 0.3, contourClaims(false, 1))
}

// ICSGLD is CSGLD for several chains that share the contour (Deng et al., ICLR 2022).
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

// langevin returns Langevin as a method. Its default options switch on the parts that c claims.
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

// Small returns the options with a learning rate for the small network of checks: see Method.Small.
func (o LangevinOptions) Small() LangevinOptions {
	o.LearningRate = 2e-4
	if o.Preconditioner.Kind != "off" {
		o.LearningRate, o.Preconditioner.Scale = 4e-4, SmallBatch
	}
	return o
}

// langevinClaims are the claims of Langevin without a contour. On U = kx²/2, with G = 1, a step is
// x ← (1 − εk)x − ε·(noise of the gradient) + √(2τε)·w.
func langevinClaims(preconditioned bool) Claims {
	return Claims{
		Density: true, ZeroTemperature: true, Bounded: true, Decay: true, Period: 1, FineRate: 0.01,
		Preconditioner:  preconditioned,
		Variance:        func(k, v, eps, temperature float64) float64 { return (temperature + eps*v/2) / k / (1 - eps*k/2) },
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

// CyclicalOptions are the options of CycSGLD. LearningRate is the peak ε₀.
type CyclicalOptions struct {
	LangevinOptions
	Cycle int `json:"cycle"` // gradient steps in a cycle, C
}

// CycSGLD is cyclical SGLD, preconditioned: Langevin with a learning rate in cycles. By default there are
// ten cycles in the 1,949 training rounds of the paper's protocol, with pSGLD's learning rate on average.
func CycSGLD() Method[CyclicalOptions] {
	return Method[CyclicalOptions]{
		Name: "cycSGLD", Doc: "cyclical SGLD",
		Defaults: func() CyclicalOptions {
			o := CyclicalOptions{PSGLD().Defaults(), 3118}
			o.LearningRate = 6e-7
			return o
		},
		Small: func(o CyclicalOptions) CyclicalOptions { // cycles of four rounds
			o = CyclicalOptions{o.LangevinOptions.Small(), 4 * SmallSteps}
			o.LearningRate *= 2
			return o
		},
		New: func(o CyclicalOptions, u Setup) (posterior.Sampler, error) {
			if err := checkCycle(o.Cycle); err != nil {
				return nil, fmt.Errorf("sgmcmc: %w", err)
			}
			s, err := NewLangevin(o.LangevinOptions, u)
			if err == nil {
				s.setCycle(o.Cycle, 0)
			}
			return s, err
		},
		Checked: func(o LangevinOptions) CyclicalOptions { return CyclicalOptions{o, cycle} },
		Claims:  cyclicalClaims(),
	}
}

const cycle = 20 // C in the checks

// cyclicalRate is the learning rate at a step of a cycle in the checks: equation (1) of Zhang et al., ICLR 2020.
func cyclicalRate(peak float64, step int) float64 {
	return peak / 2 * (math.Cos(math.Pi*float64(step)/cycle) + 1)
}

// cyclicalClaims are the claims of CycSGLD. The variance follows the cycle by variance ← (1−εk)²·variance + 2ετ + ε²v,
// with v the variance of the gradient's noise. The claim is the average over a cycle.
func cyclicalClaims() Claims {
	c := langevinClaims(true)
	c.Period, c.FineRate, c.Autocorrelation = cycle, 0.016, nil
	c.Variance = func(k, v, eps, temperature float64) float64 {
		variance, mean := temperature/k, 0.0
		for range 400 { // cycles, after which the start no longer matters
			mean = 0
			for step := range cycle {
				e := cyclicalRate(eps, step)
				variance = float64((1-float64(e*k))*(1-float64(e*k))*variance) + float64(2*e*temperature) + float64(e*e*v)
				mean += variance / cycle
			}
		}
		return mean
	}
	c.Memory = func(k, eps float64) float64 { // in how many steps the factors 1 − ε·k multiply to 1/e
		log := 0.0
		for step := range cycle {
			log -= math.Log(math.Abs(1 - float64(cyclicalRate(eps, step)*k)))
		}
		return cycle / log
	}
	return c
}
