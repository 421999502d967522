package sgmcmc

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"banditsim/internal/check"
	"banditsim/internal/freelist"
	"banditsim/internal/kernel"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// LangevinOptions are the options of Langevin and its parts but the exchange.
type LangevinOptions struct {
	LearningRate   float64               `json:"learning_rate"`       // step size, ε
	Decay          float64               `json:"learning_rate_decay"` // factor of the learning rate before each training round
	Temperature    float64               `json:"temperature"`         // temperature, τ
	Preconditioner PreconditionerOptions `json:"preconditioner"`
	Contour        ContourOptions        `json:"contour"`
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

// Langevin is stochastic gradient Langevin dynamics with optional parts. One step of every chain
// is
//
//	V ← (1−α)V + α(g/s)²,  G = 1/(ρ + √V)     Preconditioner, else G = 1
//	M = 1 + (ζτ/Δu)·(log θ(J) − log θ((J−1)∨1))   Contour, else M = 1
//	x ← x − ε·M·G·g + √(2τεG)·w,  w ~ N(0, I)
//
// In the limit ε → 0 a chain samples the density exp(−U/τ) (Welling and Teh, ICML 2011), also
// with a fixed preconditioner (Li et al., AAAI 2016; the term Γ of a moving one is left out, as
// by the authors of the paper, so that it is only approximately right), and with a contour the
// flattened density of Deng et al., ICLR 2022, equation (2). At τ = 0 it is stochastic gradient
// descent. With an exchange (NewExchange) every chain has an ε and a τ of its own, and neighbors swap
// positions.
//
// The noise does not depend on M and always follows the current ε. A move out of a Bounded target
// is rejected. A step costs one evaluation of the target for each chain, and O(d).
type Langevin struct {
	Schedule               // ε
	Temperature    float64 // τ
	Preconditioner *RMSProp
	Contour        Contour
	Noise          []posterior.Normals // the source of w, one for each chain; unused at τ = 0
	// Parallel, if not nil, evaluates and moves the chains side by side. Their targets must then
	// not share state. It may leave out chains that another process moves, which then stay as they are.
	Parallel posterior.Parallel

	evaluation
	exchange *exchange // of NewExchange
	size     float64   // size that SetSize set; 0: never called
	noise    freelist.List[[]float32]
	move     func(i int) // a method value, made once
}

var (
	_ posterior.Sampler      = (*Langevin)(nil)
	_ posterior.Weigher      = (*Langevin)(nil)
	_ posterior.Histogrammer = (*Langevin)(nil)
	_ posterior.RoundStarter = (*Langevin)(nil)
	_ posterior.Sizer        = (*Langevin)(nil)
)

// NewLangevin returns the sampler of a setup. It validates the options.
func NewLangevin(o LangevinOptions, u Setup) (*Langevin, error) {
	preconditioner, err := o.Preconditioner.New()
	s := &Langevin{
		Schedule: decaying(o.LearningRate, o.Decay), Temperature: o.Temperature, Noise: u.Noise, Parallel: u.Parallel,
		Preconditioner: preconditioner,
	}
	if err := check.First(s.validate(), check.NotNegative("temperature", o.Temperature), err); err != nil {
		return nil, fmt.Errorf("sgmcmc: %w", err)
	}
	if u.V != nil && s.Preconditioner != nil {
		var v [][]float32
		for range u.Chains {
			v = append(v, slices.Clone(u.V))
		}
		s.Preconditioner.SetV(v)
	}
	s.Contour, err = u.contour(o.Contour, o.Temperature)
	return s, err
}

// Step moves all chains. If an energy is not a number or a field of s is out of range it returns
// an error and moves none.
func (s *Langevin) Step(chains []posterior.Chain) error {
	if err := s.begin(chains); err != nil {
		return err
	}
	if err := s.evaluate(chains, s.LearningRate, s.Parallel); err != nil {
		return err
	}
	if s.exchange != nil {
		if err := s.exchange.swap(chains, s.Temperature); err != nil {
			return err
		}
	}
	s.meet(s.Contour)
	s.Parallel.Do(len(chains), s.move)
	return nil
}

// begin checks what a literal may lack and what may have changed since the last step, and allocates for the
// chains, once.
func (s *Langevin) begin(chains []posterior.Chain) error {
	if err := cmp.Or(checkNoise(len(chains), s.Temperature, s.Noise), s.next()); err != nil {
		return err
	}
	if s.move != nil {
		return nil
	}
	if s.Preconditioner != nil {
		if err := s.Preconditioner.begin(chains); err != nil {
			return err
		}
	}
	s.noise.Make = func() []float32 { return make([]float32, len(chains[0].X)) }
	s.move = s.moveChain
	return nil
}

// moveChain applies the update to one chain.
func (s *Langevin) moveChain(i int) {
	c := &s.chains[i]
	rate, temperature := s.LearningRate, s.Temperature
	if s.exchange != nil {
		rate *= s.exchange.ladder[i].Rate
		temperature *= s.exchange.ladder[i].Temperature
	}
	scale := 1.0 // scale of the gradient
	if s.size > 0 {
		rate /= s.size
		scale = math.Sqrt(s.size)
	}
	p := kernel.Langevin[float32]{
		Step:        float32(rate),
		Multiplier:  float32(c.Multiplier),
		NoiseScale2: float32(2 * temperature * rate),
	}
	var v, w []float32
	if pre := s.Preconditioner; pre != nil {
		p.Precondition = true
		p.Alpha, p.Rho, p.InvScale = float32(pre.o.Alpha), float32(pre.o.Rho), float32(1/(scale*pre.o.Scale))
		p.MultipliedV = pre.o.Multiplied
		v = pre.v[i]
	}
	if temperature > 0 {
		w = s.noise.Take()
		defer s.noise.Give(w)
		s.Noise[i].Normals(w)
	}
	c.Keep()
	kernel.LangevinUpdate(c.X, c.Grad, v, w, &p)
	c.Refuse()
}

// SetSize makes steps relative to the size n of the data: ε/n in place of ε, and s√n in place of s.
func (s *Langevin) SetSize(n float64) { s.size = n }

// StartRound starts the round of the schedule and of the contour.
func (s *Langevin) StartRound(ended, rounds int) {
	s.Schedule.StartRound(ended, rounds)
	startRound(s.Contour, ended, rounds)
}

// Weights sets the weight of every chain in prediction: those of the contour, or of the exchange,
// or 1.
func (s *Langevin) Weights(weights []float64) {
	switch {
	case s.Contour != nil:
		s.Contour.Weights(weights)
	case s.exchange != nil:
		s.exchange.weigh(weights)
	default:
		fill(weights, 1)
	}
}

// Histogram returns the contour's θ and the chains' bins; nil without a contour.
func (s *Langevin) Histogram() (theta []float64, bins []int) {
	if s.Contour == nil {
		return nil, nil
	}
	return s.Contour.State()
}

// SaveChain returns what the sampler has of chain i alone: V, from the first step on, and the position of its noise.
func (s *Langevin) SaveChain(i int) ([]byte, error) {
	return state.Save(func(c *state.Codec) { s.chainState(c, i) })
}

// RestoreChain restores what SaveChain returned after as many steps.
func (s *Langevin) RestoreChain(i int, b []byte) error {
	return state.Restore(b, func(c *state.Codec) { s.chainState(c, i) })
}

func (s *Langevin) chainState(c *state.Codec, i int) {
	if p := s.Preconditioner; p != nil && len(p.v) > 0 {
		c.Float32s(p.v[i])
	}
	noiseState(c, s.Noise[i:i+1])
}

// MarshalBinary returns the state of the sampler: the learning rate, its parts and the position
// of its noise, without the chains.
func (s *Langevin) MarshalBinary() ([]byte, error) { return state.Save(s.state) }

// UnmarshalBinary restores a sampler that was made with the same options.
func (s *Langevin) UnmarshalBinary(b []byte) error { return state.Restore(b, s.state) }

func (s *Langevin) state(c *state.Codec) {
	s.stateWith(c, func(c *state.Codec) {
		if s.Preconditioner != nil {
			c.Part(s.Preconditioner.state)
		}
		if s.Contour != nil {
			c.Any("contour", s.Contour)
		}
		if s.exchange != nil {
			c.Part(s.exchange.state)
		}
		noiseState(c, s.Noise)
	})
}
