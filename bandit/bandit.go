// Package bandit defines the contextual bandit: environments, policies, the
// protocol that brings them together, and the regret that comes of it.
//
// A trial (one policy, one environment, one seed) is sequential and pure: it
// reads no clock, starts no goroutine and draws from named streams alone, so
// that it gives the same numbers wherever and whenever it runs.
package bandit

import "context"

// A Round is what a policy sees of one pull.
type Round struct {
	// T is the number of the pull, from 1.
	T int
	// Row is the row of the data set that the context comes from, or −1.
	Row int
	// Context has Spec.Dim elements. It is valid during the call only: a
	// policy that wants to keep it copies it.
	Context []float32
}

// An Outcome is what all arms would bring in one pull. Only the trial sees it.
type Outcome struct {
	Reward []float64 // the drawn reward of every arm
	Mean   []float64 // the expected reward of every arm, given the context
}

// A Spec describes an environment.
type Spec struct {
	Dim  int      // length of a context
	Arms []string // names of the arms
	// IgnoresActions is true where contexts and outcomes do not depend on the
	// arms that were chosen before, so that a whole round of them may be drawn
	// ahead and acted on at once.
	IgnoresActions bool
	// UniformRegret is the expected regret a pull of acting uniformly at
	// random, which regrets are compared with; NaN where it is not known.
	UniformRegret float64
}

// An Environment draws contexts and, before the policy acts, the outcomes of
// all arms. It owns its stream. Policies of one seed therefore meet the same
// contexts and the same luck (common random numbers).
type Environment interface {
	Spec() Spec
	// Next draws the next pull. It fills r and o, whose slices have the right
	// lengths already. It returns io.EOF when the data have ended.
	Next(r *Round, o *Outcome) error
}

// A Policy chooses arms and learns from what they bring.
type Policy interface {
	// Act chooses an arm; ties go to the lowest.
	Act(r Round) (arm int, err error)
	// Learn is told the reward of the arm that was pulled, in burn-in too.
	Learn(r Round, arm int, reward float64) error
}

// A BatchActor acts on several pulls at once. The result is that of Act on
// each of them in turn.
type BatchActor interface {
	ActBatch(arms []int, rounds []Round) error
}

// A RoundEnder trains when a round of pulls is over. Round counts from 1.
type RoundEnder interface {
	EndRound(ctx context.Context, round int) error
}

// A Diagnoser tells how its sampler is doing after a round.
type Diagnoser interface {
	Diagnostics() Diagnostics
}

// Diagnostics are a posterior's state after a round. Slices belong to the
// policy and are valid until its next call. A policy without a sampler returns
// the zero value.
type Diagnostics struct {
	Chains []ChainDiagnostics
	// WeightESS is the effective sample size (Σw)²/Σw² of the chains' weights
	// in prediction, between 1 and the number of chains.
	WeightESS float64
	// Theta is the contour's histogram θ, nil without a contour.
	Theta []float64
}

// ChainDiagnostics are those of one chain.
type ChainDiagnostics struct {
	Energy float64 // the last energy Û
	Bin    int     // its energy bin J, from 1; 0 if it has none
	// The contour multiplier's range over the steps of the round; 1 without one.
	MultiplierMin, MultiplierMean, MultiplierMax float64
}
