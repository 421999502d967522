package exact

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"banditsim/internal/check"
	"banditsim/internal/lists"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// GPOptions are the options of GP.
type GPOptions struct {
	LengthScale float64 `json:"length_scale"` // distance between contexts over which log-odds change, ℓ
	PriorSD     float64 `json:"prior_sd"`     // standard deviation of the log-odds, s
	PriorMean   float64 `json:"prior_mean"`   // mean of the log-odds; above 0 is optimistic
	Spread      float64 `json:"spread"`       // factor on the posterior's standard deviations in draws; 1 is Thompson sampling
	Novelty     float64 `json:"novelty"`      // share of prior variance that must remain, given the basis, for a context to join it
	Basis       int     `json:"basis"`        // maximum number of contexts in the basis
	// Which rewards an arm can give. Gaussian: prior_sd and prior_mean are in units of reward; two-valued and
	// categorical: prior_sd is at most 10, prior_mean from -100 to 100.
	Likelihood Likelihood `json:"likelihood,omitzero"`
	// OwnScale scales rewards by the lowest and highest reward of all arms, so an arm whose rewards are all equal may give
	// other rewards. It measures length_scale in units of the root mean square distance of two contexts. It excludes a
	// likelihood.
	OwnScale bool `json:"own_scale,omitzero"`
	// Standardize, with own_scale, divides each column with numbers other than 0 and 1 by its standard deviation so far.
	Standardize bool `json:"standardize,omitzero"`
}

// GP is a posterior without a network: per arm a sparse online Gaussian process (Csató and Opper, Neural Computation
// 14, 2002) of the log-odds f that place the mean reward between the arm's lowest and highest reward so far:
//
//	E[reward | c] = low + (high − low)·σ(f(c)),  f ~ GP(mean, s²·exp(−‖c − c'‖²/2ℓ²))
//
// An arm whose rewards have all been equal is predicted to give that reward again. Whenever the range of an arm's
// rewards grows, f learns again from all of them. With a gaussian likelihood, f is the mean reward instead. With a
// discrete likelihood, an arm has several functions f, the log-odds of its values; docs/algorithms.md has the steps.
//
// A reward and a prediction cost O(basis²) per function of the arm. Update does nothing.
func GP() posterior.Kind[GPOptions] {
	return posterior.Kind[GPOptions]{
		Name: "GP", Doc: "sparse online Gaussian process of the log-odds of a high reward, an arm each",
		Defaults: func() GPOptions {
			return GPOptions{LengthScale: 4, PriorSD: 4, PriorMean: 0, Spread: 1, Novelty: 1e-3, Basis: 1000}
		},
		New:    GPOptions.build,
		Claims: posterior.Claims{Rounds: 150, Spread: true},
	}
}

// maxBasis bounds the option basis: memory and time per arm grow with its square.
const maxBasis = 10_000

func (o GPOptions) build(setup posterior.Setup) (posterior.Posterior, error) {
	if err := cmp.Or(
		check.Positive("length_scale", o.LengthScale), check.Positive("prior_sd", o.PriorSD),
		check.Finite("prior_mean", o.PriorMean), check.NotNegative("spread", o.Spread),
		check.Within("basis", o.Basis, 1, maxBasis), o.Likelihood.validate(true, ""), o.Likelihood.sharedRange(o.OwnScale),
		check.That(!o.Likelihood.discrete() || o.PriorSD <= maxLogOddsSD && math.Abs(o.PriorMean) <= maxLogOdds,
			"prior_sd, prior_mean: %g and %g, want at most %d and from -%[4]d to %[4]d for the log-odds of likelihood.kind %s",
			o.PriorSD, o.PriorMean, maxLogOddsSD, maxLogOdds, o.Likelihood.Kind),
		// with the novelty 0, the kernel matrix of the basis could become singular
		check.That(o.Novelty > 0 && o.Novelty < 1, "novelty: %g, want above 0 and below 1", o.Novelty),
	); err != nil {
		return nil, fmt.Errorf("exact: %w", err)
	}
	site := quasiSite
	switch {
	case o.Likelihood.Kind == gaussian:
		site = gaussianSite(o.Likelihood.Noise)
	case o.Likelihood.discrete():
		site = bernoulliSite
	}
	g := &gp{unit: 1, columns: newColumns(setup.Dim, o.OwnScale && o.Standardize)}
	g.armModels = newArmModels(setup, o.OwnScale, func(c []float32) { g.now = g.columns.scale(c) }, armModel{
		likelihood: o.Likelihood, spread: o.Spread, unit: 1,
		fresh: func(h *history) latent {
			scaled := o
			scaled.LengthScale *= g.unit
			return &process{history: h, now: &g.now, o: scaled, site: site}
		},
	})
	g.base = newBase(setup, g, g.state, g.learn)
	return g, nil
}

// gp is the posterior that GP declares. If rewards are not gaussian, an arm's value has mean 0 and standard deviation 1
// while no value of its rewards is known.
type gp struct {
	armModels
	now     []float32 // the current context
	columns columns   // with own_scale
	unit    float64   // unit of the length scale: 1 or, with own_scale, the last result of columns.distance
}

// learn updates the arm's functions. With own_scale, whenever the number of contexts has doubled, it updates the
// factors of columns and the unit of length scales, and all arms learn again.
func (g *gp) learn(context []float32, arm int, reward float64) error {
	scaled := g.columns.scale(context)
	if err := check.Row(scaled, g.dim, arm, g.arms, reward); err != nil { // its numbers may be too large now
		return err
	}
	if err := g.armModels.learn(scaled, arm, reward); err != nil || !g.own {
		return err
	}
	ratio := g.columns.add(context)
	if ratio == nil {
		return nil
	}
	g.unit = g.columns.distance()
	for _, m := range g.models {
		m.rescale(ratio)
		m.relearn()
	}
	return nil
}

// DrawSamples scales the contexts and calls armModels.DrawSamples.
func (g *gp) DrawSamples(dst []float64, contexts [][]float32) error {
	scaled := lists.Each(contexts, func(c []float32) []float32 { return slices.Clone(g.columns.scale(c)) })
	return g.armModels.DrawSamples(dst, scaled)
}

func (g *gp) state(c *state.Codec) {
	c.Object(g.rand)
	if g.own {
		g.columns.state(c)
		c.Float64In("unit of length scales", &g.unit, 0, math.MaxFloat64)
		c.Float64In("contexts that it was taken from", &g.columns.used, 0, math.MaxFloat64)
	}
	g.armModels.state(c)
}
