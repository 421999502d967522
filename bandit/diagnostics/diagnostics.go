// Package diagnostics declares what policies, and the posteriors under them, report of their training.
package diagnostics

// A Reporter is a policy or a posterior that reports the state of its sampler.
type Reporter interface {
	// Diagnostics returns the state after the last round of training. Slices belong to the reporter and
	// are valid until its next call. A policy without a sampler returns the zero value.
	Diagnostics() Round
}

// A StepCounter is a policy or a posterior that counts its gradient steps.
type StepCounter interface {
	// Steps returns the number of gradient steps so far, of all chains together.
	Steps() int64
}

// A Worker is a policy or a posterior that knows the work of its training.
type Worker interface {
	// Work returns about how many multiplications and additions the training of a round takes.
	Work() float64
}

// A Round holds the state of a sampler after a round, as it is recorded.
type Round struct {
	Chains []Chain
	// WeightESS is the effective sample size (Σw)²/Σw² of the chains' weights
	// in prediction, between 1 and the number of chains.
	WeightESS float64
	// Theta is the contour's histogram θ, nil without a contour.
	Theta []float64
	// Series are those that the sampler declares itself.
	Series []Series
}

// A Chain holds the state of one chain.
type Chain struct {
	Energy float64 // the last energy Û
	Bin    int     // its energy bin J, from 1; 0 if it has none
	// The contour multiplier's range over the steps of the round; 1 without one.
	MultiplierMin, MultiplierMean, MultiplierMax float64
}

// A Series is a named number of each round, or of each chain in each round.
type Series struct {
	Name, Unit string    // printable
	Values     []float64 // one, or one for each chain
}
