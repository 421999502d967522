package simulation

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"

	"banditsim/internal/checktest"
	"banditsim/internal/must"
	"banditsim/lab/density"
	"banditsim/posterior"
)

func small() LandscapeOptions {
	o := DefaultLandscape()
	o.Repeats, o.Steps, o.Points = 2, 800, 4
	return o
}

// TestLandscapeIsDeterministic checks that results do not depend on the number of workers or on which other methods run,
// and the number of gradient evaluations of each method.
func TestLandscapeIsDeterministic(t *testing.T) {
	run := func(o LandscapeOptions, workers int) *LandscapeResult {
		return must.Get(Landscape(context.Background(), o, &Crew{Workers: workers}))(t)
	}
	one, four := run(small(), 1), run(small(), 4)
	must.That(t, reflect.DeepEqual(one, four), "one worker and four do not agree")
	o := small()
	o.Methods = []string{"ICSGLD"}
	must.That(t, reflect.DeepEqual(run(o, 1).Methods[0], one.Methods[5]), "ICSGLD alone and among others do not agree")
	o.Seed++
	must.That(t, !reflect.DeepEqual(run(o, 1).Methods[0].Runs, one.Methods[5].Runs), "another seed makes no difference")
	for _, m := range one.Methods {
		must.That(t, !reflect.DeepEqual(m.Runs[0].Points, m.Runs[1].Points), "%s: two repeats are the same", m.Name)
		for _, r := range m.Runs {
			sum := 0.0
			for _, p := range r.Modes {
				sum += p
			}
			must.Near(t, m.Name+": sum of the modes", sum, 1, 1e-12)
		}
		want, prerun := 5*800, 0
		switch m.Name {
		case "SVGD":
			want = 5 * 100 * 100
		case "reSGLD":
			want += 800 / 100 * 10 // evaluations for the estimate of the energy's variance
		case "CSGLD", "ICSGLD", "CSGLD-authors":
			prerun = 200
		}
		run := m.Runs[0]
		must.Equal(t, m.Name+": evaluations before the run", run.Prerun, prerun)
		must.Equal(t, m.Name+": evaluations", run.Points[len(run.Points)-1].Evaluations, want)
	}
}

// TestLandscapeFindsTheModes checks that after a fifth of the paper's steps the contour methods have found
// the 25 masses, that ICSGLD is better than SGLD in every repeat, and that weights undo the
// flattening: without weights the divergence over the cells would be above .6.
func TestLandscapeFindsTheModes(t *testing.T) {
	o := DefaultLandscape()
	o.Repeats, o.Steps, o.Points, o.Methods = 4, 16_000, 2, []string{"SGLD", "CSGLD", "ICSGLD", "CSGLD-authors"}
	r := must.Get(Landscape(context.Background(), o, &Crew{Workers: 2}))(t)
	last := func(m, repeat int) LandscapePoint {
		points := r.Methods[m].Runs[repeat].Points
		return points[len(points)-1]
	}
	for i := range o.Repeats {
		sgld, icsgld := last(0, i).Modes, last(2, i).Modes
		must.That(t, icsgld < sgld, "repeat %d: KL %.3f of SGLD, %.3f of ICSGLD", i, sgld, icsgld)
		for m := 1; m < len(o.Methods); m++ {
			p := last(m, i)
			must.That(t, p.Modes < 0.25 && p.Grid < 0.4,
				"repeat %d of %s: KL %.3f of the modes, want below .25, %.3f of the cells, want below .4", i, o.Methods[m], p.Modes, p.Grid)
		}
	}
}

func TestPointsOf(t *testing.T) {
	for _, c := range []struct {
		low, high, n int
		want         []int
	}{
		{10, 1000, 3, []int{10, 100, 1000}},
		{2, 5, 10, []int{2, 3, 4, 5}},
		{7, 100, 1, []int{100}},
		{5, 5, 3, []int{5}},
	} {
		must.Equal(t, fmt.Sprintf("%d points from %d to %d", c.n, c.low, c.high), pointsOf(c.low, c.high, c.n), c.want)
	}
}

// TestCrew checks that a canceled context ends the experiment, and that times exclude the comparison with the truth.
func TestCrew(t *testing.T) {
	c := Crew{Workers: 1}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Landscape(ctx, small(), &c)
	must.That(t, errors.Is(err, context.Canceled), "landscape: error %v, want %v", err, context.Canceled)

	// The clock advances by 1 per reading: each interval between comparisons counts 1.
	ticks := 0.0
	o := small()
	o.Methods, o.Repeats = []string{"SGLD"}, 1
	r := must.Get(Landscape(context.Background(), o, &Crew{Workers: 1, Clock: Clock{"ticks", func() float64 { ticks++; return ticks }}}))(t)
	for i, p := range r.Methods[0].Runs[0].Points {
		checktest.Near(t, "seconds", p.Seconds, float64(i+1), 0)
	}
}

