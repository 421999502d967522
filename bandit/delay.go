package bandit

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"banditsim/bandit/stream"
	"banditsim/internal/check"
	"banditsim/internal/kernel"
	"banditsim/internal/state"
)

// A Delay is the number of pulls between a pull and the call of Policy.Learn with its reward. Regret is not delayed.
// Rewards that are due after the last pull are never learned. A delay of 0 pulls is no delay, whatever its kind.
type Delay struct {
	// Kind of the delay, with n = pulls: fixed (the reward of pull t is learned after pull t + n), geometric (after pull t
	// + k, where k ≥ 0 has a geometric distribution of mean n) or batch (after the last pull of each batch of n).
	Kind  string `json:"kind" enum:"fixed,geometric,batch"`
	Pulls int    `json:"pulls"` // delay, mean delay or size of a batch in pulls: 0 (no delay) to 100,000, as rewards are held in memory
}

// IsZero reports whether there is no delay.
func (d Delay) IsZero() bool { return d.Pulls == 0 }

func (d Delay) validate() error {
	if d.IsZero() {
		return nil
	}
	return cmp.Or(
		check.Within("protocol.delay.pulls", d.Pulls, 0, 1e5),
		check.OneOf("protocol.delay.kind", d.Kind, "fixed", "geometric", "batch"))
}

// String returns the delay in words, such as "rewards 100 pulls late".
func (d Delay) String() string {
	switch d.Kind {
	case "geometric":
		return fmt.Sprintf("rewards geometrically late, %d pulls on average", d.Pulls)
	case "batch":
		return fmt.Sprintf("rewards in batches of %d pulls", d.Pulls)
	}
	return fmt.Sprintf("rewards %d pulls late", d.Pulls)
}

// due returns the number of the pull after which the reward of pull t is learned. Only the geometric kind uses r.
func (d Delay) due(t int, r *stream.Stream) int {
	switch d.Kind {
	case "geometric": // P(k) = (1−p)ᵏp with p = 1/(1+mean), by inversion
		mean := float64(d.Pulls)
		return t + int(kernel.Log(1-r.Float64())/kernel.Log(mean/(1+mean)))
	case "batch":
		return (t + d.Pulls - 1) / d.Pulls * d.Pulls
	}
	return t + d.Pulls
}

// A delayedPull is a pull whose reward has not been learned yet.
type delayedPull struct {
	due    int // number of the pull after which the reward is learned
	round  Round
	arm    int
	reward float64
}

// A delayQueue holds rewards until they are due.
type delayQueue struct {
	delay  Delay
	spec   Spec
	stream *stream.Stream
	held   []*delayedPull // in the order in which they are learned: by due, then by the number of the pull
}

// hold adds a copy of a pull, without Available, to the queue.
func (w *delayQueue) hold(r Round, arm int, reward float64) {
	r.Available = nil
	h := &delayedPull{w.delay.due(r.T, w.stream), r.Clone(), arm, reward}
	at, _ := slices.BinarySearchFunc(w.held, h.due+1, func(p *delayedPull, due int) int { return p.due - due })
	w.held = slices.Insert(w.held, at, h)
}

// release removes each pull whose field due is at most t, and calls learn with it.
func (w *delayQueue) release(t int, learn func(Round, int, float64) error) error {
	for len(w.held) > 0 && w.held[0].due <= t {
		h := w.held[0]
		w.held = w.held[1:]
		if err := learn(h.round, h.arm, h.reward); err != nil {
			return err
		}
	}
	return nil
}

// state saves or restores the stream and the queue of a trial after the given number of pulls.
func (w *delayQueue) state(c *state.Codec, pulls int) {
	c.Object(w.stream)
	state.Slice(c, "rewards held back", &w.held, pulls, func(p **delayedPull) {
		if c.Reading() {
			round, _ := NewPull(w.spec)
			*p = &delayedPull{round: round}
		}
		h := *p
		row := h.round.Row + 1
		c.Int("a pull after which a reward is due", &h.due, pulls+1, math.MaxInt)
		c.Int("a pull with a reward held back", &h.round.T, 1, pulls)
		c.Int("a data row", &row, 0, math.MaxInt)
		h.round.Row = row - 1
		c.Int("an arm", &h.arm, 0, len(w.spec.Arms)-1)
		c.Float64(&h.reward)
		c.Float32s(h.round.Context)
		for _, features := range h.round.Arms {
			c.Float32s(features)
		}
	})
}
