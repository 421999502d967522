package simulation

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/posterior/density"
)

func check(t *testing.T, name string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %.8g, want %.8g to %.2g", name, got, want, tolerance)
	}
}

// TestDivergencesOfExactDraws: for n independent draws both divergences have the mean
// (K−1)/(2n) in K cells, as 2n·KL is about chi-square with K−1 degrees of freedom. Its variance
// 2(K−1) gives the standard error; 6 of them, and 2 % for the next order in 1/n and for
// smoothing, which adds about smoothing²·χ²(uniform‖truth)/2 = 3e-7.
func TestDivergencesOfExactDraws(t *testing.T) {
	const repeats = 60
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
				runs = 3
			}
			mean := 0.0
			for _, p := range j.draws(runs, n, stream.Root(1).Child(c.name)) {
				mean += c.get(p) / float64(runs)
			}
			want := (c.cells - 1) / (2 * float64(n))
			se := math.Sqrt(2*(c.cells-1)/float64(runs)) / (2 * float64(n))
			check(t, "mean divergence", mean, want, 6*se+0.02*want)
		})
	}
}

// TestDivergences by hand.
func TestDivergences(t *testing.T) {
	truth := []float64{0.5, 0.25, 0.25}
	check(t, "of the truth", cellsDivergence(truth, truth), 0, 1e-6)
	check(t, "of the truth, reversed", gridDivergence(truth, truth), 0, 0)
	// Half smoothed away: (1−s)·1 + s/3, and s/3.
	got := cellsDivergence(truth, []float64{1, 0, 0})
	want := 0.5*math.Log(0.5/(0.999+0.001/3)) + 0.5*math.Log(0.25/(0.001/3))
	check(t, "of one cell", got, want, 1e-12)
	check(t, "of one cell, reversed", gridDivergence([]float64{1, 0, 0}, truth), math.Log(2), 1e-12)
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
	check(t, "first cell", fine[0], 0.25, 1e-12)
	check(t, "last column of the first row", fine[gridSide-1], 0.75, 1e-12)
	check(t, "last row", fine[(gridSide-1)*gridSide+gridSide/2], 0, 0)
	// Far heavier samples take over.
	g.add([]float32{0, 2.5}, 1e5)
	fine = g.fine()
	check(t, "last row", fine[(gridSide-1)*gridSide+gridSide/2], 1, 1e-15)

	modes := coarse(density.NewLandscape(0, nil).Cells(gridSide))
	for i, want := range density.NewLandscape(0, nil).Cells(cellsSide) {
		check(t, fmt.Sprint("mode ", i), modes[i], want, 1e-12)
	}
}

func small() LandscapeOptions {
	o := DefaultLandscape()
	o.Repeats, o.Steps, o.Points = 2, 800, 4
	return o
}

