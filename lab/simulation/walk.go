package simulation

import (
	"banditsim/lab/density"
	"banditsim/posterior"
)

// A process is a method that runs on the landscape.
type process interface {
	// step does one step, and counts its samples if count is set.
	step(count bool) error
	// estimate returns the estimate so far.
	estimate() *grid
}

// A walk estimates the density by the positions of its chains over time.
type walk struct {
	sampler  posterior.Sampler
	chains   []posterior.Chain
	counting int                          // the first so many chains count
	keep     func() bool                  // whether the step's samples count; nil: always
	weigh    func(energy float64) float64 // log weight by the noisy energy; nil: all alike
	before   [][]float32                  // positions before the step
	found    *grid
}

func newWalk(sampler posterior.Sampler, chains []posterior.Chain) *walk {
	w := &walk{sampler: sampler, chains: chains, counting: len(chains), found: newGrid()}
	for _, c := range chains {
		w.before = append(w.before, make([]float32, len(c.X)))
	}
	return w
}

// step counts the positions before the move: the weights depend on the energies there.
func (w *walk) step(count bool) error {
	for p := range w.counting {
		copy(w.before[p], w.chains[p].X)
	}
	if err := w.sampler.Step(w.chains); err != nil {
		return err
	}
	if !count || w.keep != nil && !w.keep() {
		return nil
	}
	for p := range w.counting {
		logWeight := 0.0
		if w.weigh != nil {
			logWeight = w.weigh(w.chains[p].Energy)
		}
		w.found.add(w.before[p], logWeight)
	}
	return nil
}

func (w *walk) estimate() *grid { return w.found }

// Clouds estimate the density by the current positions of their particles.
type clouds []cloud

// A cloud is a population of particles that interact.
type cloud struct {
	sampler   posterior.Sampler
	particles []posterior.Chain
}

func (c clouds) step(bool) error {
	for i := range c {
		if err := c[i].sampler.Step(c[i].particles); err != nil {
			return err
		}
	}
	return nil
}

func (c clouds) estimate() *grid {
	g := newGrid()
	for _, one := range c {
		for _, p := range one.particles {
			g.add(p.X, 0)
		}
	}
	return g
}

// A counted landscape counts its evaluations.
type countedLandscape struct {
	*density.Landscape
	evaluations *int
}

var (
	_ posterior.Target  = countedLandscape{}
	_ posterior.Bounded = countedLandscape{}
)

// EnergyGrad evaluates the landscape.
func (c countedLandscape) EnergyGrad(grad, x []float32) (float64, error) {
	*c.evaluations++
	return c.Landscape.EnergyGrad(grad, x)
}
