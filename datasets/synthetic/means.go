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

// validate checks means in the given range.
func (m meanModel) validate(low, high float64) error {
	if err := check.Within("means", len(m.means), 2, 1000); err != nil {
		return fmt.Errorf("%w numbers", err)
	}
	for i, v := range m.means {
		if !(v >= low && v <= high) {
			return rangeError(fmt.Sprintf("means: number %d", i+1), v, fmt.Sprintf("%g to %g", low, high))
		}
	}
	return m.drift.validate()
}

func (m meanModel) world() *datasets.World {
	return &datasets.World{New: func(r *stream.Stream) (bandit.Environment, error) {
		n := len(m.means)
		e := &arms{
			meanModel: m, stream: r, draws: r.Child("parameters"), steps: r.Child("drift"),
			order: make([]int32, n), now: make([]float64, n), from: make([]float64, n), to: make([]float64, n), buffer: make([]float32, n),
		}
		e.draw(e.to)
		copy(e.now, e.to)
		return e, nil
	}}
}

// arms is an environment of a meanModel.
type arms struct {
	meanModel
	stream, draws, steps *stream.Stream
	pulls                uint64
	order                []int32
	now, from, to        []float64 // means: of this pull, and of the beginning and the end of a period
	buffer               []float32
}

var _ bandit.Environment = (*arms)(nil)

func (e *arms) Spec() bandit.Spec {
	regret := slices.Max(e.means)
	for _, v := range e.means {
		regret -= v / float64(len(e.means))
	}
	if e.drift.Kind == "gradual" || e.drift.Kind == "random-walk" {
		regret = math.NaN()
	} else {
		regret = digits(regret)
	}
	return bandit.Spec{Dim: 1, Arms: armNames(len(e.means)), IgnoresActions: true, UniformRegret: regret}
}

// draw fills dst with the means in a random order.
func (e *arms) draw(dst []float64) {
	shuffle(e.order, e.draws)
	for a, i := range e.order {
		dst[a] = e.means[i]
	}
}

// advance moves the means to the next pull.
func (e *arms) advance() {
	pull := e.pulls
	e.pulls++
	switch e.drift.Kind {
	case "abrupt":
		if pull > 0 && e.drift.begins(pull) {
			e.draw(e.now)
		}
	case "gradual":
		if e.drift.begins(pull) {
			copy(e.from, e.to)
			e.draw(e.to)
		}
		s := e.drift.phase(pull)
		for a := range e.now {
			e.now[a] = float64((1-s)*e.from[a]) + float64(s*e.to[a])
		}
	case "random-walk":
		low, high := slices.Min(e.means), slices.Max(e.means)
		e.steps.Normals(e.buffer)
		for a := range e.now {
			e.now[a] = reflected(e.now[a]+float64(e.drift.Rate*(high-low)*float64(e.buffer[a])), low, high)
		}
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
	e.advance()
	r.Row, r.Context[0] = -1, 1
	copy(o.Mean, e.now)
	e.reward(e.stream, o.Reward, o.Mean, e.buffer)
	return nil
}

func (e *arms) MarshalBinary() ([]byte, error) {
	var w state.Writer
	for _, s := range []*stream.Stream{e.stream, e.draws, e.steps} {
		w.Object(s)
	}
	w.Uint64(e.pulls)
	for _, v := range [][]float64{e.now, e.from, e.to} {
		w.Float64s(v)
	}
	return w.Bytes()
}

func (e *arms) UnmarshalBinary(b []byte) error {
	r := state.NewReader(b)
	for _, s := range []*stream.Stream{e.stream, e.draws, e.steps} {
		r.Object(s)
	}
	e.pulls = r.Uint64()
	for _, v := range [][]float64{e.now, e.from, e.to} {
		r.Float64s(v)
	}
	return r.Close()
}
