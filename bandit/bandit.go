// Package bandit defines contextual bandits: environments, policies, the protocol of a trial and
// the regret.
//
// A trial (one policy, one environment, one seed) is sequential and deterministic: it reads no
// clock, starts no goroutine and draws from named streams alone, so its numbers do not depend on
// where and when it runs.
package bandit

import (
	"cmp"
	"context"
	"slices"

	"banditsim/internal/check"
)

// A Round is the part of one pull that a policy observes.
type Round struct {
	T   int // number of the pull, from 1
	Row int // row of the data set that the context comes from, or −1
	// Context has Spec.Dim elements. It is valid during the call only: a policy that keeps it
	// must copy it, and must not change it.
	Context []float32
	// Arms holds the features of each arm, Spec.ArmDim elements each; nil if arms have none. The
	// rules of Context hold.
	Arms [][]float32
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
	// ArmDim is the length of the features of an arm, 0 if arms have none.
	ArmDim int
	// Groups says which columns of a context encode an attribute together: those with the same number,
	// above 0, of which at most one is 1 and the others are 0. A column of its own number is an attribute
	// that is 0 or 1, one of number 0 is any number. Nil: any numbers.
	Groups []int
	// Columns says of which named values a context is made, in order; nil: of Dim numbers without names.
	Columns []Column
	// Shape is height, width and channels of contexts that are images: row by row, with the channels of a pixel side by side.
	// Nil: contexts are no images.
	Shape []int
	// IgnoresActions reports that contexts and outcomes do not depend on the arms chosen before.
	// All pulls of a round are then drawn first and acted on at once.
	IgnoresActions bool
	// Pulls is the number of pulls after which the data end, 0 if they do not.
	Pulls int
	// UniformRegret is the expected regret per pull of the uniform policy, to which regrets are
	// compared; NaN if it is unknown.
	UniformRegret float64
	// ConstantArm is the best arm for a policy that always pulls one, with its regret; nil if none is known, or if it is
	// another from seed to seed or while a trial runs. It is not part of the identity of trials.
	ConstantArm *ConstantArm
}

// Validate returns an error if a length is out of range.
func (s Spec) Validate() error {
	image := s.Shape
	return cmp.Or(
		check.That(s.Dim >= 1 && len(s.Arms) >= 2 && s.ArmDim >= 0,
			"contexts of length %d, %d arms and features of length %d, want at least 1, 2 and 0", s.Dim, len(s.Arms), s.ArmDim),
		check.That(image == nil || len(image) == 3 && slices.Min(image) > 0 && image[0]*image[1]*image[2] == s.Dim,
			"contexts of length %d with the shape %v, want height, width and channels whose product is that, or none",
			s.Dim, image))
}

// An Environment draws contexts and, before the policy acts, the outcomes of all arms. It owns
// its stream, so policies of one seed meet the same contexts and outcomes (common random
// numbers).
type Environment interface {
	Spec() Spec
	// Next draws the next pull into r.Row, r.Context, r.Arms and o, whose slices have the
	// right lengths. It returns io.EOF at the end of the data.
	Next(r *Round, o *Outcome) error
}

// A Policy chooses arms and learns from their rewards.
//
// A policy may implement more: BatchActor, Randomizer, RewardDrawer, RoundEnder, the interfaces of package diagnostics
// (itself or, see As, through Unwrap() any), and encoding.BinaryMarshaler and BinaryUnmarshaler, or Replayer, without which a trial cannot be saved midway.
type Policy interface {
	// Act chooses an arm; ties go to the lowest.
	Act(r Round) (arm int, err error)
	// Learn receives the reward of the arm that was pulled, in burn-in too. With a delay
	// (Protocol.Delay) it is called after later pulls, with a copy of the pull's round.
	Learn(r Round, arm int, reward float64) error
}

// A BatchActor acts on several pulls at once, with the result of Act on each in turn.
type BatchActor interface {
	ActBatch(arms []int, rounds []Round) error
}

// A Randomizer knows the probabilities with which it chooses.
type Randomizer interface {
	// Propensities writes the probability with which Act would now choose each arm to dst, of
	// length len(Spec.Arms). It changes nothing.
	Propensities(dst []float64, r Round) error
}

// A RewardDrawer is a policy over a posterior, whose draws Trial.Score scores.
type RewardDrawer interface {
	// DrawRewards writes draws to dst until it is full, each as the expected reward of every arm in every round, len(rounds) ×
	// len(Spec.Arms), under a posterior sample for each round or, together, one for all. The error wraps
	// errors.ErrUnsupported if the posterior has no sample for all.
	DrawRewards(dst []float64, rounds []Round, together bool) error
}

// An OutcomeActor is a yardstick that no policy can be: it acts on what only a Trial sees. A Trial
// calls ActOnOutcome in place of Act.
type OutcomeActor interface {
	ActOnOutcome(r Round, o Outcome) (arm int, err error)
}

// An OutcomeLearner is a yardstick that learns from the rewards of all arms. A Trial calls
// LearnOutcome in place of Learn, at once even where rewards are delayed.
type OutcomeLearner interface {
	LearnOutcome(r Round, arm int, o Outcome) error
}

// A RoundEnder trains at the end of a round of pulls. Rounds count from 1.
type RoundEnder interface {
	EndRound(ctx context.Context, round int) error
}
