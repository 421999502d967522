package simulation

import (
	"fmt"
	"math"
	"testing"

	"banditsim/internal/checktest"
	"banditsim/internal/must"
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
	w := newWalk(clouds{&march{}, &march{}}, []posterior.Chain{
		posterior.NewChain(target, []float32{-2.45, -2.45}), posterior.NewChain(target, []float32{-2.25, -2.45}),
	})
	w.counting = 0
	for range 2 {
		must.OK(t, w.step(true))
	}
	fine := w.estimate().fine()
	for i, want := range []float64{0, 0, 0.5, 0, 0.5} {
		checktest.Near(t, "share of the cell", fine[i], want, 1e-12)
	}
}

// TestDivergences by hand.
func TestDivergences(t *testing.T) {
	truth := []float64{0.5, 0.25, 0.25}
	checktest.Near(t, "of the truth", cellsDivergence(truth, truth), 0, 1e-6)
	checktest.Near(t, "of the truth, reversed", gridDivergence(truth, truth), 0, 0)
	// Half smoothed away: (1−s)·1 + s/3, and s/3.
	got := cellsDivergence(truth, []float64{1, 0, 0})
	want := 0.5*math.Log(0.5/(0.999+0.001/3)) + 0.5*math.Log(0.25/(0.001/3))
	checktest.Near(t, "of one cell", got, want, 1e-12)
	checktest.Near(t, "of one cell, reversed", gridDivergence([]float64{1, 0, 0}, truth), math.Log(2), 1e-12)
	must.That(t, math.IsNaN(gridDivergence([]float64{math.NaN(), 0, 0}, truth)), "the divergence of NaN is a number")
}

// TestGrid: cells, edges and weights of any size.
func TestGrid(t *testing.T) {
	g := newGrid()
	g.add([]float32{-2.5, -2.5}, 1000)
	g.add([]float32{2.5, -2.45}, 1000+math.Log(3))
	g.add([]float32{0, 2.5}, -1e4)
	fine := g.fine()
	checktest.Near(t, "first cell", fine[0], 0.25, 1e-12)
	checktest.Near(t, "last column of the first row", fine[GridSide-1], 0.75, 1e-12)
	checktest.Near(t, "last row", fine[(GridSide-1)*GridSide+GridSide/2], 0, 0)
	// Far heavier samples take over.
	g.add([]float32{0, 2.5}, 1e5)
	fine = g.fine()
	checktest.Near(t, "last row", fine[(GridSide-1)*GridSide+GridSide/2], 1, 1e-15)

	modes := coarse(density.NewLandscape(0, nil).Cells(GridSide))
	for i, want := range density.NewLandscape(0, nil).Cells(cellsSide) {
		checktest.Near(t, fmt.Sprint("mode ", i), modes[i], want, 1e-12)
	}
}
