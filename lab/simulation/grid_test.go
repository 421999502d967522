package simulation

import (
	"fmt"
	"math"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/checktest"
	"banditsim/lab/density"
)

// TestDivergencesOfExactDraws: for n independent draws both divergences have the mean
// (K−1)/(2n) in K cells, as 2n·KL is about chi-square with K−1 degrees of freedom. Its variance
// 2(K−1) gives the standard error; 6 of them, and 2 % for the next order in 1/n and for
// Smoothing, which adds about Smoothing²·χ²(uniform‖truth)/2 = 3e-7.
func TestDivergencesOfExactDraws(t *testing.T) {
	const repeats = 30
	j := newJudge()
	for _, c := range []struct {
		name  string
		cells float64
		n     int
		get   func(LandscapePoint) float64
	}{
		{"modes", 25, 20_000, func(p LandscapePoint) float64 { return p.Modes }},
		// Some cells are all but empty: of n·p draws, where that is below 1 the expansion fails.
		{"grid", 2500, 1_000_000, func(p LandscapePoint) float64 { return p.Grid }},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := c.n
			runs := repeats
			if c.cells > 100 {
				runs = 2
			}
			mean := 0.0
			for _, p := range j.draws(runs, n, stream.Root(1).Child(c.name)) {
				mean += c.get(p) / float64(runs)
			}
			want := (c.cells - 1) / (2 * float64(n))
			se := math.Sqrt(2*(c.cells-1)/float64(runs)) / (2 * float64(n))
			checktest.Near(t, "mean divergence", mean, want, 6*se+0.02*want)
		})
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
	if v := gridDivergence([]float64{math.NaN(), 0, 0}, truth); !math.IsNaN(v) {
		t.Errorf("the divergence of NaN is %g", v)
	}
}

// TestGrid: cells, edges and weights of any size.
func TestGrid(t *testing.T) {
	g := newGrid()
	g.add([]float32{-2.5, -2.5}, 1000)
	g.add([]float32{2.5, -2.45}, 1000+math.Log(3))
	g.add([]float32{0, 2.5}, -1e4)
	fine := g.fine()
	checktest.Near(t, "first cell", fine[0], 0.25, 1e-12)
	checktest.Near(t, "last column of the first row", fine[gridSide-1], 0.75, 1e-12)
	checktest.Near(t, "last row", fine[(gridSide-1)*gridSide+gridSide/2], 0, 0)
	// Far heavier samples take over.
	g.add([]float32{0, 2.5}, 1e5)
	fine = g.fine()
	checktest.Near(t, "last row", fine[(gridSide-1)*gridSide+gridSide/2], 1, 1e-15)

	modes := coarse(density.NewLandscape(0, nil).Cells(gridSide))
	for i, want := range density.NewLandscape(0, nil).Cells(cellsSide) {
		checktest.Near(t, fmt.Sprint("mode ", i), modes[i], want, 1e-12)
	}
}
