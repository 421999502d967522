// Package claims checks samplers against what they claim. It compares them with
//
//   - steps worked out by hand;
//   - closed forms at the step size in use, which detect errors that vanish in the limit of small
//     steps;
//   - a linear regression, through the code that runs the bandit;
//   - exact draws, by a kernel Stein discrepancy;
//   - for a contour: its bins, its formulas, its law at a fixed θ and its equilibrium.
package claims

import (
	"slices"

	"banditsim/bandit/stream"
	"banditsim/internal/verify"
	"banditsim/internal/worked"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// A Sampler is a subject of the checks.
type Sampler struct{ sgmcmc.Subject }

// A judge is a verify.Judge with the methods that the checks of this package share.
type judge struct{ *verify.Judge }

// byGrade returns quick in the quick grade and long in the long grade.
func byGrade[T any](j *judge, quick, long T) T {
	if j.Long() {
		return long
	}
	return quick
}

// Checks returns the checks for what the sampler claims.
func (s Sampler) Checks() []verify.Check {
	var list []verify.Check
	add := func(applies bool, name, proves string, run func(j *judge, s Sampler)) {
		if applies {
			list = append(list, verify.Check{Name: name, Proves: proves, Do: func(j *verify.Judge) { run(&judge{j}, s) }})
		}
	}
	if err := s.Claims.Validate(); err != nil {
		add(true, "claims", "the claims have what their checks need", func(*judge, Sampler) { verify.Must(err) })
		return list
	}
	c := &s.Claims
	add(len(worked.Of(s.Name)) > 0, "hand-computed steps", "single steps with given noise give the results worked out by hand", checkHand)
	add(true, "same bits", "the same noise gives the same bits, other noise others, also side by side", checkBits)
	add(true, "save and restore", "a restored sampler goes on bit for bit", checkRestore)
	add(true, "hostile energies", "NaN as an energy ends in an error that says so; an infinite energy does no harm", checkHostile)
	add(c.Decay, "decaying rate", "noise and drift follow the decayed learning rate", checkDecay)
	add(c.Bounded, "bounded target", "moves out of a bounded target are rejected, and the density inside is unchanged", checkBounded)
	add(!c.Particles && (c.Density || c.ZeroTemperature), "variance", "mean, variance and correlation on a Gaussian, at the step size in use", checkVariance)
	add(c.Preconditioner && c.Density, "fixed preconditioner", "covariance under a frozen V, and one step from rest", checkPreconditioner)
	add(c.Preconditioner && !c.Coupled, "moving preconditioner", "V under a constant gradient; the bias of a moving V", checkMoving)
	add(!c.Particles && c.Density, "linear regression", "mean and covariance of a network's parameters, in closed form", checkRegression)
	add(!c.Particles && c.Density, "Stein discrepancy", "the chains' law on two humps does not differ from that of exact draws", checkStein)
	add(c.Particles, "particles", "particles represent the density better than as many exact draws", checkParticles)
	add(c.Contour, "energy bins", "every energy falls in its bin, also on the edges", checkBins)
	add(c.Contour, "multiplier and weights", "both follow from the new θ, by formula", checkMultiplier)
	add(c.Contour, "sum of θ", "θ stays a distribution over 10⁶ updates, and positive", checkTheta)
	add(c.Contour, "degenerate contour", "contours that have no effect in theory have none, bit for bit", checkDegenerate)
	add(c.Contour, "frozen contour", "at a fixed θ the chains' law is the flattened one, and weights Ψ^ζ undo it", checkFrozen)
	add(c.Contour, "equilibrium", "θ stays at its fixed point, and all bins are visited equally", checkEquilibrium)
	add(!c.Particles && c.Density, "mixing", "effective sample size and split-R̂: diagnostics, not judged", noteMixing)
	return list
}

// A setup has both arguments of Sampler.New.
type setup struct {
	sgmcmc.LangevinOptions
	sgmcmc.Setup
}

// setup returns a setup for plain Langevin dynamics. A preconditioner or a contour that the sampler claims
// is on, but has no effect: V is frozen at the value with G = 1, and ζ = 0.
func (s Sampler) setup(eps, temperature float64, chains, dim int) setup {
	u := setup{sgmcmc.Plain(eps, temperature), sgmcmc.Setup{Chains: chains, Dim: dim}}
	if s.Claims.Preconditioner {
		u.Preconditioner = sgmcmc.PreconditionerOptions{Kind: "rmsprop", Alpha: 0, Rho: ρ, Scale: 1}
		u.V = slices.Repeat([]float32{frozenV(1)}, dim)
	}
	if s.Claims.Contour {
		u.Contour = contour(10, 0, 1, "skip")
		u.Contour.Zeta = 0
	}
	return u
}

// checkHand compares steps of the sampler with steps worked out by hand.
func checkHand(j *judge, s Sampler) { worked.Follow(j.Judge, worked.Of(s.Name), s.New) }

// A normalsFunc is a function that is a posterior.Normals.
type normalsFunc func(dst []float32)

func (f normalsFunc) Normals(dst []float32) { f(dst) }

// zeros is a source of zeros in place of normals.
var zeros = normalsFunc(func(dst []float32) { clear(dst) })

// paused returns a source whose first vector is zero; all further vectors are normals from r.
func paused(r *stream.Stream) posterior.Normals {
	next := zeros
	return normalsFunc(func(dst []float32) {
		next(dst)
		next = r.Normals
	})
}

// wide returns v repeated to n elements, a multiple of len(v), or nil if v is nil.
func wide(v []float32, n int) []float32 {
	if v == nil {
		return nil
	}
	return slices.Repeat(v, n/len(v))
}

// frozenV returns the V for which 1/(ρ + √V) is g.
func frozenV(g float64) float32 { return float32((1/g - ρ) * (1/g - ρ)) }
