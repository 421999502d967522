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
)

func small() LandscapeOptions {
	o := DefaultLandscape()
	o.Repeats, o.Steps, o.Points = 2, 800, 4
	return o
}

// TestLandscapeIsDeterministic: the same numbers at any number of workers, and of any choice of
// methods.
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
			checktest.Near(t, m.Name+": sum of the modes", sum, 1, 1e-12)
		}
	}
}

// TestLandscapeBudget: evaluations of the gradient, method by method.
func TestLandscapeBudget(t *testing.T) {
	r := must.Get(Landscape(context.Background(), small(), &Crew{Workers: 2}))(t)
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
		must.Equal(t, m.Name+": evaluations, before and in the run", []int{run.Prerun, run.Points[len(run.Points)-1].Evaluations}, []int{prerun, want})
	}
}

// TestLandscapeFindsTheModes: after a fifth of the paper's steps the contour methods have found
// the 25 masses, ICSGLD better than SGLD by more than chance; and their weights have undone the
// flattening, without which the cells' divergence is above .6.
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

// TestCrew: an early end, and the clock.
func TestCrew(t *testing.T) {
	c := Crew{Workers: 1}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Landscape(ctx, small(), &c); !errors.Is(err, context.Canceled) {
		t.Errorf("landscape: error %v, want %v", err, context.Canceled)
	}

	// Time that passes while an estimate is judged does not count.
	ticks := 0.0
	o := small()
	o.Methods, o.Repeats = []string{"SGLD"}, 1
	r := must.Get(Landscape(context.Background(), o, &Crew{Workers: 1, Clock: Clock{"ticks", func() float64 { ticks++; return ticks }}}))(t)
	for i, p := range r.Methods[0].Runs[0].Points {
		checktest.Near(t, "seconds", p.Seconds, float64(i+1), 0)
	}
}

// TestRefused: an error begins with the name of the option in JSON.
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
