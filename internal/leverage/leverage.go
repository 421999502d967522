// Package leverage finds the arms that have too few pulls near a context for their predictions there to be trusted.
package leverage

import (
	"fmt"
	"math"
	"slices"

	"banditsim/bandit/stream"
	"banditsim/internal/moments"
	"banditsim/internal/ridge"
	"banditsim/internal/state"
)

// A Monitor reports which arms have to be pulled in a context because their own pulls say too little about it. The
// criterion is the leverage of the arm,
//
//	h_a(c) = φᵀ(I/9 + Σ φφᵀ)⁻¹φ  with the sum over the pulls of arm a
//
// where φ is the context with a constant 1 appended. Before that, the context is centered by the mean of the observed
// contexts, each column with numbers other than 0 and 1 is divided by its standard deviation, and the whole is scaled
// so that, on average, the sum of its squares is the number of its elements. Contexts of more than 32 numbers are
// projected onto 32 vectors of random signs (Johnson and Lindenstrauss 1984).
//
// An arm has to be pulled where its leverage exceeds a limit: the mean leverage, in later contexts, of an imagined arm
// that was pulled in all of the first N contexts. So every arm becomes as well known as after N random pulls. In
// extreme contexts leverages are highest, and pulls are needed more often (G-optimal design: Kiefer and Wolfowitz,
// Canadian Journal of Mathematics 12, 1960). The Monitor stops after 500 contexts in a row in which no pull was needed.
//
// Until then a context costs O(arms·d²), with d ≤ 33 numbers in φ.
type Monitor struct {
	pulls     int       // N
	signs     []float32 // signs of the projection, dim × projected; nil: contexts are not projected
	phi       ridge.Vector
	row       []float64        // the centered context, projected if signs is not nil
	arms      []*ridge.Inverse // by arm, (I/9 + Σ φφᵀ)⁻¹
	reference *ridge.Inverse   // the same inverse for the imagined arm, which was pulled in all of the first N contexts
	contexts  int              // number of contexts observed
	sum       float64          // sum of the imagined arm's leverages in the contexts after the first N
	idle      int              // number of contexts since the last that needed a pull
	ends      [2]rim           // contexts far from the mean (the rim) and near it (the core)
}

const (
	projected  = 32
	priorRidge = 1. / 9
	settled    = 500 // contexts in a row without a needed pull after which the Monitor stops
	firstMean  = 5   // the limit is a mean over at least this many contexts after the first N
)

// New returns a Monitor with N = pulls, for contexts of dim numbers. Each arm also has to be pulled atRim times in the
// 2 % of contexts farthest from the mean, and atCore times in the nearest 2 %. r draws the signs of the projection.
func New(pulls, dim, arms, atRim, atCore int, r *stream.Stream) *Monitor {
	c := &Monitor{pulls: pulls, row: make([]float64, min(dim, projected)),
		ends: [2]rim{{need: atRim, sign: 1, pulls: make([]int, arms)}, {need: atCore, sign: -1, pulls: make([]int, arms)}}}
	if dim > projected {
		c.signs = make([]float32, dim*projected)
		for i := range c.signs {
			c.signs[i] = float32(2*r.IntN(2) - 1)
		}
	}
	for range arms {
		c.arms = append(c.arms, ridge.New(len(c.row)+1, priorRidge))
	}
	c.reference = ridge.New(len(c.row)+1, priorRidge)
	return c
}

// over reports whether the Monitor has stopped or, with N = 0, never starts. Rim and core may still require pulls.
func (c *Monitor) over() bool { return c.pulls == 0 || c.idle >= settled }

// set sets phi to the φ of a context. The argument seen has the moments of the contexts so far.
func (c *Monitor) set(context []float32, seen *moments.Vectors) {
	clear(c.row)
	variance := 0.0
	for j, v := range context {
		d, squares := float64(v)-seen.Mean[j], seen.Squares[j]
		if seen.Number[j] && squares > 0 {
			d *= math.Sqrt(seen.N / squares)
			squares = seen.N
		}
		variance += squares
		if c.signs == nil {
			c.row[j] = d
			continue
		}
		for k, sign := range c.signs[j*projected:][:projected] {
			c.row[k] += float64(d * float64(sign))
		}
	}
	// On average the squares in row sum to variance/seen.N, the sum of the columns' variances after their division or,
	// after projection, to 32 times that.
	if c.signs != nil {
		variance *= projected
	}
	factor := 0.0
	if variance > 0 {
		factor = math.Sqrt(float64(len(c.row)) * seen.N / variance)
	}
	c.phi.Index, c.phi.Value = c.phi.Index[:0], c.phi.Value[:0]
	for k, v := range c.row {
		if v != 0 {
			c.phi.Index, c.phi.Value = append(c.phi.Index, int32(k)), append(c.phi.Value, factor*v)
		}
	}
	c.phi.Index, c.phi.Value = append(c.phi.Index, int32(len(c.row))), append(c.phi.Value, 1)
}

