// Package bandit defines contextual bandits: environments, policies, the protocol of a trial and the regret.
//
// A trial is one policy in one environment with one seed. It is sequential and deterministic: it reads no clock, starts
// no goroutine and draws only from named random streams, so its numbers do not depend on where and when it runs.
package bandit

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"banditsim/internal/check"
	"banditsim/internal/lists"
	"banditsim/internal/words"
)

// A Round is what a policy observes of one pull. It is not a round of a Protocol, which has several pulls.
type Round struct {
	T   int // number of the pull, from 1
	Row int // row of the data set that the context comes from, or −1
	// Context has Spec.Dim elements. It is valid only during the call: a policy may copy it, but must not change it.
	Context []float32
	// Arms holds the features of each arm, Spec.ArmDim elements each; nil if arms have no features. Like Context,
	// they are valid only during the call and must not be changed.
	Arms [][]float32
	// Available has one element per arm: true if the arm can be pulled. At least one is true. Nil means that all arms can
	// be pulled; delayed calls of Learn always get nil. Like Context, it is valid only during the call and must not be
	// changed. An environment whose arms come and go sets it in each Next, to append(r.Available[:0], …) or a new slice.
	// Two Rounds must not share a slice, because several Rounds may be drawn before the policy acts on the first.
	Available []bool
}

// CanPull reports whether the arm can be pulled.
func (r Round) CanPull(arm int) bool { return r.Available == nil || r.Available[arm] }

// Pullable appends to list each of the arms 0 … arms−1 that can be pulled, in ascending order.
func (r Round) Pullable(list []int, arms int) []int {
	for arm := range arms {
		if r.CanPull(arm) {
			list = append(list, arm)
		}
	}
	return list
}

// Clone returns a copy that shares no memory with r.
func (r Round) Clone() Round {
	r.Context, r.Arms, r.Available = slices.Clone(r.Context), lists.Each(r.Arms, slices.Clone), slices.Clone(r.Available)
	return r
}

// An Outcome holds the rewards of all arms in one pull. Policies never see it.
type Outcome struct {
	Reward []float64 // drawn reward of each arm
	Mean   []float64 // expected reward of each arm, given the context
}

// A Spec describes an environment.
type Spec struct {
	Dim  int      // length of a context
	Arms []string // names of the arms
	// ArmDim is the length of the features of an arm, 0 if arms have no features.
	ArmDim int
	// Groups has a number for each element of a context. Elements with the same number above 0 encode one attribute,
	// one-hot: at most one of them is 1, the others are 0. Elements numbered 0 hold any number. Nil means 0 for all.
	Groups []int
	// Columns describes the named values that a context consists of, in order; nil for Dim numbers without names.
	Columns []Column
	// Shape is height, width and channels if contexts are images, else nil. The pixels of an image are in row-major
	// order, and the channels of a pixel are adjacent.
	Shape []int
	// IgnoresActions reports that contexts and outcomes do not depend on the arms chosen before. All pulls of a round
	// may then be drawn before the policy acts on any of them.
	IgnoresActions bool
	// Pulls is the number of pulls after which the data end, 0 if they do not end.
	Pulls int
	// UniformRegret is the expected regret per pull of choosing arms uniformly at random; NaN if it is unknown. Other
	// regrets are compared with it.
	UniformRegret float64
	// ConstantArm is the best arm for a policy that always pulls the same one; nil if it is unknown, or if it depends
	// on the seed or changes during a trial. It is not part of the identity of trials.
	ConstantArm *ConstantArm
}

// Validate returns an error if Dim, ArmDim, Shape or the number of arms is out of range, or a name is not in UTF-8.
func (s Spec) Validate() error {
	image := s.Shape
	return cmp.Or(
		check.That(s.Dim >= 1 && len(s.Arms) >= 2 && s.ArmDim >= 0,
			"contexts of length %d, %d arms and features of length %d, want at least 1, 2 and 0", s.Dim, len(s.Arms), s.ArmDim),
		check.UTF8("arms", s.Arms...),
		check.That(image == nil || len(image) == 3 && slices.Min(image) > 0 && image[0]*image[1]*image[2] == s.Dim,
			"contexts of length %d with the shape %v, want height, width and channels whose product is that, or none",
			s.Dim, image))
}

