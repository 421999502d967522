// Package posterior defines the contracts between policies, posteriors and samplers.
//
// A Posterior learns from rows (context, arm, reward) and predicts rewards. A Sampler moves a population of chains over
// a Target, which is an energy that can be evaluated up to noise: that of a network on batches of its replay buffer, or
// that of a density in a test. Nothing here depends on a bandit's protocol.
//
// An energy is a negative log density, up to a constant, times the temperature. It is a sum over all the data, not a
// mean. Energies, weights and the contour's histogram are float64; parameters are float32.
package posterior

import (
	"context"
	"errors"
	"fmt"

	"banditsim/bandit/stream"
)

// ErrDiverged is wrapped by the error that is returned when a number became infinite or NaN because steps were too
// large.
var ErrDiverged = errors.New("a chain has diverged")

// A Setup is what a posterior is built for.
type Setup struct {
	Dim    int            // length of a context
	Arms   int            // number of arms
	Rounds int            // rounds of the whole trial
	Groups []int          // groups of columns, as in bandit.Spec; nil: none
	Shape  []int          // height, width and channels of contexts that are images, as in bandit.Spec; nil: no images
	Stream *stream.Stream // root(seed)/policy: all randomness of the posterior descends from it
	// Parallel may be used to run chains side by side; nil runs them in turn. Results do not depend on it.
	Parallel Parallel
}

// A Prediction selects what the predicted values are.
type Prediction int

const (
	// Mean is the posterior mean; for chains, the weighted mean of what they predict at their positions.
	Mean Prediction = iota
	// Draw is a posterior sample of its own for each context (Thompson sampling); for chains, what one chain predicts,
	// which is drawn by weight.
	Draw
)

// Validate returns an error unless p is Mean or Draw.
func (p Prediction) Validate() error {
	if p != Mean && p != Draw {
		return fmt.Errorf("posterior: predict: unknown kind %d, want Mean (%d) or Draw (%d)", p, Mean, Draw)
	}
	return nil
}

// A Posterior learns rewards and predicts them. It is used by one goroutine at a time. Package
// banditsim/lab/posteriortest checks this contract.
//
// A posterior may implement more: Spreader, JointDrawer, SampleDrawer, Explorer, Clusterer, the interfaces of package
// diagnostics, and encoding.BinaryMarshaler and BinaryUnmarshaler, without which a trial cannot be saved midway.
type Posterior interface {
	// Observe adds the reward of an arm in a context, which it copies. A context of another length or an arm out of
	// range is an error, and then nothing is added. A reward that is not finite is an error, here or in a later Update
	// or Predict: predictions that are not finite are never returned.
	Observe(context []float32, arm int, reward float64) error
	// Update is called once at the end of every round, in burn-in too, and does that round's gradient steps.
	Update(ctx context.Context) error
	// Predict writes the value of every arm in every context to dst, len(contexts) × arms,
	// row-major; it panics if dst has another length. An unknown how is an error. Predicting many
	// contexts at once gives what predicting them one by one would.
	Predict(dst []float64, contexts [][]float32, how Prediction) error
}

// A Spreader is a Posterior that gives the uncertainty of its values.
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

// A JointDrawer is a Posterior that can draw the values of several contexts from one posterior sample. With model:
// shared, policies that act by draws draw the values of a pull's arms in this way. Over other posteriors they act by
// Predict, which draws for each arm separately.
type JointDrawer interface {
	// DrawJoint writes the value of every arm in every context under one posterior sample to dst, in
	// the order of Predict.
	DrawJoint(dst []float64, contexts [][]float32) error
}

// A SampleDrawer is a Posterior that can draw the values of several contexts from one posterior sample. Only scores of
// its predictions use that.
type SampleDrawer interface {
	// DrawSamples writes posterior samples to dst until it is full, each as the value of every arm in every context, in
	// the order of Predict. For chains, a sample is what one chain predicts, which is drawn by weight. DrawSamples panics
	// if the length of dst is not a multiple of a sample's. Each value has the law of Predict's draws, and equal contexts
	// have equal values in a sample.
	DrawSamples(dst []float64, contexts [][]float32) error
}

// An Explorer is a Posterior that asks for pulls of some arms before policies use its predictions.
type Explorer interface {
	// Explore writes to need, in the order of Predict, how much each arm needs a pull, 0 if it needs none. Policies over
	// the posterior pull the arm with the greatest need; they choose by predictions where no arm needs a pull.
	Explore(need []float64, contexts [][]float32) error
}

// A Clusterer is a Posterior that puts contexts into clusters whose rewards have the same law, so that
// a reward in one context of a cluster informs about all of them.
type Clusterer interface {
	// Meet adds contexts without a reward, which it copies. A context that was met or observed before changes nothing.
	Meet(contexts [][]float32) error
	// Clusters writes the cluster of each context, a number that is valid until the next Update, and the
	// share of pulls that are expected in it, above 0 and at most 1.
	Clusters(ids []int, shares []float64, contexts [][]float32) error
	// Improvement writes E[max(0, value − over[i])] for every arm in context i to dst, in the order of
	// Predict. This is what a pull gains on average if the arm's value is known when the choice is between the arm and a
	// reward of over[i]. It is infinite for an arm that has no reward yet.
	Improvement(dst []float64, contexts [][]float32, over []float64) error
}