// TestRefused checks the errors for invalid options, which begin with the option's JSON name.
func TestRefused(t *testing.T) {
	for want, change := range map[string]func(o *LandscapeOptions){
		"did you mean ICSGLD":  func(o *LandscapeOptions) { o.Methods = []string{"ICSGDL"} },
		"SGLD is named twice":  func(o *LandscapeOptions) { o.Methods = []string{"SGLD", "SGLD"} },
		"no method":            func(o *LandscapeOptions) { o.Methods = nil },
		"repeats: 0, want":     func(o *LandscapeOptions) { o.Repeats = 0 },
		"steps: 79, want 80":   func(o *LandscapeOptions) { o.Steps = 79 },
		"points: 0":            func(o *LandscapeOptions) { o.Points = 0 },
		"learning_rate: NaN":   func(o *LandscapeOptions) { o.LearningRate = math.NaN() },
		"noise: -1, want 0 to": func(o *LandscapeOptions) { o.Noise = -1 },
	} {
		o := small()
		change(&o)
		must.Fail(t, o.Validate(), want)
	}
}

// A march is a sampler that moves every chain right by one fine cell; the energy is the number of previous steps.
type march struct{ steps int }

func (m *march) Step(chains []posterior.Chain) error {
	for i := range chains {
		chains[i].Energy = float64(m.steps)
		chains[i].X[0] += 0.1
	}
	m.steps++
	return nil
}

// TestWalk checks that a walk counts positions before the moves, weighted by the energies at these positions. It must count only
// the chains that the field counting includes, and only steps for which keep returns true.
func TestWalk(t *testing.T) {
	target := density.NewLandscape(0, nil)
	chains := []posterior.Chain{
		posterior.NewChain(target, []float32{-2.45, -2.45}),
		posterior.NewChain(target, []float32{-2.45, 2.45}),
	}
	m := &march{}
	w := newWalk(m, chains)
	w.counting = 1
	w.keep = func() bool { return m.steps != 4 } // skips the fourth step
	w.weigh = func(energy float64) float64 { return math.Log(1 + energy) }
	for k := range 5 {
		if err := w.step(k >= 1); err != nil { // the first step does not count either
			t.Fatal(err)
		}
	}
	fine := w.estimate().fine()
	for i, want := range []float64{0, 2. / 10, 3. / 10, 0, 5. / 10, 0} {
		checktest.Near(t, "share of the cell", fine[i], want, 1e-12)
	}
}

// TestClouds checks that the estimate from particles uses the current positions of all particles.
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

// TestDivergences compares divergences with values computed by hand.
func TestDivergences(t *testing.T) {
	truth := []float64{0.5, 0.25, 0.25}
	checktest.Near(t, "of the truth", cellsDivergence(truth, truth), 0, 1e-6)
	checktest.Near(t, "of the truth, reversed", gridDivergence(truth, truth), 0, 0)
	// With smoothing s the estimate {1, 0, 0} becomes (1−s) + s/3 in the first cell and s/3 in the others.
	got := cellsDivergence(truth, []float64{1, 0, 0})
	want := 0.5*math.Log(0.5/(0.999+0.001/3)) + 0.5*math.Log(0.25/(0.001/3))
	checktest.Near(t, "of one cell", got, want, 1e-12)
	checktest.Near(t, "of one cell, reversed", gridDivergence([]float64{1, 0, 0}, truth), math.Log(2), 1e-12)
	must.That(t, math.IsNaN(gridDivergence([]float64{math.NaN(), 0, 0}, truth)), "the divergence of NaN is a number")
}

// TestGrid checks the cells of samples, also on the edges, and weights whose logarithms are very large or small.
func TestGrid(t *testing.T) {
	g := newGrid()
	g.add([]float32{-2.5, -2.5}, 1000)
	g.add([]float32{2.5, -2.45}, 1000+math.Log(3))
	g.add([]float32{0, 2.5}, -1e4)
	fine := g.fine()
	checktest.Near(t, "first cell", fine[0], 0.25, 1e-12)
	checktest.Near(t, "last column of the first row", fine[GridSide-1], 0.75, 1e-12)
	checktest.Near(t, "last row", fine[(GridSide-1)*GridSide+GridSide/2], 0, 0)
	// A sample of far larger weight dominates.
	g.add([]float32{0, 2.5}, 1e5)
	fine = g.fine()
	checktest.Near(t, "last row", fine[(GridSide-1)*GridSide+GridSide/2], 1, 1e-15)
	light := newGrid()
	light.add([]float32{-2.5, -2.5}, -1e4)
	checktest.Near(t, "a first sample of small weight", light.fine()[0], 1, 0)

	modes := coarse(density.NewLandscape(0, nil).Cells(GridSide))
	for i, want := range density.NewLandscape(0, nil).Cells(cellsSide) {
		checktest.Near(t, fmt.Sprint("mode ", i), modes[i], want, 1e-12)
	}
}
