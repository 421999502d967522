package synthetic

import (
	"cmp"
	"math"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/datasets"
	"banditsim/internal/check"
	"banditsim/internal/state"
)

// Scores are the options of the score z_a of each arm a, from which an environment computes the mean of the arm. Unless
// Parameters is "normal", scores are standard normal and independent of each other and of those of other pulls:
//
//	disjoint  z_a = θ_aᵀx with a context x ~ N(0, I) and orthonormal θ_a
//	shared    z_a = θᵀx_a with features x_a ~ N(0, I) of each arm in each pull and ‖θ‖ = 1
//	normal    z_a = θ_aᵀx with a context x ~ N(0, I) and θ_a ~ N(0, I): the regret of acting uniformly depends on θ and is not known
//
// With shared parameters the context is the constant 1.
type Scores struct {
	Arms int `json:"arms"` // 2 to 1000
	Dim  int `json:"dim"`  // length of the context or, with shared parameters, of an arm's features: 1 to 10,000
	// Whether each arm's own θ_a multiplies the context (disjoint, normal) or one θ the features of all arms (shared).
	Parameters string `json:"parameters" enum:"disjoint,shared,normal"`
}

func (s Scores) validate() error {
	return cmp.Or(
		check.Within("arms", s.Arms, 2, 1000),
		check.Within("dim", s.Dim, 1, 10_000),
		check.OneOf("parameters", s.Parameters, "disjoint", "shared", "normal"),
		check.Within("arms·dim", s.Arms*s.Dim, 2, 1e6),
		check.That(s.Parameters != "disjoint" || s.Arms <= s.Dim, // orthonormal, so at most dim of them
			"arms with disjoint parameters: %d, want at most dim, %d: raise dim, or take parameters=shared", s.Arms, s.Dim))
}

// vectors returns the number of parameter vectors.
func (s Scores) vectors() int {
	if s.Parameters == "shared" {
		return 1
	}
	return s.Arms
}

// LinearOptions are the options of linear.
type LinearOptions struct {
	Scores
	Scale float64 `json:"scale"` // standard deviation of the arms' means, in units of reward: above 0
	Noise Noise   `json:"noise"`
	Drift Drift   `json:"drift,omitzero"`
}

// Linear declares linear rewards (Auer: Using confidence bounds for exploitation-exploration trade-offs, JMLR 3, 2002;
// Chu, Li, Reyzin and Schapire: Contextual bandits with linear payoff functions, AISTATS 2011): the mean of arm a is
// scale·z_a with a score z_a (Scores). The uniform regret is scale·E max(z_1 … z_K) = scale·∫ (Φ − Φᴷ) dz: 1.16296 for
// 5 arms and scale 1.
func Linear() datasets.Kind[LinearOptions] {
	return kind("linear", "means linear in the context, or in the features of the arms", func() LinearOptions {
		return LinearOptions{Scores: Scores{5, 10, "disjoint"}, Scale: 1, Noise: gaussian(0.5)}
	}, func(o LinearOptions) (*datasets.World, error) { return o.open(o.Dim) })
}

// open returns the world of linear rewards, or the first error; errs are from the caller's checks. The argument support
// is the number of nonzero elements of a parameter vector.
func (o LinearOptions) open(support int, errs ...error) (*datasets.World, error) {
	return scoreModel{
		Scores: o.Scores, support: support, drift: o.Drift, scale: o.Scale, low: -reached, cdf: normalCDF,
		slope:  func(float64) float64 { return 1 },
		mean:   func(z float64) float64 { return o.Scale * z },
		reward: o.Noise.add,
	}.world(append(errs, check.Positive("scale", o.Scale), o.Noise.validate())...)
}

// SparseLinearOptions are the options of sparse-linear.
type SparseLinearOptions struct {
	LinearOptions
	Support int `json:"support"` // number of nonzero elements of a parameter vector: 1 to dim/arms, or 1 to dim with shared parameters
}

// SparseLinear declares linear rewards whose parameters have few nonzero elements (Bastani and Bayati: Online decision
// making with high-dimensional covariates, Operations Research 68, 2020). Each trial draws which elements are not zero;
// vectors of different arms have none of these in common. Means and uniform regret are those of Linear.
func SparseLinear() datasets.Kind[SparseLinearOptions] {
	return kind("sparse-linear", "linear in a few elements of a long context", func() SparseLinearOptions {
		return SparseLinearOptions{LinearOptions{Scores: Scores{5, 100, "disjoint"}, Scale: 1, Noise: gaussian(0.5)}, 5}
	}, func(o SparseLinearOptions) (*datasets.World, error) {
		return o.open(o.Support, check.That(o.Support >= 1 && o.Support <= o.Dim && o.Support*o.vectors() <= o.Dim,
			"support: %d elements for each of %d parameter vectors, want at least 1, and in all at most dim, %d: raise dim or lower support",
			o.Support, o.vectors(), o.Dim))
	})
}

// LogisticOptions are the options of logistic.
type LogisticOptions struct {
	Scores
	Scale float64 `json:"scale"` // standard deviation of the log-odds: above 0 to 100
	Drift Drift   `json:"drift,omitzero"`
}

