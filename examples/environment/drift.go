package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/datasets"
)

// Options are the options of the environment.
type Options struct {
	Period int     `json:"period" doc:"pulls after which the mean rewards repeat"`
	Noise  float64 `json:"noise" doc:"standard deviation of a reward"`
}

// Kind declares the environment under its name.
var Kind = datasets.Kind[Options]{
	Name: "drift", Doc: "two arms whose mean rewards drift in opposite phases",
	Defaults: func() Options { return Options{Period: 1000, Noise: 1} },
	Open: func(_ context.Context, o Options, _ string) (*datasets.World, error) {
		if o.Period < 2 || !(o.Noise >= 0) {
			return nil, fmt.Errorf("period: %d and noise: %g, want at least 2 and 0", o.Period, o.Noise)
		}
		return &datasets.World{New: func(r *stream.Stream) (bandit.Environment, error) {
			return &Drift{options: o, stream: r}, nil
		}}, nil
	},
}

// Drift is an environment with two arms. In pull t, from 1, their mean rewards are sin φ and −sin φ
// with φ = 2π·t/period, and the context is (cos φ, sin φ).
type Drift struct {
	options Options
	stream  *stream.Stream // source of the rewards' noise
	pulls   uint64         // number of pulls so far
}

// Spec describes the environment. A uniform policy has a regret of |sin φ| per pull, on average 2/π
// over a long period.
func (d *Drift) Spec() bandit.Spec {
	return bandit.Spec{Dim: 2, Arms: []string{"rising", "falling"}, IgnoresActions: true, UniformRegret: 2 / math.Pi}
}

// Next draws the rewards of both arms.
func (d *Drift) Next(r *bandit.Round, o *bandit.Outcome) error {
	d.pulls++
	sin, cos := math.Sincos(2 * math.Pi * float64(d.pulls) / float64(d.options.Period))
	r.Row, r.Context[0], r.Context[1] = -1, float32(cos), float32(sin)
	var noise [2]float32
	d.stream.Normals(noise[:])
	for arm, mean := range []float64{sin, -sin} {
		o.Mean[arm], o.Reward[arm] = mean, mean+d.options.Noise*float64(noise[arm])
	}
	return nil
}

// MarshalBinary saves the number of pulls and the stream.
func (d *Drift) MarshalBinary() ([]byte, error) {
	return d.stream.AppendBinary(binary.LittleEndian.AppendUint64(nil, d.pulls))
}

// UnmarshalBinary restores what MarshalBinary saved.
func (d *Drift) UnmarshalBinary(b []byte) error {
	if len(b) < 8 {
		return errors.New("drift: restore: the saved state is too short")
	}
	d.pulls = binary.LittleEndian.Uint64(b)
	return d.stream.UnmarshalBinary(b[8:])
}
