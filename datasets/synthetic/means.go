package synthetic

import (
	"cmp"
	"math"
	"slices"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/datasets"
	"banditsim/internal/check"
	"banditsim/internal/state"
)

// GaussianOptions are the options of gaussian.
type GaussianOptions struct {
	Means []float64 `json:"means"` // one for each of 2 to 1000 arms: −1e9 to 1e9
	Noise Noise     `json:"noise"`
	Drift Drift     `json:"drift,omitzero"`
}

// Gaussian declares arms without contexts with normal rewards (Lattimore and Szepesvári: Bandit Algorithms, Cambridge
// 2020, chapter 7). With the means μ of the arms, acting uniformly costs max μ − mean μ a pull: .45 by default.
func Gaussian() datasets.Kind[GaussianOptions] {
	return kind("gaussian", "no context: arms with fixed means and normal noise", func() GaussianOptions {
		return GaussianOptions{Means: []float64{.1, .2, .3, .4, .5, .6, .7, .8, .9, 1}, Noise: gaussian(1)}
	}, func(o GaussianOptions) (*datasets.World, error) {
		if err := o.Noise.validate(); err != nil {
			return nil, err
		}
		return meanModel{o.Means, o.Drift, o.Noise.add}.world(-1e9, 1e9)
	})
}

// BernoulliOptions are the options of bernoulli.
type BernoulliOptions struct {
	Means []float64 `json:"means"` // probabilities of the reward 1, one for each of 2 to 1000 arms: 0 to 1
	Drift Drift     `json:"drift,omitzero"`
}

// Bernoulli declares arms without contexts whose rewards are 0 and 1. The defaults are the ten arms of Chapelle and
// Li (An empirical evaluation of Thompson sampling, NIPS 2011), the best with .5 and the others with .4. With the
// means μ of the arms, acting uniformly costs max μ − mean μ a pull: .09 by default.
func Bernoulli() datasets.Kind[BernoulliOptions] {
	return kind("bernoulli", "no context: arms that pay 1 with fixed probabilities", func() BernoulliOptions {
		return BernoulliOptions{Means: []float64{.5, .4, .4, .4, .4, .4, .4, .4, .4, .4}}
	}, func(o BernoulliOptions) (*datasets.World, error) {
		return meanModel{o.Means, o.Drift, bernoulli}.world(0, 1)
	})
}

// A meanModel is an environment without contexts: arms with given means in a random order, drawn by each trial. Abrupt
// drift redraws the order; gradual drift moves each arm evenly to its mean in the next order. A random walk moves each
// mean by normal steps, whose standard deviation is rate times the means' range, and reflects it at the range's ends.
//
// The regret of acting uniformly is the largest mean minus the average, in any order. With gradual drift or a random
// walk it depends on the trial and is not known.
type meanModel struct {
	means  []float64
	drift  Drift
	reward func(r *stream.Stream, reward, mean []float64, buffer []float32)
}

func (m meanModel) world(low, high float64) (*datasets.World, error) {
	n := len(m.means)
	err := cmp.Or(check.That(n >= 2 && n <= 1000, "means: %d, want 2 to 1000 numbers", n), m.drift.validate())
	for i, v := range m.means {
		err = cmp.Or(err, check.That(v >= low && v <= high, "means: number %d: %g, want %g to %g", i+1, v, low, high))
	}
	if err != nil {
		return nil, err
	}
	regret := meanRegret(m.means)
	if m.drift.Kind == "gradual" || m.drift.Kind == "random-walk" {
		regret = math.NaN()
	}
	// Which arm is best depends on the seed, so there is no ConstantArm.
	spec := bandit.Spec{Dim: 1, Arms: armNames(n), IgnoresActions: true, UniformRegret: regret}
	return simulate(func(s *stream.Stream) simulation {
		e := &arms{newDrifting(n, m.drift, s), m.means, make([]int32, n), make([]float32, n)}
		e.start(e)
		fields := func(c *state.Codec) {
			c.Object(s)
			e.state(c)
		}
		return simulation{state.Fields(fields), spec, func(r *bandit.Round, o *bandit.Outcome) {
			e.advance(e)
			r.Context[0] = 1
			copy(o.Mean, e.now)
			m.reward(s, o.Reward, o.Mean, e.buffer)
		}}
	}), nil
}

// arms are parameters: a mean for each arm, of the means in the options.
type arms struct {
	drifting
	means  []float64
	order  []int32
	buffer []float32
}

// meanRegret returns the regret per pull of acting uniformly on arms with fixed means.
func meanRegret(means []float64) float64 {
	regret, best := 0.0, slices.Max(means)
	for _, v := range means {
		regret += (best - v) / float64(len(means)) // exactly 0 if all are equal
	}
	return digits(regret)
}

// draw fills dst with the means in a random order.
func (e *arms) draw(dst []float64) {
	e.draws.Permutation(e.order)
	for a, i := range e.order {
		dst[a] = e.means[i]
	}
}

// walk moves each mean independently of the others.
func (e *arms) walk() {
	low, high := slices.Min(e.means), slices.Max(e.means)
	e.steps.Normals(e.buffer)
	for a := range e.now {
		e.now[a] = reflected(e.now[a]+float64(e.drift.Rate*(high-low)*float64(e.buffer[a])), low, high)
	}
}

// reflected returns v reflected at low and at high until it lies between them.
func reflected(v, low, high float64) float64 {
	if low == high {
		return low
	}
	v = math.Mod(math.Abs(v-low), 2*(high-low))
	return low + min(v, 2*(high-low)-v)
}
