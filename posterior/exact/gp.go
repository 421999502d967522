package exact

import (
	"context"
	"fmt"
	"math"
	"slices"

	"banditsim/bandit/stream"
	"banditsim/internal/check"
	"banditsim/internal/moments"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// GPOptions are the options of GP.
type GPOptions struct {
	LengthScale float64 `json:"length_scale"` // distance of contexts over which log-odds change, ℓ
	PriorSD     float64 `json:"prior_sd"`     // standard deviation of the log-odds, s
	PriorMean   float64 `json:"prior_mean"`   // mean of the log-odds; above 0 is optimistic
	Spread      float64 `json:"spread"`       // standard deviations of a draw, in those of the posterior; 1 is Thompson sampling
	Novelty     float64 `json:"novelty"`      // a context joins the basis if this share of its prior variance is new
	Basis       int     `json:"basis"`        // the most contexts in the basis
	// What rewards an arm can give. Gaussian: prior_sd and prior_mean are in units of reward; two-valued and
	// categorical: prior_sd is at most 10, prior_mean from -100 to 100.
	Likelihood Likelihood `json:"likelihood,omitzero"`
	// OwnScale: rewards are scaled by the lowest and the highest of all arms, so that an arm that has given one reward only is not
	// thought to give no other, and length_scale is in units of the root mean square distance of two contexts. Without a
	// likelihood.
	OwnScale bool `json:"own_scale,omitzero"`
}

// GP is a posterior without a network: for each arm a sparse online Gaussian process (Csató and
// Opper, Neural Computation 14, 2002) of the log-odds f with which a reward is nearer to the
// highest than to the lowest that the arm has given:
//
//	E[reward | c] = low + (high − low)·σ(f(c)),  f ~ GP(mean, s²·exp(−‖c − c'‖²/2ℓ²))
//
// A reward has the information of one Bernoulli trial, σ(1−σ) (the quasi-likelihood of Papke and
// Wooldridge, 1996, for rewards in between). An arm that has given one reward only is predicted
// to give it again. Whenever an arm's range grows, it learns again from all its rewards.
//
// With a likelihood, f is instead the mean of gaussian rewards, whose posterior is exact where the basis holds all
// contexts; or, of rewards with two values or a few, f_k the log-odds of one higher than the k-th value (see
// armModel), by assumed density filtering.
//
// A reward costs O(basis²), as does a prediction; for each function where an arm has several. Update does nothing.
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

// maxBasis bounds memory and time of an arm: basis² numbers.
const maxBasis = 10_000

// validate returns an error that names the first option that is out of range.
func (o *GPOptions) validate() error {
	checks := []error{
		check.Positive("length_scale", o.LengthScale),
		check.Positive("prior_sd", o.PriorSD),
		check.Finite("prior_mean", o.PriorMean),
		check.NotNegative("spread", o.Spread),
		check.Within("basis", o.Basis, 1, maxBasis),
		o.Likelihood.validate(true, ""), o.Likelihood.sharedRange(o.OwnScale),
	}
	if o.Likelihood.discrete() && !(o.PriorSD <= maxLogOddsSD && math.Abs(o.PriorMean) <= maxLogOdds) {
		checks = append(checks, fmt.Errorf("prior_sd, prior_mean: %g and %g, want at most %d and from -%[4]d to %[4]d for the log-odds of likelihood.kind %s",
			o.PriorSD, o.PriorMean, maxLogOddsSD, maxLogOdds, o.Likelihood.Kind))
	}
	if !(o.Novelty > 0 && o.Novelty < 1) { // below it the basis is singular
		checks = append(checks, fmt.Errorf("novelty: %g, want above 0 and below 1", o.Novelty))
	}
	return check.First(checks...)
}

// build validates the options and returns the posterior before any reward.
func (o GPOptions) build(setup posterior.Setup) (posterior.Posterior, error) {
	if err := o.validate(); err != nil {
		return nil, fmt.Errorf("exact: %w", err)
	}
	g := &gp{rand: setup.Stream.Child("draw"), dim: setup.Dim, unit: 1}
	if o.OwnScale {
		seen := moments.NewVectors(setup.Dim)
		g.contexts = &seen
	}
	for range setup.Arms {
		arm := &gpArm{
			history: history{dim: setup.Dim}, likelihood: o.Likelihood, values: slices.Clone(o.Likelihood.Values), spread: o.Spread, unit: 1,
			fresh: func(h *history) *process {
				scaled := o
				scaled.LengthScale *= g.unit
				return &process{history: h, o: scaled, site: o.site()}
			},
		}
		arm.clear()
		g.arms = append(g.arms, arm)
	}
	return g, nil
}

// site returns the site of a function's rewards.
func (o GPOptions) site() site {
	switch {
	case o.Likelihood.Kind == gaussian:
		return gaussianSite(o.Likelihood.Noise)
	case o.Likelihood.discrete():
		return bernoulliSite
	}
	return quasiSite
}

type gpArm = armModel[[]float32, *process]

// gp is the posterior that GP declares.
type gp struct {
	arms   []*gpArm
	rand   *stream.Stream
	dim    int
	normal [1]float32

	contexts   *moments.Vectors // nil without own_scale
	unit, used float64          // unit of length scales, and the number of contexts that it was taken from
}

var (
	_ posterior.Posterior    = (*gp)(nil)
	_ posterior.Spreader     = (*gp)(nil)
	_ posterior.SampleDrawer = (*gp)(nil)
	_ latent[[]float32]      = (*process)(nil)
)

// Observe updates the arm's functions.
func (g *gp) Observe(context []float32, arm int, reward float64) error {
	if err := checkRow(context, g.dim, arm, len(g.arms), reward); err != nil {
		return err
	}
	if g.contexts == nil {
		return g.arms[arm].observe(context, arm, reward)
	}
	g.contexts.Add(context)
	observeTogether(g.arms, context, arm, reward)
	if g.contexts.N < 2*g.used {
		return nil
	}
	g.unit, g.used = g.contexts.Distance(), g.contexts.N
	for _, a := range g.arms {
		a.again()
	}
	return nil
}

// Update does nothing.
func (g *gp) Update(ctx context.Context) error { return ctx.Err() }

// draw returns a normal number.
func (g *gp) draw() float64 {
	g.rand.Normals(g.normal[:])
	return float64(g.normal[0])
}

// Predict writes the mean rewards or, for draws, those of functions that are drawn for each
// context by itself. An arm that was never pulled has the value 0, or a standard normal, unless rewards are gaussian.
func (g *gp) Predict(dst []float64, contexts [][]float32, how posterior.Prediction) error {
	if err := how.Validate(); err != nil {
		return err
	}
	return g.each(dst, contexts, func(a *gpArm, c []float32) float64 { return a.value(c, how, g.draw) })
}

// DrawSamples writes the rewards of functions that are drawn for all contexts together.
func (g *gp) DrawSamples(dst []float64, contexts [][]float32) error {
	return drawSamples(dst, contexts, g.dim, g.arms, g.rand)
}

// Spread writes the standard deviations of the mean rewards; 1 for an arm that was never pulled, unless rewards are gaussian.
func (g *gp) Spread(dst []float64, contexts [][]float32) error {
	return g.each(dst, contexts, (*gpArm).deviation)
}

// each sets dst to f of every arm in every context.
func (g *gp) each(dst []float64, contexts [][]float32, f func(*gpArm, []float32) float64) error {
	var now []float32
	return each(dst, contexts, g.dim, g.arms, func(c []float32) { now = c }, func(a *gpArm) float64 { return f(a, now) })
}

// MarshalBinary saves the rewards and the processes.
func (g *gp) MarshalBinary() ([]byte, error) { return state.Save(g.state) }

// UnmarshalBinary restores the state that MarshalBinary saved.
func (g *gp) UnmarshalBinary(b []byte) error { return state.Restore(b, g.state) }

func (g *gp) state(c *state.Codec) {
	c.Object(g.rand)
	if g.contexts != nil {
		g.contexts.State(c)
		c.Float64In("unit of length scales", &g.unit, 0, math.MaxFloat64)
		c.Float64In("contexts that it was taken from", &g.used, 0, math.MaxFloat64)
	}
	for _, a := range g.arms {
		a.state(c)
		for _, p := range a.f {
			p.state(c)
		}
	}
	if c.Reading() && g.contexts != nil {
		shareRange(g.arms)
	}
}
