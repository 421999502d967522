// Package posterior provides what a policy draws from: samplers of Bayesian
// posteriors over networks, and the same samplers on densities of any kind.
//
// It knows nothing of bandits. A Posterior learns from rows (context, arm,
// reward) and predicts rewards. A Sampler moves a population of chains over a
// Target, which is an energy known up to noise: a network with its replay
// buffer, or a test density with a known answer.
//
// Signs and scales: an energy is a negative log density, up to a constant,
// times the temperature. It is a sum over all the data, not a mean. Energies,
// weights and the contour's histogram are float64; parameters are float32.
package posterior

import "context"

// A Target is an energy U over ℝᵈ, known up to noise. It owns the streams of
// its noise (batches, dropout). It is used by one goroutine at a time.
type Target interface {
	// Dim returns d.
	Dim() int
	// EnergyGrad returns a noisy energy at x and writes a noisy gradient to
	// grad; both have length Dim. The gradient includes the prior's λx, the
	// energy does not.
	EnergyGrad(grad, x []float32) (energy float64, err error)
}

// Bounded is a Target on a part of ℝᵈ. Samplers refuse moves that leave it.
type Bounded interface {
	// Inside tells whether x belongs to the target.
	Inside(x []float32) bool
}

// Penalized is a Target whose gradient has a term that its energy leaves out, the
// prior's. Samplers that compare the energies of two places by the density of both add it.
type Penalized interface {
	// Penalty returns what the energy at x leaves out: λ‖x‖²/2.
	Penalty(x []float32) float64
}

// A Chain is one member of the population that a Sampler moves: its position
// and what its last evaluation found.
type Chain struct {
	Target Target
	X      []float32 // position, length Target.Dim()

	Energy     float64   // Û at the position before the last move
	Grad       []float32 // its gradient
	Multiplier float64   // what the last drift was multiplied with; 1 without a contour

	bounds Bounded   // the target, if it is bounded
	old    []float32 // room for a position to go back to
}

// NewChain returns a chain on a target that starts at x, which it takes over.
func NewChain(target Target, x []float32) Chain {
	c := Chain{Target: target, X: x, Grad: make([]float32, target.Dim()), Multiplier: 1}
	if b, ok := target.(Bounded); ok {
		c.bounds, c.old = b, make([]float32, len(x))
	}
	return c
}

// keep remembers the position before a move on a bounded target.
func (c *Chain) keep() {
	if c.bounds != nil {
		copy(c.old, c.X)
	}
}

// refuse goes back to the position that keep remembered, if the move has left
// the target, and tells whether it has.
func (c *Chain) refuse() bool {
	if c.bounds == nil || c.bounds.Inside(c.X) {
		return false
	}
	copy(c.X, c.old)
	return true
}

// A Sampler moves all chains by one step: it evaluates all, lets them interact,
// then moves all. It owns the streams of its noise. The chains of one sampler
// are always the same, in the same order.
//
// A sampler may implement more: Weigher, Histogrammer, RoundStarter, and
// encoding.BinaryMarshaler and BinaryUnmarshaler, without which a trial cannot be
// saved midway.
type Sampler interface {
	Step(chains []Chain) error
}

// A Weigher is a sampler whose chains do not weigh the same in a prediction.
type Weigher interface {
	// Weights sets the weight of every chain, at least 0; their sum does not matter.
	Weights(weights []float64)
}

// A Histogrammer is a sampler with a histogram over energy bins.
type Histogrammer interface {
	// Histogram returns θ and the chains' bins (from 1; 0 for none), which
	// belong to the sampler; nil if there is none.
	Histogram() (theta []float64, bins []int)
}

// A RoundStarter is a sampler that is told of a trial's rounds.
type RoundStarter interface {
	// StartRound is called before the gradient steps of a round: ended is the
	// number of rounds before it, rounds that of the trial.
	StartRound(ended, rounds int)
}

// Predict says what a prediction is made from.
type Predict int

const (
	// Mean is the weighted mean over the chains.
	Mean Predict = iota
	// Draw is one chain for each context, drawn by weight: Thompson sampling
	// in the proper sense.
	Draw
)

// A Posterior learns rewards and predicts them. It is used by one goroutine at
// a time. Package posteriortest holds it to this contract.
type Posterior interface {
	// Observe adds the reward of an arm in a context. It copies the context. A context
	// of another length and an arm that does not exist are refused, and leave no trace.
	// A reward that is not finite is refused, or else Update or Predict ends
	// with an error: predictions that are not finite are never returned.
	Observe(context []float32, arm int, reward float64) error
	// Update is called once at the end of every round, in burn-in too, and
	// does that round's gradient steps.
	Update(ctx context.Context) error
	// Predict writes the value of every arm in every context to dst,
	// len(contexts) × arms, row-major; it panics if dst has another length. Predicting
	// many contexts at once gives what predicting them one by one would.
	Predict(dst []float64, contexts [][]float32, how Predict) error
}

// A Diagnoser tells how its sampler is doing. Posteriors may implement it.
type Diagnoser interface {
	// Diagnostics returns the state after the last Update. Slices belong to
	// the posterior and are valid until its next call.
	Diagnostics() Diagnostics
}

// Diagnostics are the state of a posterior's chains.
type Diagnostics struct {
	Chains    []ChainDiagnostics
	WeightESS float64   // effective sample size (Σw)²/Σw² of the prediction's weights
	Theta     []float64 // the contour's histogram θ; nil without a contour
}

// ChainDiagnostics are those of one chain.
type ChainDiagnostics struct {
	Energy float64 // the last Û
	Bin    int     // its energy bin J, from 1; 0 if it has none
	// Range of the contour multiplier over the steps of the last round.
	MultiplierMin, MultiplierMean, MultiplierMax float64
}
