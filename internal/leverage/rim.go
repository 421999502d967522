package leverage

import (
	"fmt"
	"math"
	"slices"

	"banditsim/internal/state"
)

// A rim counts the pulls of each arm in extreme contexts, the 2 % farthest from the mean. The best arm there can differ
// from the best elsewhere, and pulls elsewhere do not show it.
type rim struct {
	need     int // pulls of each arm; 0: off
	pulls    []int
	contexts int
	farthest []float64 // largest squared distances, ascending: about twice as many as there are extreme contexts
}

const (
	rimShare = 50 // one of so many contexts is extreme
	rimFirst = 50 // contexts before any counts as extreme
)

// open reports whether some arm still needs pulls in extreme contexts.
func (r *rim) open() bool { return slices.Min(r.pulls) < r.need }

// least returns the available arm that needs pulls and has the fewest, the first of ties, or -1 if there is none.
func (r *rim) least(available []bool) int {
	best := -1
	for arm, n := range r.pulls {
		if n < r.need && (available == nil || available[arm]) && (best < 0 || n < r.pulls[best]) {
			best = arm
		}
	}
	return best
}

// beyond reports whether a context at this squared distance from the mean is extreme.
func (r *rim) beyond(distance float64) bool {
	return r.contexts >= rimFirst && distance > r.farthest[len(r.farthest)-r.contexts/rimShare]
}

// add adds a pull of an arm in a context at this squared distance from the mean.
func (r *rim) add(distance float64, arm int) {
	if r.beyond(distance) {
		r.pulls[arm]++
	}
	r.contexts++
	i, _ := slices.BinarySearch(r.farthest, distance)
	r.farthest = slices.Insert(r.farthest, i, distance)
	r.farthest = slices.Delete(r.farthest, 0, max(0, len(r.farthest)-r.kept()))
}

// kept returns the largest number of distances that are kept after this many contexts.
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
	// Where contexts is a multiple of rimShare, kept has just grown, and farthest may be one shorter.
	if n := min(r.contexts, r.kept()); c.Reading() && len(r.farthest) != n && (r.contexts%rimShare > 0 ||
		len(r.farthest) != n-1) {
		c.Fail(fmt.Errorf("leverage: %d distances of the rim, want %d after %d contexts", len(r.farthest), n, r.contexts))
	}
}
