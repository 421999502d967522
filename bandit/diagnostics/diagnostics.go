// Package diagnostics declares what policies and their posteriors report about their training. A contour is the
// histogram of energies with which a sampler of the ICSGLD family flattens the energy (see posterior/sgmcmc).
package diagnostics

// A Reporter is a policy or a posterior that reports the state of its sampler.
type Reporter interface {
	// Diagnostics returns the state after the last round of training. The slices in it belong to the Reporter and are
	// valid until the next call of any method of the Reporter. A policy without a sampler returns the zero value.
	Diagnostics() Round
}

// A StepCounter is a policy or a posterior that counts its gradient steps.
type StepCounter interface {
	// Steps returns the number of gradient steps so far, of all chains together.
	Steps() int64
}

// A Worker is a policy or a posterior that can estimate the work of its training.
type Worker interface {
	// Work returns the approximate number of multiplications and additions of the training in a round.
	Work() float64
}

// A Round holds the state of a sampler after a round, as it is recorded.
type Round struct {
	Chains []Chain
	// WeightESS is the effective sample size (Σw)²/Σw², from 1 to the number of chains, of the weights w of the chains.
	WeightESS float64
	// Theta is the histogram θ of the sampler's contour; nil without a contour.
	Theta []float64
	// Series are further numbers that the sampler or the policy chooses to report.
	Series []Series
}

// A Chain holds the state of one chain.
type Chain struct {
	Energy float64 // the last estimate of the energy
	Bin    int     // number of the contour's bin that Energy falls in, from 1; 0 without a contour
	// Least, mean and greatest multiplier of the contour over the steps of the round; 1 without a contour.
	MultiplierMin, MultiplierMean, MultiplierMax float64
}

// A Series is a named quantity with one value per round, or one value per round and chain.
type Series struct {
	Name, Unit string    // printable text
	Values     []float64 // values of this round: one, or one per chain
}