// TestLandscapeIsDeterministic: the same numbers at any number of workers, and of any
// choice of methods.
func TestLandscapeIsDeterministic(t *testing.T) {
	run := func(o LandscapeOptions, workers int) *LandscapeResult {
		r, err := Landscape(context.Background(), o, &Crew{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	one, four := run(small(), 1), run(small(), 4)
	if !reflect.DeepEqual(one, four) {
		t.Error("one worker and four do not agree")
	}
	o := small()
	o.Methods = []string{"ICSGLD"}
	if alone := run(o, 1); !reflect.DeepEqual(alone.Methods[0], one.Methods[5]) {
		t.Error("ICSGLD alone and among others do not agree")
	}
	o.Seed++
	if other := run(o, 1); reflect.DeepEqual(other.Methods[0].Runs, one.Methods[5].Runs) {
		t.Error("another seed makes no difference")
	}
	for _, m := range one.Methods {
		if reflect.DeepEqual(m.Runs[0].Points, m.Runs[1].Points) {
			t.Errorf("%s: two repeats are the same", m.Name)
		}
		for _, r := range m.Runs {
			sum := 0.0
			for _, p := range r.Modes {
				sum += p
			}
			check(t, m.Name+": sum of the modes", sum, 1, 1e-12)
		}
	}
}

// TestLandscapeBudget: evaluations of the gradient, method by method.
func TestLandscapeBudget(t *testing.T) {
	r, err := Landscape(context.Background(), small(), &Crew{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range r.Methods {
		want, prerun := 5*800, 0
		switch m.Name {
		case "SVGD":
			want = 5 * 100 * 100
		case "reSGLD":
			want += 800 / 100 * 10 // for the variance
		case "CSGLD", "ICSGLD", "CSGLD-authors":
			prerun = 200
		}
		run := m.Runs[0]
		if got := run.Points[len(run.Points)-1].Evaluations; got != want || run.Prerun != prerun {
			t.Errorf("%s: %d evaluations after %d, want %d after %d", m.Name, got, run.Prerun, want, prerun)
		}
	}
}

// TestLandscapeFindsTheModes: the 25 masses after a tenth of the paper's steps are near the
// truth for ICSGLD, and by more than chance nearer than SGLD's.
func TestLandscapeFindsTheModes(t *testing.T) {
	o := DefaultLandscape()
	o.Repeats, o.Steps, o.Points, o.Methods = 8, 8000, 2, []string{"SGLD", "ICSGLD"}
	r, err := Landscape(context.Background(), o, &Crew{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	for i := range o.Repeats {
		last := func(m int) float64 {
			points := r.Methods[m].Runs[i].Points
			return points[len(points)-1].Modes
		}
		if a, b := last(0), last(1); !(b < a) || !(b < 0.2) {
			t.Errorf("repeat %d: KL %.3f of SGLD, %.3f of ICSGLD", i, a, b)
		}
	}
}

// TestPrerun: θ's start is about the law of the energy under SGLD, raised by 1e-4.
func TestPrerun(t *testing.T) {
	theta, err := prerun(stream.Root(3), 400_000)
	if err != nil {
		t.Fatal(err)
	}
	// Exact draws with the noise of the energy.
	want := make([]float64, len(theta))
	l := density.NewLandscape(density.LandscapeNoise, stream.Root(3).Child("noise"))
	draw := l.Sampler(stream.Root(3).Child("draw"))
	x, grad := make([]float32, 2), make([]float32, 2)
	const n = 200_000
	for range n {
		draw(x)
		u, _ := l.EnergyGrad(grad, x)
		want[LandscapeContour.Index(u)] += 1. / n
	}
	got, truth, least, sum := 0.0, 0.0, 1.0, 0.0
	for i, v := range theta {
		least = min(least, v)
		sum += v
		if i < 20 { // energies below −2.5
			got += v
			truth += want[i]
		}
	}
	// SGLD's step raises energies: 40 runs of 20,000 steps had .92 of the share, with a
	// standard deviation of .12, which 20 times the steps make .027. The tolerance is that and six of these.
	check(t, "share of low energies", got/truth, 1, 0.08+6*0.027)
	check(t, "least θ", least, 1e-4, 0)
	check(t, "Σθ", sum, 1+100*1e-4, 1e-12)
}

func TestVarianceIsDeterministic(t *testing.T) {
	o := DefaultVariance()
	o.Repeats, o.Steps, o.Points = 3, 2000, 4
	var results []*VarianceResult
	for _, workers := range []int{1, 4} {
		r, err := Variance(context.Background(), o, &Crew{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, r)
	}
	if !reflect.DeepEqual(results[0], results[1]) {
		t.Error("one worker and four do not agree")
	}
	r := results[0]
	for _, m := range []VarianceMethod{r.Interacting, r.Single} {
		last := m.Runs[0].Evaluations[len(m.Runs[0].Evaluations)-1]
		if last != 20_000 || m.Chains*m.Steps != 20_000 {
			t.Errorf("%s: %d evaluations by %d chains of %d steps, want 20000", m.Name, last, m.Chains, m.Steps)
		}
		if reflect.DeepEqual(m.Runs[0].Theta, m.Runs[1].Theta) {
			t.Errorf("%s: two repeats are the same", m.Name)
		}
	}
}

// TestVarianceTruth: θ* of the paper's hundred bins is that of ten (algorithms.md,
// O6), and the theory's ratio is the one quoted in section 6.
func TestVarianceTruth(t *testing.T) {
	o := DefaultVariance()
	check(t, "the theory's ratio", o.Theory(), 2.56, 5e-3)
	o.Repeats, o.Steps = 2, 1
	r, err := Variance(context.Background(), o, &Crew{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0.8851, 0.0643, 0.0421, 0.0044} {
		check(t, fmt.Sprint("θ", i+1), r.Truth[i], want, 5e-5)
	}
	for i, want := range []float64{0.6910, 0.2289, 0.0558, 0.01654, 0.00524, 0.00172, 0.000577, 0.000196, 6.75e-5, 2.34e-5} {
		check(t, fmt.Sprint("mass ", i+1), r.Mass[i]/want, 1, 3e-3)
	}
}

// TestVarianceConverges: after 2·10⁵ steps the bins 1, 3 and 5 are near θ* (between them ω is
// still too large). 20 repeats of another seed were off by .005, −.03 and −.09, with standard
// deviations of .0077, .081 and .093; the tolerances are that and six of these.
func TestVarianceConverges(t *testing.T) {
	if testing.Short() {
		t.Skip("two million evaluations")
	}
	o := DefaultVariance()
	o.Repeats, o.Steps, o.Points = 2, 200_000, 1
	r, err := Variance(context.Background(), o, &Crew{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range r.Interacting.Runs {
		theta := run.Theta[len(run.Theta)-1]
		check(t, "θ1", theta[0], r.Truth[0], 0.052)
		check(t, "θ3/θ1", theta[2]/theta[0]/(r.Truth[2]/r.Truth[0]), 1, 0.52)
		check(t, "θ5/θ1", theta[4]/theta[0]/(r.Truth[4]/r.Truth[0]), 1, 0.65)
	}
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*LandscapeOptions)
		want   string
	}{
		{"misspelt method", func(o *LandscapeOptions) { o.Methods = []string{"ICSGDL"} }, "did you mean ICSGLD"},
		{"method twice", func(o *LandscapeOptions) { o.Methods = []string{"SGLD", "SGLD"} }, "SGLD"},
		{"no method", func(o *LandscapeOptions) { o.Methods = nil }, "cycSGLD"},
		{"no repeats", func(o *LandscapeOptions) { o.Repeats = 0 }, "repeats"},
		{"too short", func(o *LandscapeOptions) { o.Steps = 79 }, "80"},
		{"no points", func(o *LandscapeOptions) { o.Points = 0 }, "points"},
	} {
		o := small()
		c.change(&o)
		if _, err := Landscape(context.Background(), o, &Crew{Workers: 1}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
	for _, c := range []struct {
		change func(*VarianceOptions)
		want   string
	}{
		{func(o *VarianceOptions) { o.Repeats = 1 }, "repeats"},
		{func(o *VarianceOptions) { o.Chains = 1 }, "chains"},
		{func(o *VarianceOptions) { o.Steps = 0 }, "steps"},
		{func(o *VarianceOptions) { o.LearningRate = math.NaN() }, "learning rate"},
		{func(o *VarianceOptions) { o.Points = 0 }, "points"},
	} {
		o := DefaultVariance()
		c.change(&o)
		if _, err := Variance(context.Background(), o, &Crew{Workers: 1}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
	if _, err := Landscape(context.Background(), small(), &Crew{}); err == nil {
		t.Error("no error without workers")
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
		if got := pointsOf(c.low, c.high, c.n); !slices.Equal(got, c.want) {
			t.Errorf("%d points from %d to %d: %v, want %v", c.n, c.low, c.high, got, c.want)
		}
	}
}

// TestCrew: each run once, the clock and the count, and an early end.
func TestCrew(t *testing.T) {
	const n = 100
	var runs [n]atomic.Int64
	var told []int
	c := Crew{Workers: 4, Done: func(done, total int) {
		if total != n {
			t.Errorf("%d in all, want %d", total, n)
		}
		told = append(told, done)
	}}
	if err := c.each(context.Background(), n, func(i int) error { runs[i].Add(1); return nil }); err != nil {
		t.Fatal(err)
	}
	for i := range runs {
		if runs[i].Load() != 1 || told[i] != i+1 {
			t.Errorf("run %d done %d times, told of %d", i, runs[i].Load(), told[i])
		}
	}

	broken := errors.New("broken")
	done := 0
	c = Crew{Workers: 1}
	err := c.each(context.Background(), n, func(i int) error {
		done++
		if i == 2 {
			return broken
		}
		return nil
	})
	if !errors.Is(err, broken) || done != 3 {
		t.Errorf("error %v after %d runs, want %v after 3", err, done, broken)
	}

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := c.each(ctx, n, func(int) error { t.Error("a run began"); return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
	if _, err := Landscape(ctx, small(), &c); !errors.Is(err, context.Canceled) {
		t.Errorf("landscape: error %v, want %v", err, context.Canceled)
	}

	// Time that passes while an estimate is judged does not count.
	ticks := 0.0
	o := small()
	o.Methods, o.Repeats = []string{"SGLD"}, 1
	r, err := Landscape(context.Background(), o, &Crew{Workers: 1, Clock: func() float64 { ticks++; return ticks }})
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range r.Methods[0].Runs[0].Points {
		check(t, "seconds", p.Seconds, float64(i+1), 0)
	}
}
