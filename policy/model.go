package policy

import (
	"cmp"
	"fmt"
	"slices"

	"banditsim/bandit"
	"banditsim/internal/check"
	"banditsim/internal/flatjson"
	"banditsim/internal/leverage"
	"banditsim/internal/moments"
	"banditsim/posterior"
)

// A Model determines how a policy presents pulls to its posterior.
type Model int

const (
	// Disjoint means that the posterior has an output for each arm, and does not see features of arms.
	Disjoint Model = iota
	// Shared means that the posterior has one output, and its input describes one arm: the round's context followed by the
	// arm's features, so that it can predict an arm that was never pulled. If arms have no features, the input has a block
	// of Dim numbers for each arm: the block of the described arm holds the context, the others zeros.
	Shared
	// Auto means Shared if arms have features, else Disjoint.
	Auto
)

var models = []string{"disjoint", "shared", "auto"}

// String returns the name of the model.
func (m Model) String() string {
	if m.validate() != nil {
		return fmt.Sprintf("Model(%d)", int(m))
	}
	return models[m]
}

func (m Model) validate() error {
	return check.That(m >= Disjoint && m <= Auto, "model: %d, want Disjoint (%d), Shared (%d) or Auto (%d)", int(m),
		Disjoint, Shared, Auto)
}

// MarshalText returns the name of the model.
func (m Model) MarshalText() ([]byte, error) { return []byte(m.String()), m.validate() }

// UnmarshalText sets m to the model with the name b.
func (m *Model) UnmarshalText(b []byte) error {
	*m = Model(slices.Index(models, string(b)))
	return check.OneOf("model", string(b), models...)
}

// configured is a kind of posterior with its options. It hides their type, so that code using it is compiled only once.
type configured struct {
	name    string
	build   func(posterior.Setup) (posterior.Posterior, error)
	changed func() []string // returns the options that differ from the defaults, as key=value
}

// configure returns k with the options o. Inlining would copy it into each policy for each type of options.
//
//go:noinline
func configure[O any](k posterior.Kind[O], o O) configured {
	build, defaults := k.New, k.Defaults
	return configured{k.Name, func(s posterior.Setup) (posterior.Posterior, error) { return build(o, s) },
		func() []string { return flatjson.Changed(defaults(), o) }}
}

// Covering has the options of forced pulls. They take precedence over the policy's rule, but not over the uniform pulls
// of ε-greedy and of the option explore. docs/algorithms.md defines the leverage.
type Covering struct {
	// CoverFirst forces a pull of an arm whose leverage in the context exceeds its mean after this many random pulls. A
	// number above a tenth of the trial's pulls per arm (of all pulls in the shared model) is lowered to that; if that is
	// 0, cover_rim and cover_core are off too. It has no effect over networks, which have the option coverage. 0: off.
	CoverFirst int `json:"cover_first,omitzero"`
	// CoverRim forces pulls in the 2 % of contexts farthest from the mean until each arm has had this many there. 0: off.
	CoverRim int `json:"cover_rim,omitzero"`
	// CoverCore forces pulls in the 2 % of contexts that are nearest to the mean, as cover_rim in the farthest. 0: off.
	CoverCore int `json:"cover_core,omitzero"`
	Exploring
}

// learner builds the posterior and returns the common part of a policy over it. The argument errs has the errors of
// other options. Of several errors, learner returns the first: of errs, then of model and o, then of the posterior.
func (c configured) learner(s Setup, model Model, o Covering, errs ...error) (*learner, error) {
	if err := cmp.Or(cmp.Or(errs...), model.validate(), check.Within("cover_first", o.CoverFirst, 0, 1e9),
		check.Within("cover_rim", o.CoverRim, 0, 1e9), check.Within("cover_core", o.CoverCore, 0, 1e9)); err != nil {
		return nil, err
	}
	setup := s.Posterior()
	var j *joint
	if model == Shared || model == Auto && s.Spec.ArmDim > 0 {
		j = &joint{dim: s.Spec.Dim, armDim: s.Spec.ArmDim, arms: len(s.Spec.Arms)}
		setup.Dim, setup.Arms, setup.Groups, setup.Shape = j.length(), 1, nil, nil
	}
	p, err := c.build(setup)
	if err != nil {
		return nil, err
	}
	l := newLearner(p, len(s.Spec.Arms))
	l.joint, l.changed = j, c.changed
	if n := min(o.CoverFirst, s.Protocol.AllPulls()/(10*setup.Arms)); n > 0 || o.CoverFirst == 0 && o.CoverRim+o.CoverCore > 0 {
		l.ends = o.CoverRim+o.CoverCore > 0
		l.seen, l.coverage = moments.NewVectors(setup.Dim), leverage.New(n, setup.Dim, setup.Arms, o.CoverRim, o.CoverCore, s.Stream.Child("cover"))
	}
	return l, nil
}

// joint builds the posterior's contexts for the model Shared, one per round and arm.
type joint struct {
	dim, armDim, arms int
	rows              [][]float32 // reused by each call
}

// length returns the length of the posterior's contexts.
func (j *joint) length() int {
	if j.armDim > 0 {
		return j.dim + j.armDim
	}
	return j.dim * j.arms
}

// contexts returns the posterior's contexts for all arms in all rounds, round by round, valid until the next call.
func (j *joint) contexts(rounds []bandit.Round) [][]float32 {
	for i, r := range rounds {
		for arm := range j.arms {
			j.row(i*j.arms+arm, r, arm)
		}
	}
	return j.rows[:len(rounds)*j.arms]
}

// row sets row i of rows to the posterior's context for an arm in round r and returns the row.
func (j *joint) row(i int, r bandit.Round, arm int) []float32 {
	for len(j.rows) <= i {
		j.rows = append(j.rows, make([]float32, j.length()))
	}
	row := j.rows[i]
	if j.armDim > 0 {
		copy(row[copy(row, r.Context):], r.Arms[arm])
		return row
	}
	clear(row)
	copy(row[arm*j.dim:], r.Context)
	return row
}
