package claims

import (
	"errors"
	"fmt"

	"banditsim/bandit/stream"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
	"banditsim/posterior/verify"
)

// A Sampler is a sampler that can be built, with what it claims. The suite holds
// it to its claims and to what posterior.Sampler promises of every sampler.
type Sampler struct {
	Name, Doc string
	New       func(Setup) (posterior.Sampler, error)
	Claims    Claims
}

var _ verify.Subject = Sampler{}

// A Setup is what a sampler is built for. A sampler takes from it what it has:
// one that does not claim a preconditioner or a contour meets them switched off.
type Setup struct {
	Chains, Dim  int
	LearningRate float64 // ε
	Decay        float64 // factor of ε at StartRound
	Temperature  float64 // τ
	// Noise is a source of normals for each chain. Unless the chains of a step
	// are run side by side, some may be the same.
	Noise    []posterior.Normals
	Stream   *stream.Stream // any other randomness descends from it
	Parallel posterior.Parallel

	Preconditioner sgmcmc.PreconditionerOptions
	V              []float32 // if not nil: every chain's V at the start; at Alpha 0 it stays
	Contour        sgmcmc.ContourOptions
	Theta          []float64 // if not nil: the contour's θ at the start
}

// Claims are what a sampler promises beyond posterior.Sampler. Every claim adds
// checks; a claim that is left out takes them away.
type Claims struct {
	// Density: as ε → 0 the chains sample exp(−U/τ), τ > 0.
	Density bool
	// ZeroTemperature: τ = 0 is allowed, and then no noise is drawn.
	ZeroTemperature bool
	// Variance is the stationary variance on U = kx²/2 with gradient noise of variance v,
	// in closed form. The step is taken to turn with the coordinates, so that on a
	// quadratic of any shape the variance along each axis is this. Without it samplers of a
	// Density are held to the limit ε → 0 by extrapolation.
	Variance func(k, v, eps, temperature float64) float64
	// Autocorrelation on U = kx²/2 after lag steps; nil: not claimed.
	Autocorrelation func(k, eps float64, lag int) float64
	// MomentumVariance is Variance of the momentum, for samplers with a method
	// Momentum() [][]float32; nil: there is none.
	MomentumVariance func(k, v, eps, temperature float64) float64
	// Memory is the number of steps in which a chain on U = kx²/2 forgets all but
	// 1/e of where it was.
	Memory func(k, eps float64) float64
	// FineRate is a step ε at which the variance of U = x²/2 is within 0.5 % of its
	// limit, τ = 1. Steps four times as long must still be good enough to extrapolate.
	FineRate float64
	// Period is the number of steps after which the sampler's schedule starts anew;
	// 1 if it has none. What is claimed of the density holds on average over it.
	Period int
	// Chains is the number of chains that the sampler needs; 0: any. Those count that
	// posterior.Weigher gives weight.
	Chains int
	// Coupled: coordinates of a vector influence each other even where the energy
	// is a sum over them, so that a long vector is not many short ones.
	Coupled bool
	// Particles: the chains are particles of a method without noise, which together
	// approximate the density.
	Particles bool
	// Bounded: moves out of a posterior.Bounded target are refused, such that flat
	// energies give a flat density.
	Bounded bool
	// Decay: StartRound multiplies ε, and the noise goes with it.
	Decay bool
	// Preconditioner: the diagonal RMSProp preconditioner of Setup.
	Preconditioner bool
	// Contour: the energy histogram of Setup, of profile 'paper', seen through
	// posterior.Histogrammer and posterior.Weigher.
	Contour bool
	// Steps are steps worked out by hand.
	Steps []HandCase
}

// A judge has methods for several numbers of one kind.
type judge struct{ *verify.Judge }

// pick returns quick or long, by the grade.
func pick[T any](j *judge, quick, long T) T {
	if j.Long() {
		return long
	}
	return quick
}

