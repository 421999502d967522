package synthetic

import (
	"math"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/datasets"
	"banditsim/internal/check"
	"banditsim/internal/state"
)

// Scores are the options of the scores from which an environment computes the arms' means. Scores are
// standard normal and independent of each other and of those of other pulls:
//
//	disjoint  z_a = θ_aᵀx with a context x ~ N(0, I) and orthonormal θ_a
//	shared    z_a = θᵀx_a with features x_a ~ N(0, I) of each arm in each pull and ‖θ‖ = 1
//
// With shared parameters the context is the constant 1.
type Scores struct {
	Arms int `json:"arms"` // 2 to 1000
	Dim  int `json:"dim"`  // length of the context, or with shared parameters of the features of an arm: 1 to 10,000
	// Parameters of each arm over the context (disjoint), or of all arms over their features (shared).
	Parameters string `json:"parameters" enum:"disjoint,shared"`
}

func (s Scores) validate() error {
	err := check.First(
		check.Within("arms", s.Arms, 2, 1000),
		check.Within("dim", s.Dim, 1, 10_000),
		check.OneOf("parameters", s.Parameters, "disjoint", "shared"),
		check.Within("arms·dim", s.Arms*s.Dim, 2, 1e6))
	if err == nil && s.Parameters == "disjoint" { // orthonormal
		err = check.Within("arms with disjoint parameters", s.Arms, 2, s.Dim)
	}
	return err
}

func (s Scores) vectors() int {
	if s.Parameters == "shared" {
		return 1
	}
	return s.Arms
}

// A scoreModel is what the environments of one experiment share.
type scoreModel struct {
	Scores
	support       int // elements of a parameter vector that are not zero
	drift         Drift
	uniformRegret func() float64
	mean          func(score float64) float64
	reward        func(r *stream.Stream, reward, mean []float64, buffer []float32)
}

// uniformRegret returns the regret of acting uniformly if the mean of an arm is g(z) with an increasing
// g of derivative dg: with F the distribution function of z, between low and high, the best of k arms has
// Fᵏ, and E g(max z) − E g(z) = ∫ (F − Fᵏ)·dg dz.
func uniformRegret(k int, low, high float64, cdf, dg func(z float64) float64) float64 {
	return integrate(low, high, func(z float64) float64 {
		p := cdf(z)
		return (p - math.Pow(p, float64(k))) * dg(z)
	})
}

// world returns the world of the model, unless there are errors of other options.
func (m scoreModel) world(errs ...error) (*datasets.World, error) {
	if err := check.First(m.Scores.validate(), check.First(errs...), m.drift.validate()); err != nil {
		return nil, err
	}
	regret := m.uniformRegret()
	return &datasets.World{New: func(r *stream.Stream) (bandit.Environment, error) {
		e := &scored{scoreModel: m, regret: regret, stream: r, buffer: make([]float32, m.Arms)}
		e.parameters = newFrame(m.vectors(), m.Dim, m.support, m.drift, r)
		return e, nil
	}}, nil
}

type scored struct {
	scoreModel
	regret     float64
	stream     *stream.Stream
	parameters *frame
	buffer     []float32
}

var _ bandit.Environment = (*scored)(nil)

func (e *scored) Spec() bandit.Spec {
	names := armNames(e.Arms)
	s := bandit.Spec{Dim: e.Dim, Arms: names, IgnoresActions: true, UniformRegret: e.regret}
	s.ConstantArm = &bandit.ConstantArm{Arm: names[0], Regret: e.regret} // scores have one distribution: no arm is better
	if e.Parameters == "shared" {
		s.Dim, s.ArmDim = 1, e.Dim
	}
	return s
}

func (e *scored) Next(r *bandit.Round, o *bandit.Outcome) error {
	e.parameters.advance()
	r.Row = -1
	if e.Parameters == "shared" {
		r.Context[0] = 1
	} else {
		e.stream.Normals(r.Context)
	}
	for a := range e.Arms {
		theta, x := e.parameters.vector(0), r.Context
		if e.Parameters == "shared" {
			x = r.Arms[a]
			e.stream.Normals(x)
		} else {
			theta = e.parameters.vector(a)
		}
		z := 0.0
		for i, v := range x {
			z += float64(theta[i] * float64(v))
		}
		o.Mean[a] = e.mean(z)
	}
	e.reward(e.stream, o.Reward, o.Mean, e.buffer)
	return nil
}

func (e *scored) MarshalBinary() ([]byte, error) { return state.Save(e.state) }
func (e *scored) UnmarshalBinary(b []byte) error { return state.Restore(b, e.state) }

func (e *scored) state(c *state.Codec) {
	c.Object(e.stream)
	e.parameters.state(c)
}
