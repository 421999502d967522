// Package worked has examples of sampler steps that were computed by hand or by another program, and compares samplers
// with them. The examples are in testdata/steps.json.
package worked

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"

	"banditsim/internal/lists"
	"banditsim/internal/verify"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

//go:embed testdata/steps.json
var steps []byte

// Of returns the cases for the project's sampler of the given name, if there are any.
func Of(sampler string) []Case {
	var all []Case
	verify.Must(json.Unmarshal(steps, &all))
	return slices.DeleteFunc(all, func(c Case) bool { return !slices.Contains(c.Samplers, sampler) })
}

// A Case is a few steps that one or several samplers must reproduce.
type Case struct {
	Name     string
	Samplers []string
	// Options are the options that differ from sgmcmc.Plain: the step size, the temperature and the parts of the sampler.
	Options json.RawMessage
	Theta   []float64 // θ of the contour at the start; nil: flat
	Target  target
	Start   [][]float64   // by chain
	Noise   [][][]float64 // by step, then by chain; zeros after the last step
	// Unjudged is the number of steps at the start that are not compared. After has the state after each later step.
	Unjudged int
	After    []state
	// Tolerance is relative, and absolute for numbers below 1. Positions are float32. Multipliers and θ are float64: for
	// them the tolerance is at most 1e-9 and 1e-10.
	Tolerance float64
}

// A state has the numbers with which the chains and the contour are compared after a step. A nil field is not compared.
type state struct {
	X           [][]float64 // by chain
	Multipliers []float64
	Theta       []float64 // θ(1) first
	Bins        []int     // by chain, from 1; 0: out of range
}

// A target has an energy and a gradient that are polynomials, given by their coefficients, the constant first.
type target struct {
	Energy   []float64   // a polynomial of the first coordinate
	Gradient [][]float64 // one polynomial per coordinate
	// A change replaces the energy and each gradient element in evaluations First to Last (from 1) of Chain (from 0).
	Changes []struct {
		Chain, First, Last int
		Energy, Gradient   float64
	}
}

// of returns the target of a chain.
func (t target) of(chain int) posterior.Target {
	calls := 0
	return posterior.TargetFunc(len(t.Gradient), func(grad, x []float32) float64 {
		calls++
		for _, c := range t.Changes {
			if c.Chain == chain && c.First <= calls && calls <= c.Last {
				for i := range grad {
					grad[i] = float32(c.Gradient)
				}
				return c.Energy
			}
		}
		for i, g := range t.Gradient {
			grad[i] = float32(polynomial(g, float64(x[i])))
		}
		return polynomial(t.Energy, float64(x[0]))
	})
}

func polynomial(coefficients []float64, x float64) (sum float64) {
	for _, c := range slices.Backward(coefficients) {
		sum = float64(sum*x) + c
	}
	return sum
}

// Follow builds a sampler for each case, compares its steps with the case, and reports one result per case.
func Follow(j *verify.Judge, cases []Case, build func(sgmcmc.LangevinOptions, sgmcmc.Setup) (posterior.Sampler, error)) {
	for _, c := range cases {
		j.Together(c.Name, func() { c.follow(j, build) })
	}
}

func (c *Case) follow(j *verify.Judge, build func(sgmcmc.LangevinOptions, sgmcmc.Setup) (posterior.Sampler, error)) {
	u := sgmcmc.Setup{Chains: len(c.Start), Dim: len(c.Start[0]), Theta: c.Theta, Stream: j.Rand(c.Name)}
	var chains []posterior.Chain
	for p, start := range c.Start {
		u.Noise = append(u.Noise, &script{chain: p, lines: c.Noise})
		x := lists.Each(start, func(v float64) float32 { return float32(v) })
		chains = append(chains, posterior.NewChain(c.Target.of(p), x))
	}
	o := sgmcmc.Plain(0, 0)
	verify.Must(json.Unmarshal(c.Options, &o))
	sampler := verify.Value(build(o, u))
	for range c.Unjudged {
		verify.Must(sampler.Step(chains))
	}
	for k, want := range c.After {
		step := c.Unjudged + k + 1
		verify.Must(sampler.Step(chains))
		for p, x := range want.X {
			for i, v := range x {
				j.Near(fmt.Sprintf("x%d of chain %d after step %d", i+1, p+1, step), float64(chains[p].X[i]), v, c.Tolerance)
			}
		}
		for p, m := range want.Multipliers {
			j.Near(fmt.Sprintf("multiplier of chain %d at step %d", p+1, step), chains[p].Multiplier, m, min(c.Tolerance, 1e-9))
		}
		if want.Theta == nil && want.Bins == nil {
			continue
		}
		theta, bins := Histogram(sampler)
		for i, v := range want.Theta {
			j.Near(fmt.Sprintf("θ(%d) after step %d", i+1, step), theta[i], v, min(c.Tolerance, 1e-10))
		}
		if want.Bins != nil {
			j.Promise(fmt.Sprintf("bins at step %d", step), slices.Equal(bins, want.Bins), "%v, want %v", bins, want.Bins)
		}
	}
}

// Histogram returns θ and the bins of a sampler with a contour. It ends the check with a failure if there is none.
func Histogram(s posterior.Sampler) (theta []float64, bins []int) {
	h, ok := s.(posterior.Histogrammer)
	if !ok {
		verify.Failf("a contour is claimed, but %T is no posterior.Histogrammer", s)
	}
	theta, bins = h.Histogram()
	if theta == nil {
		verify.Failf("a contour is claimed, but Histogram of %T has no θ", s)
	}
	return theta, bins
}

// A script is a source of normals that returns the given vectors, one per call, and then zeros.
type script struct {
	chain int
	lines [][][]float64 // by step, then by chain
}

func (s *script) Normals(dst []float32) {
	clear(dst)
	if len(s.lines) > 0 {
		for i, v := range s.lines[0][s.chain] {
			dst[i] = float32(v)
		}
		s.lines = s.lines[1:]
	}
}
