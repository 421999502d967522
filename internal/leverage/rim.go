package leverage

import (
	"fmt"
	"math"
	"slices"

	"banditsim/internal/state"
)

// A rim counts the pulls of arms in extreme contexts: those that are farther from the mean than 49 of 50. What is best there can be
// another arm than elsewhere, and nothing that was learned elsewhere tells.
type rim struct {
	need     int // pulls of each arm; 0: off
	pulls    []int
	contexts int
	farthest []float64 // the largest squared distances, ascending: about twice those of the rim
}

const (
	rimShare = 50 // contexts for each of the rim
	rimFirst = 50 // contexts before the rim is known
)

// open reports whether an arm has to be pulled at the rim.
func (r *rim) open() bool { return slices.Min(r.pulls) < r.need }

// least returns the arm with the fewest pulls of those that are available and need some, the lowest of equals; -1: none.
func (r *rim) least(available []bool) int {
	best := -1
	for arm, n := range r.pulls {
		if n < r.need && (available == nil || available[arm]) && (best < 0 || n < r.pulls[best]) {
			best = arm
		}
	}
	return best
}

// beyond reports whether a context at the squared distance is one of the rim.
func (r *rim) beyond(distance float64) bool {
	return r.contexts >= rimFirst && distance > r.farthest[len(r.farthest)-r.contexts/rimShare]
}

// add adds a pull in a context at the squared distance.
func (r *rim) add(distance float64, arm int) {
	if r.beyond(distance) {
		r.pulls[arm]++
	}
	r.contexts++
	i, _ := slices.BinarySearch(r.farthest, distance)
	r.farthest = slices.Insert(r.farthest, i, distance)
	r.farthest = slices.Delete(r.farthest, 0, max(0, len(r.farthest)-r.kept()))
}

// kept returns the number of distances that are kept of as many contexts or more.
func (r *rim) kept() int { return 2*(r.contexts/rimShare) + 8 }

func (r *rim) state(c *state.Codec) {
	if r.need == 0 {
		return
	}
	for a := range r.pulls {
		c.Int("pulls at the rim", &r.pulls[a], 0, math.MaxInt)
	}
	c.Int("contexts", &r.contexts, 0, math.MaxInt)
	r.farthest = state.Resize(c, "distances", r.farthest, 1<<24)
	c.Float64s(r.farthest)
	// In every rimShare-th context one more is kept than there is.
	if n := min(r.contexts, r.kept()); c.Reading() && len(r.farthest) != n && (r.contexts%rimShare > 0 ||
		len(r.farthest) != n-1) {
		c.Fail(fmt.Errorf("leverage: %d distances of the rim, want %d after %d contexts", len(r.farthest), n, r.contexts))
	}
}
