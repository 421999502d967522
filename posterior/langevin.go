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

	w           []float32
	energies    []float64
	multipliers []float64
}

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
	s.energies, s.multipliers = s.energies[:0], s.multipliers[:0]
	for i := range chains {
		c := &chains[i]
		energy, err := c.Target.EnergyGrad(c.Grad, c.X)
		if err != nil {
			return fmt.Errorf("posterior: chain %d: energy: %w", i, err)
		}
		if math.IsNaN(energy) {
			return fmt.Errorf("posterior: chain %d: the energy is not a number: the learning rate %g is too high", i, s.LearningRate)
		}
		c.Energy = energy
		s.energies = append(s.energies, energy)
		s.multipliers = append(s.multipliers, 1)
	}
	if s.Contour != nil {
		s.Contour.Meet(s.multipliers, s.energies)
	}
	for i := range chains {
		chains[i].Multiplier = s.multipliers[i]
		s.move(i, &chains[i])
	}
	return nil
}

// move applies the update to one chain.
func (s *Langevin) move(i int, c *Chain) {
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
		v = pre.state(i, len(c.X))
	}
	if s.Temperature > 0 {
		if len(s.w) < len(c.X) {
			s.w = make([]float32, len(c.X))
		}
		w = s.w[:len(c.X)]
		s.Noise[i].Normals(w)
	}
	kernel.LangevinUpdate(c.X, c.Grad, v, w, &p)
}

// state returns V of a chain, which starts at 1.
func (p *RMSProp) state(chain, dim int) []float32 {
	for len(p.v) <= chain {
		v := make([]float32, dim)
		for i := range v {
			v[i] = 1
		}
		p.v = append(p.v, v)
	}
	return p.v[chain]
}
