package policy

import (
	"fmt"
	"math"

	"banditsim/bandit"
	"banditsim/internal/check"
	"banditsim/internal/state"
)

// RangeOptions say how policies for rewards in [0, 1] scale others.
type RangeOptions struct {
	// Kind is "seen" (from the lowest to the highest reward so far, of all arms) or "declared" (from
	// low to high; a reward outside is an error).
	Kind string  `json:"kind" enum:"seen,declared"`
	Low  float64 `json:"low"`  // the lowest reward, if declared
	High float64 `json:"high"` // the highest reward, if declared; above low
}

// unitRange returns the default: the range that has been seen.
func unitRange() RangeOptions { return RangeOptions{Kind: "seen", Low: 0, High: 1} }

func (o RangeOptions) validate() error {
	if err := check.OneOf("range.kind", o.Kind, "seen", "declared"); err != nil {
		return err
	}
	if err := check.First(check.Finite("range.low", o.Low), check.Finite("range.high", o.High), check.Finite("range.high − range.low", o.High-o.Low)); err != nil {
		return err
	}
	if !(o.Low < o.High) {
		return fmt.Errorf("range.high: %g, want above range.low, %g", o.High, o.Low)
	}
	return nil
}

// A tally has number, mean and sum of squared deviations of each arm's rewards, and their range. It is
// the state of the policies that ignore contexts.
type tally struct {
	o         RangeOptions
	pulls     []int
	mean, m2  []float64
	total     int
	low, high float64
}

func newTally(o RangeOptions, arms int) tally {
	return tally{o: o, pulls: make([]int, arms), mean: make([]float64, arms), m2: make([]float64, arms), low: o.Low, high: o.High}
}

// maxReward bounds rewards, so that their squares are finite: a mean that is not a number would have no place
// in the searches and rejections of the policies.
const maxReward = 1e100

// Learn adds the reward to the arm's moments (Welford, Technometrics 4, 1962).
func (c *tally) Learn(_ bandit.Round, arm int, reward float64) error {
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
	c.pulls[arm]++
	d := reward - c.mean[arm]
	c.mean[arm] += d / float64(c.pulls[arm])
	c.m2[arm] += float64(d * (reward - c.mean[arm]))
	return nil
}

// width returns the length of the range; 1 if only one reward has been seen.
func (c *tally) width() float64 {
	if c.high > c.low {
		return c.high - c.low
	}
	return 1
}

// scaled returns the mean of an arm on the scale where the range is [0, 1]; 0 without pulls.
func (c *tally) scaled(arm int) float64 {
	if c.pulls[arm] == 0 {
		return 0
	}
	return min(1, max(0, (c.mean[arm]-c.low)/c.width()))
}

// variance returns the (biased) variance of an arm on that scale.
func (c *tally) variance(arm int) float64 {
	w := c.width()
	return c.m2[arm] / float64(c.pulls[arm]) / float64(w*w)
}

// best returns the arm with the highest index, the lowest of equals. An arm without pulls comes first.
func (c *tally) best(index func(arm int) float64) int {
	best, highest := 0, math.Inf(-1)
	for arm, n := range c.pulls {
		if n == 0 {
			return arm
		}
		if v := index(arm); v > highest {
			best, highest = arm, v
		}
	}
	return best
}

// MarshalBinary saves the moments and the range.
func (c *tally) MarshalBinary() ([]byte, error) { return state.Save(c.state) }

// UnmarshalBinary restores what MarshalBinary saved.
func (c *tally) UnmarshalBinary(b []byte) error { return state.Restore(b, c.state) }

func (c *tally) state(s *state.Codec) {
	c.total = 0
	for arm := range c.pulls {
		s.Int("pulls", &c.pulls[arm], 0, math.MaxInt/len(c.pulls))
		s.Float64In("mean reward", &c.mean[arm], -maxReward, maxReward)
		s.Float64In("sum of squared deviations", &c.m2[arm], 0, math.MaxFloat64)
		c.total += c.pulls[arm]
	}
	s.Float64In("lowest reward", &c.low, -math.MaxFloat64, math.MaxFloat64)
	s.Float64In("highest reward", &c.high, -math.MaxFloat64, math.MaxFloat64)
}