// Logistic declares rewards 0 and 1 (Filippi, Cappé, Garivier and Szepesvári: Parametric bandits, the generalized
// linear case, NIPS 2010): arm a pays 1 with probability σ(scale·z_a), with the logistic function σ and a score z_a
// (Scores). By symmetry E σ = ½, and uniform regret is ∫ (Φ − Φᴷ)·scale·σ′(scale·z) dz: 0.35824 for 5 arms and scale 2.
func Logistic() datasets.Kind[LogisticOptions] {
	return kind("logistic", "rewards 0 and 1, log-odds linear in the context or the features of the arms", func() LogisticOptions {
		return LogisticOptions{Scores: Scores{5, 10, "disjoint"}, Scale: 2}
	}, func(o LogisticOptions) (*datasets.World, error) {
		return scoreModel{
			Scores: o.Scores, support: o.Dim, drift: o.Drift, scale: 1, low: -reached, cdf: normalCDF,
			slope: func(z float64) float64 {
				p := logistic(o.Scale * z)
				return o.Scale * p * (1 - p)
			},
			mean:   func(z float64) float64 { return logistic(o.Scale * z) },
			reward: bernoulli,
		}.world(check.Positive("scale", o.Scale), check.That(o.Scale <= 100, "scale: %g, want above 0 to 100", o.Scale))
	})
}

// QuadraticOptions are the options of quadratic.
type QuadraticOptions struct {
	Scores
	Scale float64 `json:"scale"` // mean, over contexts, of an arm's expected reward: above 0
	Noise Noise   `json:"noise"`
	Drift Drift   `json:"drift,omitzero"`
}

// Quadratic declares quadratic rewards, after h₁ of Zhou, Li and Gu (Neural contextual bandits with UCB-based
// exploration, ICML 2020), but with normal contexts rather than contexts on a sphere: the mean of arm a is scale·z_a²
// with a score z_a (Scores). With G = 2Φ − 1, the CDF of |z|, the uniform regret is scale·∫ (G − Gᴷ)·2z dz over z ≥ 0:
// 1.77375 for 5 arms and scale 1.
func Quadratic() datasets.Kind[QuadraticOptions] {
	return kind("quadratic", "means quadratic in the context, or in the features of the arms", func() QuadraticOptions {
		return QuadraticOptions{Scores: Scores{5, 10, "disjoint"}, Scale: 1, Noise: gaussian(0.5)}
	}, func(o QuadraticOptions) (*datasets.World, error) {
		return scoreModel{
			Scores: o.Scores, support: o.Dim, drift: o.Drift, scale: o.Scale,
			cdf:    func(z float64) float64 { return 2*normalCDF(z) - 1 },
			slope:  func(z float64) float64 { return 2 * z },
			mean:   func(z float64) float64 { return o.Scale * z * z },
			reward: o.Noise.add,
		}.world(check.Positive("scale", o.Scale), o.Noise.validate())
	})
}

// A scoreModel is an environment in which the mean of an arm is a function of its score.
type scoreModel struct {
	Scores
	support int // elements of a parameter vector that are not zero
	drift   Drift
	mean    func(score float64) float64
	reward  func(r *stream.Stream, reward, mean []float64, buffer []float32)
	// scale, low, cdf and slope are for uniformRegret. The mean reward is scale·g(v), where v is the score z or |z| and g
	// increases. slope is the derivative of g, cdf the distribution function of v, and low the lower end of its range.
	scale, low float64
	cdf, slope func(v float64) float64
}

// uniformRegret returns the regret per pull of acting uniformly. If F is the distribution function of v for one arm,
// Fᴷ is that of the largest v of K arms, and E g(max v) − E g(v) = ∫ (F − Fᴷ)·slope dv. The regret is scale times this.
func (m scoreModel) uniformRegret() float64 {
	return digits(m.scale * integrate(m.low, reached, func(v float64) float64 {
		p := m.cdf(v)
		return (p - math.Pow(p, float64(m.Arms))) * m.slope(v)
	}))
}

// reached is the largest |z| in integrals: beyond it, normal scores add nothing to the first 10 digits.
const reached = 10

// world returns the world of the model, or the first error; errs are from the caller's checks.
func (m scoreModel) world(errs ...error) (*datasets.World, error) {
	if err := cmp.Or(m.Scores.validate(), cmp.Or(errs...), m.drift.validate(),
		check.That(m.Parameters != "normal" || m.drift == Drift{}, "drift: normal parameters have none: leave it out, or take parameters=disjoint")); err != nil {
		return nil, err
	}
	shared, normal := m.Parameters == "shared", m.Parameters == "normal"
	spec := bandit.Spec{Dim: m.Dim, Arms: armNames(m.Arms), IgnoresActions: true, UniformRegret: math.NaN()}
	if !normal { // all scores have the same distribution: no arm is better
		spec.UniformRegret = m.uniformRegret()
		spec.ConstantArm = &bandit.ConstantArm{Arm: spec.Arms[0], Regret: spec.UniformRegret}
	}
	if shared {
		spec.Dim, spec.ArmDim = 1, m.Dim
	}
	return simulate(func(s *stream.Stream) simulation {
		parameters, buffer := newFrame(m.vectors(), m.Dim, m.support, normal, m.drift, s), make([]float32, m.Arms)
		fields := func(c *state.Codec) {
			c.Object(s)
			parameters.state(c)
		}
		return simulation{state.Fields(fields), spec, func(r *bandit.Round, o *bandit.Outcome) {
			parameters.advance()
			r.Context[0] = 1
			if !shared {
				s.Normals(r.Context)
			}
			for a := range o.Mean {
				theta, x := parameters.vector(a%parameters.n), r.Context
				if shared {
					x = r.Arms[a]
					s.Normals(x)
				}
				z := 0.0
				for i, v := range x {
					z += float64(theta[i] * float64(v))
				}
				o.Mean[a] = m.mean(z)
			}
			m.reward(s, o.Reward, o.Mean, buffer)
		}}
	}), nil
}
