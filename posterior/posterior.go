// Package posterior defines the contracts between policies, posteriors and samplers.
//
// A Posterior learns from rows (context, arm, reward) and predicts rewards. A Sampler moves a population of chains over
// a Target, which computes an energy with or without noise. Targets are, for example, the loss of a network on batches
// of its replay buffer, and a density in a test. Nothing here depends on the protocol of a bandit.
//
// An energy is a negative log density, up to a constant, times the temperature. It is a sum over all the data, not a
// mean. Energies, weights and histograms are float64; parameters are float32.
package posterior

import (
	"context"
	"errors"
	"fmt"

	"banditsim/bandit/stream"
)

// ErrDiverged is wrapped by errors about a computed infinity or NaN, usually because steps are too large.
var ErrDiverged = errors.New("a chain has diverged")

// A Setup describes the trial that a posterior is built for.
type Setup struct {
	Dim    int            // length of a context
	Arms   int            // number of arms
	Rounds int            // rounds of the whole trial
	Groups []int          // number of the one-hot group of each column, 0 for no group (bandit.Spec); nil: no groups
	Shape  []int          // height, width and channels of contexts that are images (bandit.Spec); nil: no images
	Stream *stream.Stream // the policy's stream (stream.Trial), from which all randomness of the posterior descends
	// Parallel may be used to run chains side by side; nil runs them in turn. Results do not depend on it.
	Parallel Parallel
}

// A Prediction is a kind of prediction: Mean or Draw.
type Prediction int

const (
	// Mean predicts the posterior mean; for chains, the weighted mean of their predictions.
	Mean Prediction = iota
	// Draw predicts each context with its own posterior sample (Thompson sampling); for chains, with one drawn by weight.
	Draw
)

// Validate returns an error unless p is Mean or Draw.
func (p Prediction) Validate() error {
	if p != Mean && p != Draw {
		return fmt.Errorf("posterior: predict: unknown kind %d, want Mean (%d) or Draw (%d)", p, Mean, Draw)
	}
	return nil
}

// A Posterior learns rewards and predicts them. One goroutine at a time uses it. banditsim/lab/posteriortest checks it.
//
// A posterior may implement more: Spreader, NormalDrawer, JointDrawer, SampleDrawer, Explorer, Clusterer, those of
// package diagnostics, and encoding.BinaryMarshaler and BinaryUnmarshaler, which saving a trial midway needs.
type Posterior interface {
	// Observe adds an arm's reward in a context, which it copies. If len(context) is not Dim, or arm is out of range, it
	// returns an error and adds nothing. If reward is not finite, Observe or a later Update or Predict returns an error.
	Observe(context []float32, arm int, reward float64) error
	// Update is called once at the end of every round, in burn-in too, and does that round's gradient steps.
	Update(ctx context.Context) error
	// Predict writes the value of every arm in every context to dst, len(contexts) × arms, row-major; it panics if dst has
	// another length. It returns an error if how is neither Mean nor Draw, or if a value is not finite. A call for many
	// contexts has the same results as one call for each context in turn.
	Predict(dst []float64, contexts [][]float32, how Prediction) error
}

// A Spreader is a Posterior that returns the standard deviations of the values that it predicts.
type Spreader interface {
	// Spread writes the standard deviation of the value of every arm in every context to dst, in the order of Predict.
	Spread(dst []float64, contexts [][]float32) error
}

// A NormalDrawer is a Spreader whose draws for the arms in one context are independent normal numbers with Predict's
// means and Spread's deviations. Callers can make many such draws from one prediction.
type NormalDrawer interface {
	Spreader
	// NormalDraws does nothing. It marks the posterior as a NormalDrawer.
	NormalDraws()
}

// A JointDrawer is a Posterior that can draw the values of several contexts from one posterior sample. With the option
// model: shared, the posterior gets each arm of a pull as a context, and policies that act on draws call DrawJoint for
// these contexts. If a posterior is no JointDrawer, they call Predict, which uses another sample for each arm.
type JointDrawer interface {
	// DrawJoint writes the value of every arm in every context to dst, in the order of Predict, all from one sample.
	DrawJoint(dst []float64, contexts [][]float32) error
}

// A SampleDrawer is a Posterior that draws many samples, each with values of several contexts, for bandit.Trial.Score.
type SampleDrawer interface {
	// DrawSamples fills dst with posterior samples, each the value of every arm in every context, in the order of Predict.
	// For chains, a sample is the prediction of a chain drawn by weight. DrawSamples panics if len(dst) is not a multiple
	// of len(contexts) × arms. A value is distributed like Predict's draws. In a sample, equal contexts have equal values.
	DrawSamples(dst []float64, contexts [][]float32) error
}

// An Explorer is a Posterior that asks for pulls of some arms before policies use its predictions.
type Explorer interface {
	// Explore sets the numbers in need, in the order of Predict, to how much each arm needs a pull; 0 if it needs none.
	// Where an arm needs a pull, policies pull the arm with the greatest number; elsewhere they choose by predictions.
	Explore(need []float64, contexts [][]float32) error
}

// A Clusterer is a Posterior that puts contexts into clusters whose rewards have the same law, so that
// a reward in one context of a cluster informs about all of them.
type Clusterer interface {
	// Meet copies contexts and adds them without a reward. It ignores contexts that were met or observed before.
	Meet(contexts [][]float32) error
	// Clusters sets ids[i] to the number that identifies the cluster of context i until the next Update, and shares[i] to
	// the fraction of all pulls that are expected in that cluster, above 0 and at most 1.
	Clusters(ids []int, shares []float64, contexts [][]float32) error
	// Improvement sets dst, in the order of Predict, to E[max(0, value − baseline[i])] for every arm in context i; +Inf
	// for arms without rewards. This is the expected gain of knowing the value if the alternative is worth baseline[i].
	Improvement(dst []float64, contexts [][]float32, baseline []float64) error
}