// Checks returns the checks that apply to what the sampler claims.
func (s Sampler) Checks() []verify.Check {
	var list []verify.Check
	add := func(applies bool, name, proves string, run func(j *judge, s Sampler) error) {
		if applies {
			list = append(list, verify.Check{Name: name, Proves: proves, Do: func(j *verify.Judge) error { return run(&judge{j}, s) }})
		}
	}
	if err := s.Validate(); err != nil {
		add(true, "claims", "the claims have what their checks need", func(*judge, Sampler) error { return err })
		return list
	}
	c := &s.Claims
	add(len(c.Steps) > 0, "hand-computed steps", "single steps with given noise come out as worked out by hand", checkHand)
	add(true, "same bits", "the same noise gives the same bits, other noise others, side by side too", checkBits)
	add(true, "save and restore", "a restored sampler goes on bit for bit", checkRestore)
	add(true, "hostile energies", "an energy that is not a number ends the run with a clear error; an infinite one does no harm", checkHostile)
	add(c.Decay, "decaying rate", "noise and drift follow the decayed learning rate", checkDecay)
	add(c.Bounded, "bounded target", "moves out of a bounded target are refused, and the density inside stays right", checkBounded)
	add(!c.Particles && (c.Density || c.ZeroTemperature), "variance", "mean, variance and correlation on a Gaussian, at the step's own size (O1, O3, O4)", checkVariance)
	add(c.Preconditioner && c.Density, "fixed preconditioner", "covariance under a frozen V, and one step from rest (O2)", checkPreconditioner)
	add(c.Preconditioner && !c.Coupled, "moving preconditioner", "V under a constant gradient (O9); the bias of a moving V", checkMoving)
	add(!c.Particles && c.Density, "linear regression", "mean and covariance of a network's parameters, in closed form", checkRegression)
	add(!c.Particles && c.Density, "Stein discrepancy", "the chains' law on two humps cannot be told from exact draws", checkStein)
	add(c.Particles, "particles", "particles represent the density better than as many exact draws", checkParticles)
	add(c.Contour, "energy bins", "every energy falls in its bin, on the edges too", checkBins)
	add(c.Contour, "multiplier and weights", "both follow from the new θ, by formula (O8)", checkMultiplier)
	add(c.Contour, "sum of θ", "θ stays a distribution over 10⁶ updates, and positive (O10)", checkTheta)
	add(c.Contour, "degenerate contour", "contours that can do nothing do nothing, bit for bit (O7)", checkDegenerate)
	add(c.Contour, "frozen contour", "at a fixed θ the chains' law is the flattened one, and weights Ψ^ζ undo it (O6)", checkFrozen)
	add(c.Contour, "equilibrium", "left alone, θ stays at its fixed point and all bins are visited alike (O5, O6)", checkEquilibrium)
	add(!c.Particles && c.Density, "mixing", "effective sample size and split-R̂: diagnostics, not proof", noteMixing)
	return list
}

// off are the parts of a setup that a sampler may not have, switched off.
func off(s Setup) Setup {
	s.Preconditioner = sgmcmc.PreconditionerOptions{Kind: "off", Alpha: 0, Rho: 1e-3, Scale: 1}
	s.Contour = sgmcmc.ContourOptions{Kind: "off"}
	return s
}

// setup returns the setup of a sampler of one step size for a density: parts that
// it claims are on, but do nothing (V = 1 frozen at G = 1, ζ = 0).
func (s Sampler) setup(eps, temperature float64, chains, dim int) Setup {
	u := off(Setup{Chains: chains, Dim: dim, LearningRate: eps, Decay: 1, Temperature: temperature})
	if s.Claims.Preconditioner {
		u.Preconditioner.Kind = "rmsprop"
		u.V = filled(dim, frozenV(1, u.Preconditioner.Rho))
	}
	if s.Claims.Contour {
		u.Contour = sgmcmc.ContourOptions{
			Kind: "paper", Bins: 10, Start: 0, Width: 1, Zeta: 0, Omega: 0.1, Overflow: "skip", Field: "theta",
			Difference: "backward", Energy: "batch", EnergyRefresh: 1, Weights: "theta", WeightRegularizer: 1e-3,
		}
	}
	return u
}

// frozenV returns the V at which G = 1/(ρ + √V) has a value.
func frozenV(g, rho float64) float32 { return float32((1/g - rho) * (1/g - rho)) }

func filled(n int, v float32) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = v
	}
	return x
}

// Validate returns an error where the claims lack what their checks need, or
// contradict each other.
func (s Sampler) Validate() error {
	c := &s.Claims
	markov := !c.Particles && (c.Density || c.ZeroTemperature)
	switch {
	case s.New == nil:
		return errors.New("posteriortest: a sampler without New")
	case c.Period < 1:
		return fmt.Errorf("posteriortest: Period is %d, want at least 1, the period of a sampler without a schedule", c.Period)
	case c.Chains < 0:
		return fmt.Errorf("posteriortest: Chains is %d, want 0 (any) or a number", c.Chains)
	case markov && c.Memory == nil:
		return errors.New("posteriortest: Memory is nil: say in how many steps a chain forgets where it was")
	case c.Density && !(c.FineRate > 0):
		return fmt.Errorf("posteriortest: FineRate is %g, want a step above 0", c.FineRate)
	case c.ZeroTemperature && !c.Density && c.Variance == nil:
		return errors.New("posteriortest: Variance is nil: a sampler without a density has no limit to be held to")
	case c.Coupled && c.Chains == 0:
		return errors.New("posteriortest: Chains is 0: a coupled sampler needs a number of chains")
	case c.Particles && c.Contour:
		return errors.New("posteriortest: particles with a contour")
	}
	return nil
}
