package simulation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"banditsim/bandit/stream"
	"banditsim/internal/check"
	"banditsim/internal/lists"
	"banditsim/internal/nearest"
	"banditsim/lab/density"
)

// LandscapeOptions are the options of the experiment on 25 modes.
type LandscapeOptions struct {
	Seed    uint64   `json:"seed"`
	Repeats int      `json:"repeats"`
	Methods []string `json:"methods"` // names of the methods to run; all by default
	// Steps is the number of steps of each chain of the methods with five chains. A single chain takes 5·Steps, and SVGD
	// Steps/8. The first 80th of a run is warm-up. θ of the contour samplers, except for the variants '-flat', starts from
	// a run of SGLD with Steps/4 steps, the prerun.
	Steps int `json:"steps"`
	// Points is the largest number of times at which the estimate of a run is compared with the truth.
	Points int `json:"points"`
	// LearningRate is ε of SGLD and the contour samplers, and the step of SVGD.
	LearningRate float64 `json:"learning_rate"`
	// Noise is the standard deviation of the noise of energy and gradient.
	Noise float64 `json:"noise"`
}

// A run's warm-up takes 1/warmupPart of its steps. SVGD takes Steps/particlesPart steps, the prerun Steps/prerunPart.
const (
	warmupPart    = 80
	particlesPart = 8
	prerunPart    = 4
)

// DefaultLandscape returns the paper's experiment: 20 repeats of 5 × 80,000 steps, or 10,000 steps of SVGD.
func DefaultLandscape() LandscapeOptions {
	return LandscapeOptions{
		Seed: 1, Repeats: 20, Steps: 80_000, Points: 30, LearningRate: 3e-3, Noise: density.LandscapeNoise,
		Methods: lists.Each(methods, func(m method) string { return m.name }),
	}
}

// A LandscapeMethod has the runs of one method.
type LandscapeMethod struct {
	Name string         `json:"name"`
	Doc  string         `json:"doc"`
	Runs []LandscapeRun `json:"runs"` // by repeat
}

// A LandscapeRun is one repeat of a method.
type LandscapeRun struct {
	Points []LandscapePoint `json:"points"`
	// Prerun is the number of gradient evaluations of the SGLD run for the initial θ, or 0 without one. Points omit them.
	Prerun int `json:"prerun"`
	// Modes are the estimated masses of the 25 modes at the end, in the order of density.Landscape.Cells.
	Modes []float64 `json:"modes"`
	// Grid are the estimated masses of 50×50 cells at the end, in the same order; only in the first repeat.
	Grid []float64 `json:"grid,omitempty"`
}

// A LandscapePoint has the errors of a run's estimate, in nats, after a number of gradient evaluations.
type LandscapePoint struct {
	Evaluations int     `json:"evaluations"`
	Seconds     float64 `json:"seconds"`  // time so far by the crew's clock
	Modes       float64 `json:"kl_modes"` // KL(truth‖estimate), 25 modes; see Smoothing
	Grid        float64 `json:"kl_grid"`  // KL(estimate‖truth), 50×50 cells
}

// A LandscapeResult is the outcome of the experiment.
type LandscapeResult struct {
	Options LandscapeOptions  `json:"options"`
	Clock   string            `json:"clock"` // name of the clock; "" if nothing was timed
	Methods []LandscapeMethod `json:"methods"`
	// Draws are the errors, by repeat, of estimates from DrawParticles independent draws from the truth. SVGD has as many
	// particles.
	Draws         []LandscapePoint `json:"draws"`
	DrawParticles int              `json:"draw_particles"`
}

// LandscapeTruth returns the true masses of n×n cells of the box, in the order of LandscapeRun.Modes.
func LandscapeTruth(n int) []float64 { return density.NewLandscape(0, nil).Cells(n) }

const maxRepeats = 100_000

// Validate returns an error if a method is unknown or named twice, if there is no method, or if an option is out of
// range. The error for an option begins with its JSON name.
func (o *LandscapeOptions) Validate() error {
	known := DefaultLandscape().Methods
	return cmp.Or(
		nearest.Distinct("unknown method", "method", o.Methods, known),
		check.That(len(o.Methods) > 0, "no method, want one or more of %s", strings.Join(known, ", ")),
		check.Within("repeats", o.Repeats, 1, maxRepeats),
		check.Within("steps", o.Steps, warmupPart, 1e8),
		check.Within("points", o.Points, 1, 10_000),
		check.That(o.LearningRate > 0 && o.LearningRate <= 1, "learning_rate: %g, want above 0 and at most 1", o.LearningRate),
		check.That(o.Noise >= 0 && o.Noise <= 1000, "noise: %g, want 0 to 1000", o.Noise),
	)
}

