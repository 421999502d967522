package policy

import (
	"cmp"
	"fmt"
	"math"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/check"
	"banditsim/internal/moments"
	"banditsim/internal/state"
)

// RangeOptions define the range of rewards. Policies with formulas for rewards in [0, 1] scale this range to [0, 1].
type RangeOptions struct {
	// Kind is "seen" (from the lowest to the highest reward so far, of all arms) or "declared" (from
	// low to high; a reward outside is an error).
	Kind string  `json:"kind" enum:"seen,declared"`
	Low  float64 `json:"low"`  // the lowest reward, if kind is declared
	High float64 `json:"high"` // the highest reward, if kind is declared; above low
}

// seenRange returns the default: the range of the rewards so far.
func seenRange() RangeOptions { return RangeOptions{Kind: "seen", Low: 0, High: 1} }

func (o RangeOptions) validate() error {
	return cmp.Or(check.OneOf("range.kind", o.Kind, "seen", "declared"),
		check.Finite("range.low", o.Low), check.Finite("range.high", o.High),
		check.Finite("range.high − range.low", o.High-o.Low),
		check.That(o.Low < o.High, "range.high: %g, want above range.low, %g", o.High, o.Low))
}

// A rewardRange scales rewards to [0, 1].
type rewardRange struct {
	o         RangeOptions
	low, high float64
	total     int // number of rewards so far
}

func newRange(o RangeOptions) rewardRange { return rewardRange{o: o, low: o.Low, high: o.High} }

// A tally is a policy that ignores contexts. It pulls the arm with the highest index, a number that its indexer
// computes from the moments of the arm's rewards and from the range of all rewards.
type tally struct {
	state.Fields
	rewardRange
	rewards []moments.Running // by arm
	draws   *stream.Stream    // stream that the indexer draws from; nil: it does not draw, and arms without pulls come first
	indexer indexer
	index   []float64 // by arm, as the indexer last computed it
}

// An indexer sets index[a] to the index of arm a, for all arms.
type indexer func(index []float64, c *tally)

// newTally returns a policy with the indexer f. draws is f's stream, or nil. errs are the errors of other options.
func newTally(o RangeOptions, s Setup, draws *stream.Stream, f indexer, errs ...error) (bandit.Policy, error) {
	if err := cmp.Or(cmp.Or(errs...), o.validate()); err != nil {
		return nil, err
	}
	arms := len(s.Spec.Arms)
	c := &tally{rewardRange: newRange(o), rewards: make([]moments.Running, arms), draws: draws, indexer: f, index: make([]float64, arms)}
	c.Fields = c.state
	if draws != nil {
		c.Fields = func(s *state.Codec) {
			s.Part(c.state)
			s.Object(draws)
		}
	}
	return c, nil
}

// Act returns the available arm with the highest index, the first one in a tie.
func (c *tally) Act(r bandit.Round) (int, error) {
	for arm, m := range c.rewards {
		if c.draws == nil && m.N == 0 && r.CanPull(arm) {
			return arm, nil
		}
	}
	c.indexer(c.index, c)
	return argmax(c.index, r.Available)
}

// maxReward bounds the absolute value of rewards, so that their squares are finite and their means are not NaN. The
// searches and rejection samplers of policies cannot handle NaN.
const maxReward = 1e100

func (c *tally) Learn(_ bandit.Round, arm int, reward float64) error {
	if err := c.add(arm, reward); err != nil {
		return err
	}
	c.rewards[arm].Add(reward)
	return nil
}

// add counts a reward and widens the range to it, or returns an error if it is too large or outside a declared range.
func (c *rewardRange) add(arm int, reward float64) error {
	switch {
	case !(math.Abs(reward) <= maxReward):
		return fmt.Errorf("policy: a reward of %g of arm %d, want at most %g in size", reward, arm, maxReward)
	case c.o.Kind == "declared" && (reward < c.o.Low || reward > c.o.High):
		return fmt.Errorf("policy: a reward of %g of arm %d, want range.low, %g, to range.high, %g: widen the range, or set range.kind to seen", reward, arm, c.o.Low, c.o.High)
	case c.o.Kind == "seen" && c.total == 0:
		c.low, c.high = reward, reward
	}
	c.low, c.high = min(c.low, reward), max(c.high, reward)
	c.total++
	return nil
}

// width returns the length of the range; 1 if all rewards so far are equal.
func (c *rewardRange) width() float64 {
	if c.high > c.low {
		return c.high - c.low
	}
	return 1
}

// scaled returns the mean reward of an arm, scaled to [0, 1] by the range; 0 without pulls.
func (c *tally) scaled(arm int) float64 {
	if c.rewards[arm].N == 0 {
		return 0
	}
	return min(1, max(0, (c.rewards[arm].Mean-c.low)/c.width()))
}

// variance returns the (biased) variance of an arm's rewards, scaled to [0, 1] by the range.
func (c *tally) variance(arm int) float64 {
	w := c.width()
	return c.rewards[arm].Squares / c.rewards[arm].N / float64(w*w)
}

func (c *tally) state(s *state.Codec) {
	c.total = 0
	for arm := range c.rewards {
		m := &c.rewards[arm]
		n := int(m.N)
		s.Int("pulls", &n, 0, math.MaxInt/len(c.rewards))
		s.Float64In("mean reward", &m.Mean, -maxReward, maxReward)
		s.Float64In("sum of squared deviations", &m.Squares, 0, math.MaxFloat64)
		m.N = float64(n)
		c.total += n
	}
	c.limits(s)
}

// limits saves or restores the lowest and the highest reward.
func (c *rewardRange) limits(s *state.Codec) {
	s.Float64In("lowest reward", &c.low, -math.MaxFloat64, math.MaxFloat64)
	s.Float64In("highest reward", &c.high, -math.MaxFloat64, math.MaxFloat64)
}
