package synthetic

import (
	"cmp"
	"math"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/datasets"
	"banditsim/internal/check"
	"banditsim/internal/state"
)

// WheelOptions are the options of the wheel.
type WheelOptions struct {
	Delta float64 `json:"delta"` // δ, the radius inside which the first arm is best: 0 to 1
	Noise Noise   `json:"noise"`
	// Inside puts the contexts in which an arm pays 50 inside the radius √(1−δ²). Proportions and regrets stay the same.
	Inside bool `json:"inside,omitzero"`
	// Drift turns the wheel about its axis: to a random angle after each period (abrupt), evenly and once in each period
	// (gradual), or in each pull by rate·N(0, 1) full turns (random-walk).
	Drift Drift `json:"drift,omitzero"`
}

// Wheel declares the wheel bandit (Riquelme, Tucker and Snoek: Deep Bayesian bandits showdown, ICLR 2018): contexts are
// uniform on the unit disc. The first arm has mean 1.2 and the four others 1, except that outside the radius δ one of
// these four has mean 50, a different one in each quadrant. The noise has σ = .01. The disc of radius δ has the share
// δ² of contexts, so acting uniformly costs δ²·(1.2 − 5.2/5) + (1−δ²)·(50 − 54.2/5) = .16δ² + 39.16(1−δ²) a pull.
//
// The safe arm is the first and the others go counterclockwise from the north-east. In the program of the paper
// (deep_contextual_bandits, sample_wheel_bandit_data) the safe arm is the last, after those of the north-east,
// south-east, north-west and south-west: the same problem with the arms in another order.
func Wheel() datasets.Kind[WheelOptions] {
	return kind("wheel", "five arms on the unit disc, of which four pay far out, each in one quadrant", func() WheelOptions {
		return WheelOptions{Delta: 0.95, Noise: gaussian(0.01)}
	}, func(o WheelOptions) (*datasets.World, error) {
		if err := cmp.Or(check.That(o.Delta >= 0 && o.Delta <= 1, "delta: %g, want 0 to 1", o.Delta), o.Noise.validate(), o.Drift.validate()); err != nil {
			return nil, err
		}
		d := o.Delta * o.Delta
		arms := []string{"safe", "east-north", "west-north", "west-south", "east-south"}
		outer := digits(float64(0.2*d) + float64(36.75*(1-d))) // regret per pull of an arm that is best in one quadrant, at any angle of the wheel
		spec := bandit.Spec{
			Dim: 2, Arms: arms, IgnoresActions: true,
			ConstantArm:   bandit.BestConstantArm(arms, []float64{digits(48.8 * (1 - d)), outer, outer, outer, outer}),
			UniformRegret: digits(float64(0.16*d) + float64(39.16*(1-d))),
		}
		return simulate(func(r *stream.Stream) simulation {
			w := &wheel{WheelOptions: o, stream: r, steps: r.Child("drift")}
			fields := func(c *state.Codec) {
				c.Object(w.stream)
				c.Object(w.steps)
				c.Uint64(&w.pulls)
				c.Float64(&w.angle)
			}
			return simulation{state.Fields(fields), spec, w.draw}
		}), nil
	})
}

type wheel struct {
	WheelOptions
	stream, steps *stream.Stream
	pulls         uint64
	angle         float64 // how far the wheel has turned, in turns
	buffer        [5]float32
}

func (w *wheel) draw(r *bandit.Round, o *bandit.Outcome) {
	w.turn()
	x, y := w.point()
	r.Context[0], r.Context[1] = float32(x), float32(y)
	for a := range o.Mean {
		o.Mean[a] = 1
	}
	o.Mean[0] = 1.2
	square := float64(x*x) + float64(y*y) // square of the radius, uniform on [0, 1]
	if w.Inside {
		square = 1 - square
	}
	if square > w.Delta*w.Delta {
		o.Mean[1+w.quadrant(x, y)] = 50
	}
	w.Noise.add(w.stream, o.Reward, o.Mean, w.buffer[:])
}

func (w *wheel) turn() {
	pull := w.pulls
	w.pulls++
	switch w.Drift.Kind {
	case "abrupt":
		if pull > 0 && w.Drift.begins(pull) {
			w.angle = w.steps.Float64()
		}
	case "gradual":
		w.angle = w.Drift.phase(pull)
	case "random-walk":
		w.angle += float64(w.Drift.Rate * w.steps.Normal())
	}
}

func (w *wheel) point() (x, y float64) {
	for {
		x, y = 2*w.stream.Float64()-1, 2*w.stream.Float64()-1
		if float64(x*x)+float64(y*y) <= 1 {
			return x, y
		}
	}
}

// quadrant returns the quadrant of the wheel, 0 to 3 counterclockwise from the north-east.
func (w *wheel) quadrant(x, y float64) int {
	if w.angle != 0 {
		sin, cos := math.Sincos(2 * math.Pi * w.angle)
		x, y = float64(cos*x)+float64(sin*y), float64(cos*y)-float64(sin*x)
	}
	switch {
	case x >= 0 && y >= 0:
		return 0
	case y >= 0:
		return 1
	case x < 0:
		return 2
	}
	return 3
}