// Add adds a pull. The context must have been added to the moments in seen before.
func (c *Monitor) Add(context []float32, arm int, seen *moments.Vectors) {
	if c.over() && !c.ends[0].open() && !c.ends[1].open() {
		return
	}
	c.set(context, seen)
	for i := range c.ends {
		c.ends[i].add(c.distance(), arm)
	}
	if c.over() {
		return
	}
	c.contexts++
	if c.contexts <= c.pulls {
		c.reference.Add(&c.phi, 1)
	} else {
		c.sum += c.reference.Quad(&c.phi)
	}
	// The pull was needed if the arm's leverage is above the limit, even if the policy chose the arm without asking Need.
	if limit, ok := c.limit(); ok && c.arms[arm].Quad(&c.phi) <= limit {
		c.idle++
	} else {
		c.idle = 0
	}
	c.arms[arm].Add(&c.phi, 1)
}

// limit returns the leverage above which an arm has to be pulled; ok is false while contexts are too few to know it.
func (c *Monitor) limit() (limit float64, ok bool) {
	n := c.contexts - c.pulls
	return c.sum / float64(n), n >= firstMean
}

// distance returns the scaled squared distance between the mean and the context of the last call of set.
func (c *Monitor) distance() float64 {
	sum := 0.0
	for _, v := range c.phi.Value[:len(c.phi.Value)-1] {
		sum += float64(v * v)
	}
	return sum
}

// Need sets dst to the leverage of each arm that has to be pulled in the context, and to 0 for all others. If the
// argument all is true, it sets dst to the leverage of every arm.
func (c *Monitor) Need(dst []float64, context []float32, seen *moments.Vectors, all bool) {
	clear(dst)
	limit, ok := c.limit()
	if !all && (!ok || c.over()) {
		return
	}
	c.set(context, seen)
	for a := range c.arms {
		if h := c.arms[a].Quad(&c.phi); all || h > limit {
			dst[a] = h
		}
	}
}

// AtEnd returns the available arm that has to be pulled because the context is in the rim or the core, or -1 if there
// is none. If available is nil, all arms are. An unavailable arm stays due for later contexts of the same kind.
func (c *Monitor) AtEnd(context []float32, seen *moments.Vectors, available []bool) int {
	for i := range c.ends {
		if arm := c.ends[i].least(available); arm >= 0 {
			if c.set(context, seen); c.ends[i].beyond(c.distance()) {
				return arm
			}
		}
	}
	return -1
}

// State saves or restores the data of the pulls.
func (c *Monitor) State(s *state.Codec) {
	s.Int("contexts", &c.contexts, 0, math.MaxInt)
	s.Int("contexts that needed no pull", &c.idle, 0, math.MaxInt)
	s.Float64In("sum of leverages", &c.sum, 0, math.MaxFloat64)
	s.Object(c.reference)
	for _, a := range c.arms {
		s.Object(a)
	}
	for i := range c.ends {
		c.ends[i].state(s)
	}
}

// A rim counts the pulls of each arm in extreme contexts: the 2 % farthest from the mean or, if sign is −1, the 2 %
// nearest to it (the core). There another arm can be the best, and pulls in other contexts do not show that.
type rim struct {
	need     int     // number of pulls that each arm needs in extreme contexts; 0: off
	sign     float64 // factor on distances: 1 or −1
	pulls    []int
	contexts int
	farthest []float64 // largest values of sign·(squared distance), ascending: about twice as many as extreme contexts
}

const (
	rimShare = 50 // one in rimShare contexts is extreme: 2 %
	rimFirst = 50 // number of contexts before one can count as extreme
)

// open reports whether some arm still needs pulls in extreme contexts.
func (r *rim) open() bool { return slices.Min(r.pulls) < r.need }

// least returns the first available arm with the fewest pulls among those that need more, or -1 if none needs more.
func (r *rim) least(available []bool) int {
	best := -1
	for arm, n := range r.pulls {
		if n < r.need && (available == nil || available[arm]) && (best < 0 || n < r.pulls[best]) {
			best = arm
		}
	}
	return best
}

// beyond reports whether a context at this squared distance from the mean is extreme compared with those given to add.
func (r *rim) beyond(distance float64) bool {
	return r.contexts >= rimFirst && r.sign*distance > r.farthest[len(r.farthest)-r.contexts/rimShare]
}

// add adds a pull of an arm in a context at a squared distance from the mean.
func (r *rim) add(distance float64, arm int) {
	if !r.open() {
		return
	}
	if r.beyond(distance) {
		r.pulls[arm]++
	}
	r.contexts++
	i, _ := slices.BinarySearch(r.farthest, r.sign*distance)
	r.farthest = slices.Insert(r.farthest, i, r.sign*distance)
	r.farthest = slices.Delete(r.farthest, 0, max(0, len(r.farthest)-r.kept()))
}

// kept returns the maximum length of farthest after r.contexts contexts.
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
	// At a multiple of rimShare the last context raised kept() by 2 but added one distance, so len(farthest) is kept()-1.
	if n := min(r.contexts, r.kept()); c.Reading() && len(r.farthest) != n && (r.contexts%rimShare > 0 ||
		len(r.farthest) != n-1) {
		c.Fail(fmt.Errorf("leverage: %d distances of the rim, want %d after %d contexts", len(r.farthest), n, r.contexts))
	}
}