// methodNamed returns the method with the given name. It panics if there is none.
func methodNamed(name string) *method {
	return &methods[slices.IndexFunc(methods, func(m method) bool { return m.name == name })]
}

// Landscape runs the experiment on 25 modes. The options must be valid.
func Landscape(ctx context.Context, o LandscapeOptions, crew *Crew) (*LandscapeResult, error) {
	root := stream.Root(o.Seed).Child("landscape")
	judge := &judge{modes: LandscapeTruth(cellsSide), grid: LandscapeTruth(GridSide)}
	result := &LandscapeResult{Options: o, Clock: crew.Clock.Name, DrawParticles: populations * particles}
	result.Draws = judge.draws(o.Repeats, result.DrawParticles, root.Child("draws"))
	result.Methods = lists.Each(o.Methods, func(name string) LandscapeMethod {
		return LandscapeMethod{name, methodNamed(name).doc, make([]LandscapeRun, o.Repeats)}
	})
	// Run repeat by repeat, so that the runs of the slowest method are not all at the end.
	err := crew.each(ctx, o.Repeats*len(o.Methods), func(i int) error {
		m, repeat := i%len(o.Methods), i/len(o.Methods)
		run, err := o.run(ctx, methodNamed(o.Methods[m]), root.Child("repeat", repeat), crew, judge)
		if err != nil {
			return fmt.Errorf("simulation: landscape: %s, repeat %d: %w", o.Methods[m], repeat+1, err)
		}
		if repeat > 0 {
			run.Grid = nil
		}
		result.Methods[m].Runs[repeat] = run
		return nil
	})
	return result, err
}

// run runs one repeat of a method, with the stream r.Child(m.name). All methods of a repeat share r and so the prerun.
func (o *LandscapeOptions) run(ctx context.Context, m *method, r *stream.Stream, crew *Crew, judge *judge) (run LandscapeRun, err error) {
	steps := o.Steps * 5 / m.parallel
	if m.particles {
		steps = o.Steps / particlesPart
	}
	b := &builder{rand: r.Child(m.name), steps: steps, rate: o.LearningRate, noise: o.Noise}
	if m.prerun {
		run.Prerun = o.Steps / prerunPart
		if b.theta, err = prerun(r, run.Prerun, o.LearningRate, o.Noise); err != nil {
			return run, err
		}
	}
	p := m.build(b)
	warmup, seconds, start := steps/warmupPart, 0.0, crew.Clock.now()
	points := pointsOf(max(2*warmup, 1), steps, o.Points)
	for k := range steps {
		if err := p.step(k >= warmup); err != nil {
			return run, err
		}
		if k+1 != points[0] {
			continue
		}
		points = points[1:]
		seconds += crew.Clock.now() - start
		if found := p.estimate(); !math.IsInf(found.scale, -1) {
			point, fine := judge.point(found)
			point.Evaluations, point.Seconds = b.evaluations(), seconds
			run.Points = append(run.Points, point)
			run.Grid = fine
		}
		if err := ctx.Err(); err != nil {
			return run, err
		}
		start = crew.Clock.now()
	}
	if len(run.Points) == 0 {
		return run, errors.New("no sample after the warm-up: take more steps")
	}
	run.Modes = coarse(run.Grid)
	return run, nil
}

// pointsOf returns at most n distinct integers that grow geometrically from low to high ≥ low. The last is high.
func pointsOf(low, high, n int) []int {
	var points []int
	for i := range n {
		part := 1.0
		if n > 1 {
			part = float64(i) / float64(n-1)
		}
		v := int(math.Round(float64(low) * math.Pow(float64(high)/float64(low), part))) // high if part is 1
		if k := len(points); k == 0 || v > points[k-1] {
			points = append(points, v)
		}
	}
	return points
}

// A judge compares estimates with the true masses of the modes and of the fine cells.
type judge struct {
	modes, grid []float64
}

// point returns the errors of an estimate, and the estimated masses of the 50×50 cells.
func (j *judge) point(g *grid) (LandscapePoint, []float64) {
	fine := g.fine()
	return LandscapePoint{Modes: cellsDivergence(j.modes, coarse(fine)), Grid: gridDivergence(fine, j.grid)}, fine
}

// draws returns the errors of one estimate per repeat, each from n independent draws from the truth.
func (j *judge) draws(repeats, n int, r *stream.Stream) []LandscapePoint {
	draw := density.NewLandscape(0, nil).Sampler(r)
	x := make([]float32, 2)
	var points []LandscapePoint
	for range repeats {
		g := newGrid()
		for range n {
			draw(x)
			g.add(x, 0)
		}
		point, _ := j.point(g)
		points = append(points, point)
	}
	return points
}
