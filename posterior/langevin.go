package posterior

import (
	"fmt"
	"math"

	"banditsim/internal/kernel"
)

// Langevin is stochastic gradient Langevin dynamics with parts that can be
// switched on or off (algorithms.md, section 3). One step of every chain is
//
//	V ← (1−α)V + α(g/s)²,  G = 1/(ρ + √V)     Preconditioner, else G = 1
//	M = 1 + (ζτ/Δu)·(log θ(J) − log θ((J−1)∨1))   Contour, else M = 1
//	x ← x − ε·M·G·g + √(2τεG)·w,  w ~ N(0, I)
//
// At the limit ε → 0 a chain samples the density exp(−U/τ) (Welling and Teh,
// ICML 2011), with a fixed preconditioner too (Li et al., AAAI 2016; the term
// Γ of a moving one is left out, as the authors of the paper do, so that it is only
// approximately right), and with a contour the flattened density of Deng et al.,
// ICLR 2022, equation (2). At τ = 0 it is stochastic gradient descent.
//
// The noise does not depend on M and always follows the current ε.
// A step costs one evaluation of the target a chain, and O(d).
type Langevin struct {
	LearningRate   float64 // ε, may be changed between steps
	Temperature    float64 // τ
	Preconditioner *RMSProp
	Contour        Contour
	Noise          []Normals // the source of w, one for each chain; unused at τ = 0
	// Parallel, if not nil, evaluates and moves the chains side by side. The
	// chains then need targets that can be.
	Parallel Parallel

	chains      []Chain // of the step that is under way
	errs        []error
	energies    []float64
	multipliers []float64
	noise       freeList[[]float32]
	evaluate    func(i int) // method values, made once
	move        func(i int)
}

// Parallel calls f(0) … f(n−1), each once and in any order, perhaps at the same
// time, and returns when all have returned.
type Parallel func(n int, f func(i int))

// RMSProp is the diagonal preconditioner of pSGLD. The zero value is not
// useful: V starts at 1.
type RMSProp struct {
	Alpha float64 // α, weight of the newest gradient; 0 freezes V
	Rho   float64 // ρ
	Scale float64 // s, by which the gradient is divided before it is squared
	// Multiplied says that V learns from M·g in place of g, as the authors'
	// code does.
	Multiplied bool

	v [][]float32 // V, chain by chain
}

// Normals is a source of standard normal numbers, such as *stream.Stream.
type Normals interface {
	Normals(dst []float32)
}

var _ Sampler = (*Langevin)(nil)

// Step moves all chains. It stops with an error, and moves none, if an energy
// is not a number.
func (s *Langevin) Step(chains []Chain) error {
	s.begin(chains)
	s.each(s.evaluate)
	for i := range chains {
		if s.errs[i] != nil {
			return s.errs[i]
		}
		s.energies[i], s.multipliers[i] = chains[i].Energy, 1
	}
	if s.Contour != nil {
		s.Contour.Meet(s.multipliers, s.energies)
	}
	s.each(s.move)
	return nil
}

// begin makes room for the chains, once.
func (s *Langevin) begin(chains []Chain) {
	s.chains = chains
	if n := len(chains); len(s.errs) != n {
		s.errs, s.energies, s.multipliers = make([]error, n), make([]float64, n), make([]float64, n)
		s.noise.make = func() []float32 { return make([]float32, len(chains[0].X)) }
		s.evaluate, s.move = s.evaluateChain, s.moveChain
		if s.Preconditioner != nil {
			s.Preconditioner.begin(chains)
		}
	}
}

func (s *Langevin) each(f func(i int)) {
	if s.Parallel != nil {
		s.Parallel(len(s.chains), f)
		return
	}
	for i := range s.chains {
		f(i)
	}
}

func (s *Langevin) evaluateChain(i int) {
	c := &s.chains[i]
	energy, err := c.Target.EnergyGrad(c.Grad, c.X)
	switch {
	case err != nil:
		err = fmt.Errorf("posterior: chain %d: energy: %w", i, err)
	case math.IsNaN(energy):
		err = fmt.Errorf("posterior: chain %d: the energy is not a number: the learning rate %g is too high", i, s.LearningRate)
	}
	c.Energy, s.errs[i] = energy, err
}

// moveChain applies the update to one chain.
func (s *Langevin) moveChain(i int) {
	c := &s.chains[i]
	c.Multiplier = s.multipliers[i]
	p := kernel.Langevin[float32]{
		Step:        float32(s.LearningRate),
		Multiplier:  float32(c.Multiplier),
		NoiseScale2: float32(2 * s.Temperature * s.LearningRate),
	}
	var v, w []float32
	if pre := s.Preconditioner; pre != nil {
		p.Precondition = true
		p.Alpha, p.Rho, p.InvScale = float32(pre.Alpha), float32(pre.Rho), float32(1/pre.Scale)
		p.MultipliedV = pre.Multiplied
		v = pre.v[i]
	}
	if s.Temperature > 0 {
		w = s.noise.take()
		defer s.noise.give(w)
		s.Noise[i].Normals(w)
	}
	kernel.LangevinUpdate(c.X, c.Grad, v, w, &p)
}

// begin sets V of chains that have none yet.
func (p *RMSProp) begin(chains []Chain) {
	for i := len(p.v); i < len(chains); i++ {
		v := make([]float32, len(chains[i].X))
		for j := range v {
			v[j] = 1
		}
		p.v = append(p.v, v)
	}
}
