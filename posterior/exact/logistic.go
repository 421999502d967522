package exact

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"banditsim/internal/check"
	"banditsim/internal/ridge"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// LogisticOptions are the options of Logistic.
type LogisticOptions struct {
	Lambda    float64 `json:"lambda"`    // precision of a weight before any reward, λ, above 0
	Spread    float64 `json:"spread"`    // factor on the posterior's standard deviations; 1 is Thompson sampling
	Intercept bool    `json:"intercept"` // whether the context gets a constant 1 as a last number
	// Which rewards an arm can give; not gaussian, for which there is Linear.
	Likelihood Likelihood `json:"likelihood,omitzero"`
	// OwnScale scales rewards by the lowest and highest reward of all arms, so an arm whose rewards are all equal may give
	// other rewards. It excludes a likelihood.
	OwnScale bool `json:"own_scale,omitzero"`
}

// Logistic is Bayesian logistic regression, one for each arm, by an online Laplace approximation with independent
// weights (Chapelle and Li, NIPS 2011, algorithm 3, with batches of one reward). With x the context, and m and 1/q the
// means and variances of the weights, the update for a reward y in [0, 1] is
//
//	m ← argmin_w ½Σ qᵢ(wᵢ−mᵢ)² − y·ln σ(w·x) − (1−y)·ln(1−σ(w·x))
//	qᵢ ← qᵢ + xᵢ²·σ(m·x)(1−σ(m·x)),  σ(f) = 1/(1+e^(−f))
//
// The exact minimum is m + s·x/q, with the s that solves s = y − σ(m·x + s·Σxᵢ²/qᵢ). Rewards are scaled to [0, 1] by
// the arm's lowest and highest reward so far. Whenever this range grows, the arm relearns all its rewards, which are
// kept. An arm whose rewards are all equal is predicted to give that reward again. Before an arm's first reward, the
// prediction has mean 0 and the option spread as standard deviation, unless the likelihood lists values or, with
// own_scale, another arm has a reward. With a likelihood an arm can have several such regressions (docs/algorithms.md).
//
// A reward and a prediction cost O(d). Update does nothing.
func Logistic() posterior.Kind[LogisticOptions] {
	return posterior.Kind[LogisticOptions]{
		Name: "Logistic", Doc: "Bayesian logistic regression, online Laplace approximation",
		Defaults: func() LogisticOptions { return LogisticOptions{Lambda: 1, Spread: 1, Intercept: true} },
		New:      LogisticOptions.build,
		Claims:   posterior.Claims{Rounds: 1, Spread: true},
	}
}

func (o LogisticOptions) build(setup posterior.Setup) (posterior.Posterior, error) {
	if err := cmp.Or(check.Positive("lambda", o.Lambda), check.NotNegative("spread", o.Spread), o.Likelihood.validate(false, "the posterior Linear"), o.Likelihood.sharedRange(o.OwnScale)); err != nil {
		return nil, fmt.Errorf("exact: logistic: %w", err)
	}
	l, d := &logistic{}, ridge.Dim(setup.Dim, o.Intercept)
	l.armModels = newArmModels(setup, o.OwnScale, func(c []float32) { l.x.Set(c, o.Intercept) }, armModel{
		likelihood: o.Likelihood, spread: o.Spread, unit: o.Spread,
		fresh: func(h *history) latent {
			m, q := make([]float64, d), slices.Repeat([]float64{o.Lambda}, d)
			return &classifier{history: h, x: &l.x, intercept: o.Intercept, m: m, q: q}
		},
	})
	l.base = newBase(setup, l, l.state, l.learn)
	return l, nil
}

// logistic is the posterior that Logistic declares.
type logistic struct {
	armModels
	x ridge.Vector // the current context
}

// state saves or restores the rewards and the stream. The weights are computed anew from the rewards.
func (l *logistic) state(c *state.Codec) {
	c.Object(l.rand)
	if l.armModels.state(c); c.Reading() {
		for _, m := range l.models {
			m.relearn()
		}
	}
}

// A classifier is the posterior of log-odds that are a linear function of the context.
type classifier struct {
	*history
	x         *ridge.Vector // the current context
	intercept bool
	m, q      []float64 // means and precisions of the weights
}

// learn updates the weights by one reward.
func (c *classifier) learn(row int, y float64) {
	x := c.x
	x.Set(c.row(row), c.intercept)
	logit, variance := c.at()
	// s (see Logistic) is the root of the increasing function g(s) = s − y + σ(logit + variance·s). It is between y−1 and
	// y, and is found by Newton's method, with bisection where a step would leave the interval known to hold the root.
	low, high, s := y-1, y, 0.0
	for range 100 {
		p := sigmoid(logit + float64(variance*s))
		g := s - y + p
		if g > 0 {
			high = s
		} else {
			low = s
		}
		next := s - g/(1+float64(variance*float64(p*(1-p))))
		if !(next > low && next < high) {
			next = low + (high-low)/2
		}
		if math.Abs(next-s) < 1e-15 {
			break
		}
		s = next
	}
	for k, i := range x.Index {
		c.m[i] += float64(s*x.Value[k]) / c.q[i]
	}
	p := sigmoid(x.Dot(c.m))
	for k, i := range x.Index {
		c.q[i] += float64(float64(x.Value[k]*x.Value[k]) * float64(p*(1-p)))
	}
}

// at returns the mean and the variance of w·x.
func (c *classifier) at() (mean, variance float64) {
	for k, i := range c.x.Index {
		v := c.x.Value[k]
		mean += float64(c.m[i] * v)
		variance += float64(v*v) / c.q[i]
	}
	return mean, variance
}

// joint implements latent. The covariance of f(x) and f(x') is Σ xᵢx'ᵢ/qᵢ.
func (c *classifier) joint(draws *ridge.Joint, contexts [][]float32) (means []float64) {
	xs, scaled := make([]ridge.Vector, len(contexts)), make([]float64, len(c.q))
	draws.Begin(len(contexts))
	for i := range xs {
		x := &xs[i]
		x.Set(contexts[i], c.intercept)
		clear(scaled)
		for k, at := range x.Index {
			scaled[at] = x.Value[k] / c.q[at]
		}
		for j := range i + 1 {
			draws.Set(i, j, xs[j].Dot(scaled))
		}
		means = append(means, x.Dot(c.m))
	}
	return means
}

// state does nothing: logistic.state computes the weights from the rewards.
func (c *classifier) state(*state.Codec) {}
