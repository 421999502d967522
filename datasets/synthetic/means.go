package synthetic

import (
	"fmt"
	"math"
	"slices"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/datasets"
	"banditsim/internal/check"
	"banditsim/internal/state"
)

// A meanModel is an environment without contexts: arms with given means in a random order, which each
// trial draws. Abrupt drift draws the order anew, gradual drift moves each arm evenly to its mean in the
// next order, and a random walk moves each mean by rate times the range of the means, reflected at its
// ends.
//
// The regret of acting uniformly is the largest mean less the average, in any order. While means move it
// depends on the trial and is not known.
type meanModel struct {
	means  []float64
	drift  Drift
	reward func(r *stream.Stream, reward, mean []float64, buffer []float32)
}

func (m meanModel) world(low, high float64) (*datasets.World, error) {
	if err := check.Within("means", len(m.means), 2, 1000); err != nil {
		return nil, fmt.Errorf("%w numbers", err)
	}
	err := m.drift.validate()
	for i, v := range m.means {
		err = check.First(err, check.That(v >= low && v <= high, "means: number %d: %g, want %g to %g", i+1, v, low, high))
	}
	if err != nil {
		return nil, err
	}
	return &datasets.World{New: func(r *stream.Stream) (bandit.Environment, error) {
		n := len(m.means)
		e := &arms{
			meanModel: m, drifting: newDrifting(n, m.drift, r), stream: r,
			order: make([]int32, n), buffer: make([]float32, n),
		}
		e.start(e)
		return e, nil
	}}, nil
}

type arms struct {
	meanModel
	drifting // the means
	stream   *stream.Stream
	order    []int32
	buffer   []float32
}

var _ bandit.Environment = (*arms)(nil)

func (e *arms) Spec() bandit.Spec {
	regret := slices.Max(e.means)
	for _, v := range e.means {
		regret -= v / float64(len(e.means))
	}
	if e.meanModel.drift.Kind == "gradual" || e.meanModel.drift.Kind == "random-walk" {
		regret = math.NaN()
	} else {
		regret = digits(regret)
	}
	// The best arm is another with each seed, so there is no ConstantArm.
	return bandit.Spec{Dim: 1, Arms: armNames(len(e.means)), IgnoresActions: true, UniformRegret: regret}
}

// draw fills dst with the means in a random order.
func (e *arms) draw(dst []float64) {
	e.draws.Permutation(e.order)
	for a, i := range e.order {
		dst[a] = e.means[i]
	}
}

// walk moves each mean by itself.
func (e *arms) walk() {
	low, high := slices.Min(e.means), slices.Max(e.means)
	e.steps.Normals(e.buffer)
	for a := range e.now {
		e.now[a] = reflected(e.now[a]+float64(e.meanModel.drift.Rate*(high-low)*float64(e.buffer[a])), low, high)
	}
}

// reflected returns the place between low and high of a walk that is reflected at both.
func reflected(v, low, high float64) float64 {
	if low == high {
		return low
	}
	v = math.Mod(math.Abs(v-low), 2*(high-low))
	return low + min(v, 2*(high-low)-v)
}

func (e *arms) Next(r *bandit.Round, o *bandit.Outcome) error {
	e.advance(e)
	r.Row, r.Context[0] = -1, 1
	copy(o.Mean, e.now)
	e.reward(e.stream, o.Reward, o.Mean, e.buffer)
	return nil
}

func (e *arms) MarshalBinary() ([]byte, error) { return state.Save(e.state) }
func (e *arms) UnmarshalBinary(b []byte) error { return state.Restore(b, e.state) }

func (e *arms) state(c *state.Codec) {
	c.Object(e.stream)
	e.drifting.state(c)
}
