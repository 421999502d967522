package main

import (
	"errors"
	"math"

	"banditsim/posterior"
)

// BAOAB is underdamped Langevin dynamics with friction γ and temperature τ, by the splitting of
// Leimkuhler and Matthews (Applied Mathematics Research eXpress, 2013). A step of size h computes one
// gradient g and draws standard normals w. It changes the position x and the momentum p:
//
//	p ← p − hg;  x ← x + hp/2;  p ← cp + √((1−c²)τ)·w;  x ← x + hp/2,  c = e^(−γh)
type BAOAB struct {
	Options                         // Size is h, Friction γ, Temperature τ
	Noise       []posterior.Normals // noise of each chain
	momentum, w [][]float32         // of each chain: p, and the noise of the current step
}

func (s *BAOAB) Step(chains []posterior.Chain) error {
	for i := range chains {
		c := &chains[i]
		var err error
		if c.Energy, err = c.Target.EnergyGrad(c.Grad, c.X); err != nil {
			return err
		}
		if math.IsNaN(c.Energy) {
			return errors.New("the energy is not a number: the step is too large")
		}
		if len(s.momentum) == i {
			s.momentum = append(s.momentum, make([]float32, len(c.X)))
			s.w = append(s.w, make([]float32, len(c.X)))
		}
	}
	h, keep := float32(s.Size), math.Exp(-s.Friction*s.Size)
	sd := float32(math.Sqrt((1 - keep*keep) * s.Temperature))
	for i := range chains {
		x, g, w := chains[i].X, chains[i].Grad, s.w[i]
		s.Noise[i].Normals(w)
		for j, p := range s.momentum[i] {
			p -= h * g[j]
			x[j] += h * p / 2
			p = float32(keep)*p + sd*w[j]
			x[j] += h * p / 2
			s.momentum[i][j] = p
		}
	}
	return nil
}