// NewPull returns a pull with memory for all that Environment.Next fills.
func NewPull(s Spec) (Round, Outcome) {
	r := Round{Context: make([]float32, s.Dim)}
	for i := 0; i < len(s.Arms) && s.ArmDim > 0; i++ {
		r.Arms = append(r.Arms, make([]float32, s.ArmDim))
	}
	return r, Outcome{Reward: make([]float64, len(s.Arms)), Mean: make([]float64, len(s.Arms))}
}

// CheckPull returns an error unless the lengths agree with the specification, numbers are finite, and at least one arm
// can be pulled. The rewards of arms that cannot be pulled may be any number. A Trial calls it after Environment.Next.
func (s *Spec) CheckPull(r *Round, o *Outcome) error {
	fail := func(format string, a ...any) error { return fmt.Errorf("pull %d: %w", r.T, fmt.Errorf(format, a...)) }
	switch arms := len(s.Arms); {
	case len(r.Context) != s.Dim || len(o.Reward) != arms || len(o.Mean) != arms:
		return fail("a context of length %d, %d rewards and %d means, want %d, %d and %[5]d from the environment",
			len(r.Context), len(o.Reward), len(o.Mean), s.Dim, arms)
	case s.ArmDim > 0 && len(r.Arms) != arms, s.ArmDim == 0 && r.Arms != nil:
		return fail("features of %d arms, want %d of length %d from the environment", len(r.Arms), arms, s.ArmDim)
	case r.Row < -1:
		return fail("row %d, want that of the data or −1", r.Row)
	case r.Available != nil && len(r.Available) != arms:
		return fail("Available has %d arms, want %d", len(r.Available), arms)
	case r.Available != nil && !slices.Contains(r.Available, true):
		return fail("none of the %d arms can be pulled, want at least one, and Available set in each Next", arms)
	}
	if i := notFinite(r.Context); i >= 0 {
		return fail("element %d of the context is %g, want finite numbers from the environment", i, r.Context[i])
	}
	for arm, features := range r.Arms {
		if len(features) != s.ArmDim {
			return fail("arm %d has features of length %d, want %d from the environment", arm, len(features), s.ArmDim)
		}
		if i := notFinite(features); i >= 0 {
			return fail("feature %d of arm %d is %g, want finite numbers from the environment", i, arm, features[i])
		}
	}
	for arm, reward := range o.Reward {
		if d := reward - o.Mean[arm]; r.CanPull(arm) && !words.Finite(d) {
			return fail("arm %d has reward %g and mean %g, want finite numbers from the environment", arm, reward, o.Mean[arm])
		}
	}
	return nil
}

// notFinite returns the index of the first value that is NaN or infinite, or −1.
func notFinite(values []float32) int {
	var over uint32
	for _, v := range values { // bit 31 of the sum is 1 if all bits of the exponent are; the loop takes a tenth of IndexFunc's time
		over |= math.Float32bits(v)&math.MaxInt32 + 1<<23
	}
	if over>>31 == 0 {
		return -1
	}
	return slices.IndexFunc(values, func(v float32) bool { return !words.Finite(float64(v)) })
}

// An Environment draws contexts and, before the policy acts, the outcomes of all arms. It has a random stream of its
// own, so that all policies with the same seed get the same contexts and outcomes (common random numbers).
type Environment interface {
	Spec() Spec
	// Next draws the next pull. It sets r.Row and fills the slices r.Context and r.Arms and those of o, which the caller
	// has allocated. It may read r.T. All numbers must be finite. It returns io.EOF at the end of the data.
	Next(r *Round, o *Outcome) error
}

// A Policy chooses arms and learns from their rewards.
//
// A policy may also implement BatchActor, Randomizer, RoundEnder, OutcomeActor and OutcomeLearner. RewardDrawer and the
// interfaces of package diagnostics may be implemented by the policy or by what its method Unwrap returns (see As). To
// be saved during a trial, a policy must implement encoding.BinaryMarshaler and BinaryUnmarshaler, or Replayer.
type Policy interface {
	// Act returns an arm that can be pulled (Round.Available). A policy that maximizes returns the lowest index in a tie.
	Act(r Round) (arm int, err error)
	// Learn receives the reward of the arm that was pulled, including in burn-in. With Protocol.Delay, later pulls may
	// come before the call, and r is a copy of the pull's Round.
	Learn(r Round, arm int, reward float64) error
}

// A BatchActor acts on several pulls at once. It sets arms[i] to what Act would return for rounds[i] after rounds[:i].
type BatchActor interface {
	ActBatch(arms []int, rounds []Round) error
}

