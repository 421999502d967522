package simulation

import (
	"math"
	"testing"

	"banditsim/internal/checktest"
	"banditsim/lab/density"
	"banditsim/posterior"
)

// A march moves every chain by one cell to the right; energies are the steps' numbers.
type march struct{ steps int }

func (m *march) Step(chains []posterior.Chain) error {
	for i := range chains {
		chains[i].Energy = float64(m.steps)
		chains[i].X[0] += 0.1
	}
	m.steps++
	return nil
}

// TestWalk: the positions before the moves count, with the weights of the energies there, of the
// right chains and in the right steps.
func TestWalk(t *testing.T) {
	target := density.NewLandscape(0, nil)
	chains := []posterior.Chain{
		posterior.NewChain(target, []float32{-2.45, -2.45}),
		posterior.NewChain(target, []float32{-2.45, 2.45}),
	}
	m := &march{}
	w := newWalk(m, chains)
	w.counting = 1
	w.keep = func() bool { return m.steps != 4 } // not the fourth
	w.weigh = func(energy float64) float64 { return math.Log(1 + energy) }
	for k := range 5 {
		if err := w.step(k >= 1); err != nil { // nor the first
			t.Fatal(err)
		}
	}
	fine := w.estimate().fine()
	for i, want := range []float64{0, 2. / 10, 3. / 10, 0, 5. / 10, 0} {
		checktest.Near(t, "share of the cell", fine[i], want, 1e-12)
	}
}

// TestClouds: the current positions of all particles.
func TestClouds(t *testing.T) {
	target := density.NewLandscape(0, nil)
	c := clouds{
		{&march{}, []posterior.Chain{posterior.NewChain(target, []float32{-2.45, -2.45})}},
		{&march{}, []posterior.Chain{posterior.NewChain(target, []float32{-2.25, -2.45})}},
	}
	for range 2 {
		if err := c.step(true); err != nil {
			t.Fatal(err)
		}
	}
	fine := c.estimate().fine()
	for i, want := range []float64{0, 0, 0.5, 0, 0.5} {
		checktest.Near(t, "share of the cell", fine[i], want, 1e-12)
	}
}
