package sgmcmc

import (
	"cmp"

	"banditsim/bandit/stream"
	"banditsim/internal/check"
	"banditsim/posterior"
)

// A Method declares a sampler with options of type O: how it is built and what it claims to sample. neural.Over turns
// it into a posterior over a network, and package banditsim/lab/claims checks the claims. Both call New.
//
// encoding/json must encode and decode O without loss. O and neural.NetworkOptions must have no field name in common.
type Method[O any] struct {
	Name, Doc string
	// Defaults returns the options for the network of the paper's mushroom experiment. Each call returns new slices.
	Defaults func() O
	// Small returns o with step sizes for the small network with which posteriors are checked. That network is trained by
	// SmallSteps steps in a round, on batches of SmallBatch rows. Small is nil if the defaults suit it.
	Small func(o O) O
	// New validates the options and returns the sampler before its first step.
	New func(o O, u Setup) (posterior.Sampler, error)
	// Checked returns the options with which a check runs the sampler. The argument has the check's ε, decay of ε, and τ.
	// Its preconditioner is off unless Claims.Preconditioner is true, and its contour is off unless Claims.Contour is.
	Checked func(LangevinOptions) O
	Claims  Claims
}

// Numbers of the small network of Method.Small: gradient steps in a round, and rows in a batch.
const (
	SmallSteps = 8
	SmallBatch = 32
)

// A Setup describes the chains that a sampler is built for.
type Setup struct {
	Chains, Dim int
	// Noise has one source of normals per chain. Chains may share a source unless they are moved in parallel.
	Noise    []posterior.Normals
	Stream   *stream.Stream // all other randomness descends from it
	Parallel posterior.Parallel
	// ReduceEnergy(n) gives energies a control variate, computed anew every n steps; nil if the targets cannot have one.
	ReduceEnergy func(refresh int)
	V            []float32 // initial V of the preconditioner (see Langevin), the same for each chain; nil for the default
	Theta        []float64 // initial θ of the contour; nil for the default
}

// Claims are what a sampler promises beyond posterior.Sampler. Every claim adds checks.
type Claims struct {
	Density         bool // as ε → 0 the chains sample the density exp(−U/τ), for any τ > 0
	Exact           bool // the chains sample that density at any ε, if energy and gradient have no noise
	Thermostat      bool // as ε → 0 the chains sample that density even if the noise of the gradient grows as 1/√ε
	ZeroTemperature bool // τ = 0 is allowed, and then no noise is drawn
	// Variance is the stationary variance on U = kx²/2 with gradient noise of variance v, in closed form. The step must
	// commute with rotations, so that Variance holds along each axis of any quadratic. If Variance is nil, the check of
	// Density extrapolates the measured variance to ε = 0 and compares it with τ/k.
	Variance func(k, v, eps, temperature float64) float64
	// Autocorrelation is the autocorrelation on U = kx²/2 after lag steps; nil if it is not claimed.
	Autocorrelation func(k, eps float64, lag int) float64
	// MomentumVariance is the stationary variance of the momentum that Momentum() [][]float32 returns; nil without one.
	MomentumVariance func(k, v, eps, temperature float64) float64
	// Memory is the number of steps after which a chain on U = kx²/2 has a correlation of 1/e with its start.
	Memory func(k, eps float64) float64
	// FineRate is a step ε at which, with U = x²/2 and temperature 1, the variance of x is within 0.5 % of its limit
	// for ε → 0. The checks extrapolate from steps up to four times as long.
	FineRate float64
	// Period is that of the sampler's schedule, in steps; 1 without one. Density claims hold on average over a period.
	Period int
	// Chains is the number of chains needed; 0: any. Density claims ignore chains of weight 0 (posterior.Weigher).
	Chains int
	// Coupled: coordinates interact even if energy is a sum over them. Checks then run many samplers in few dimensions.
	Coupled        bool
	Extra          int  // evaluations of a target in a step, not counting the first
	Particles      bool // the chains are particles of a method without noise, which together approximate the density
	Bounded        bool // moves out of a posterior.Bounded target are rejected, so that a flat energy gives a flat density
	Decay          bool // StartRound multiplies ε by the decay, and the noise follows the new ε
	Preconditioner bool // the sampler has the preconditioner of Langevin, and starts from Setup.V
	// Contour: the sampler has a contour of kind "paper", whose initial θ is Setup.Theta. The checks read θ by
	// posterior.Histogrammer and the weights by posterior.Weigher.
	Contour bool
}

// A Subject is a Method as checks of its claims use it: New takes a check's options instead of the method's own.
type Subject struct {
	Name, Doc string
	Claims    Claims
	New       func(o LangevinOptions, u Setup) (posterior.Sampler, error)
}

// Subject returns the method as the subject of checks, or an error if a part is missing or the claims are not valid.
func (m Method[O]) Subject() (Subject, error) {
	build := func(o LangevinOptions, u Setup) (posterior.Sampler, error) { return m.New(m.Checked(o), u) }
	return Subject{m.Name, m.Doc, m.Claims, build}, cmp.Or(
		check.That(m.New != nil, "sgmcmc: a sampler without New"),
		check.That(m.Defaults != nil, "sgmcmc: a sampler without Defaults"),
		check.That(m.Checked != nil, "sgmcmc: a sampler without Checked: the options of the checks"),
		m.Claims.Validate(),
	)
}

// Validate returns an error if the claims lack what their checks need, or contradict each other.
func (c *Claims) Validate() error {
	markov := !c.Particles && (c.Density || c.ZeroTemperature)
	return cmp.Or(
		check.That(c.Period >= 1, "sgmcmc: Period is %d, want at least 1, the period of a sampler without a schedule", c.Period),
		check.That(c.Chains >= 0, "sgmcmc: Chains is %d, want 0 (any) or a number", c.Chains),
		check.That(!markov || c.Memory != nil, "sgmcmc: Memory is nil: it must return in how many steps a chain forgets its start"),
		check.That(c.Memory == nil || check.NotNegative("", c.Memory(1, 0.01)) == nil, "sgmcmc: Memory(1, 0.01) is not a number of steps"),
		check.That(c.Variance == nil || check.Positive("", c.Variance(1, 0.1, 0.01, 1)) == nil, "sgmcmc: Variance(1, 0.1, 0.01, 1) is not a number above 0"),
		check.That(!c.Density || c.FineRate > 0, "sgmcmc: FineRate is %g, want a step above 0", c.FineRate),
		check.That(!c.ZeroTemperature || c.Density || c.Variance != nil, "sgmcmc: Variance is nil: a sampler without a density has no limit to be compared with"),
		check.That(!c.Coupled || c.Chains > 0, "sgmcmc: Chains is 0: a coupled sampler needs a number of chains"),
		check.That(!c.Particles || !c.Contour, "sgmcmc: particles with a contour"),
	)
}