// A Randomizer is a policy that can state the probability with which it chooses each arm.
type Randomizer interface {
	// Propensities writes to dst, of length len(Spec.Arms), the probability with which Act would now choose each arm.
	// It does not change the policy.
	Propensities(dst []float64, r Round) error
}

// A RewardDrawer is a policy with a posterior whose samples Trial.Score can score.
type RewardDrawer interface {
	// DrawRewards fills dst with posterior samples of the expected rewards. Each sample is a matrix len(rounds) ×
	// len(Spec.Arms), row-major; len(dst) is a multiple of its size. If together is true, all rounds of a sample
	// share one draw from the posterior; otherwise each round has a draw of its own. If together is true and the
	// posterior cannot share a draw, the error wraps errors.ErrUnsupported.
	DrawRewards(dst []float64, rounds []Round, together bool) error
}

// An OutcomeActor is a yardstick: a policy that acts on the outcome, which other policies never see. A Trial calls
// ActOnOutcome in place of Act.
type OutcomeActor interface {
	ActOnOutcome(r Round, o Outcome) (arm int, err error)
}

// An OutcomeLearner is a yardstick: a policy that learns from the rewards of all arms. A Trial calls LearnOutcome in
// place of Learn, right after the pull even with Protocol.Delay.
type OutcomeLearner interface {
	LearnOutcome(r Round, arm int, o Outcome) error
}

// A RoundEnder is a policy that is called at the end of each round of pulls, usually to train.
type RoundEnder interface {
	// EndRound ends a round; rounds count from 1.
	EndRound(ctx context.Context, round int) error
}

// EndRound ends a round of p, if it is a RoundEnder.
func EndRound(ctx context.Context, p Policy, round int) error {
	if e, ok := p.(RoundEnder); ok {
		return e.EndRound(ctx, round)
	}
	return nil
}

// Missing is the element of Column.Values, always the last, that stands for a missing value.
const Missing = "?"

// A Column describes how the value of a named column is encoded as elements of a context.
type Column struct {
	Name string `json:"name"`
	// Values are the values of a categorical column, encoded one-hot, with one element per value; nil if the column is
	// a number. A value that is not in Values is encoded as zeros.
	Values []string `json:"values,omitempty"`
	// Mean and SD standardize a number: its element is (value − Mean)/SD, or value if SD is 0. A missing value gives 0.
	Mean float64 `json:"mean,omitzero"`
	SD   float64 `json:"sd,omitzero"`
	// Missing adds a second element to the encoding of a number: 1 if the value is missing, else 0.
	Missing bool `json:"missing,omitzero"`
}

// Width returns the number of elements of the column in a context.
func (c *Column) Width() int {
	switch {
	case c.Values != nil:
		return len(c.Values)
	case c.Missing:
		return 2
	}
	return 1
}

// Standardize returns the element that encodes the number v.
func (c *Column) Standardize(v float64) float32 {
	if c.SD == 0 {
		return float32(v)
	}
	return float32((v - c.Mean) / c.SD)
}

// NumberColumns returns columns for a context of n numbers that have no names. It names them x1, x2, ….
func NumberColumns(n int) []Column {
	list := make([]Column, n)
	for i := range list {
		list[i].Name = fmt.Sprintf("x%d", i+1)
	}
	return list
}

// A ConstantArm is the best arm of an environment for a policy that always pulls the same one, whatever the context.
type ConstantArm struct {
	Arm    string  `json:"arm"`    // name of the arm; "" in records of environments without a constant arm
	Regret float64 `json:"regret"` // expected, per pull
}

// BestConstantArm returns the first arm of least expected regret per pull. It panics if regrets is empty or has a NaN.
func BestConstantArm(names []string, regrets []float64) *ConstantArm {
	best := slices.Index(regrets, slices.Min(regrets))
	return &ConstantArm{names[best], regrets[best]}
}

// String returns the arm and its regret, or "–" if c is nil or has no arm.
func (c *ConstantArm) String() string {
	if c == nil || c.Arm == "" {
		return "–"
	}
	return fmt.Sprintf("%s, regret %.6g a pull", words.Plain(c.Arm), c.Regret)
}

// As returns the first value of type T in the chain v, v.Unwrap(), v.Unwrap().Unwrap(), …, where the methods Unwrap
// return any. A policy whose Unwrap returns its posterior thus offers the optional interfaces of the posterior.
func As[T any](v any) (t T, ok bool) {
	if t, ok = v.(T); ok {
		return t, true
	}
	if u, wraps := v.(interface{ Unwrap() any }); wraps {
		return As[T](u.Unwrap())
	}
	return t, false
}
