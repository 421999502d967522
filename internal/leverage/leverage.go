// Package leverage finds arms whose pulls say too little about a context: those that must be pulled before predictions count.
package leverage

import (
	"math"

	"banditsim/bandit/stream"
	"banditsim/internal/moments"
	"banditsim/internal/ridge"
	"banditsim/internal/state"
)

// A Monitor says which arms have to be pulled before a posterior can know them: those whose pulls do not cover the context.
// φ is the context, centered and scaled by the moments of those observed so that its squares sum to its length on
// average, and a constant; contexts of more than 32 numbers are projected on 32 random signs (Johnson and Lindenstrauss
// 1984). With the leverage of an arm
//
//	h_a(c) = φᵀ(I/9 + Σ φφᵀ)⁻¹φ  over the pulls of the arm
//
// the arm of the highest leverage is to be pulled where that is above the mean leverage of a context after N pulls in the
// first N contexts observed: each arm comes to be known where it could be chosen as well as after N pulls at random, and
// at the rim of the contexts sooner than by pulls at random (G-optimal design: Kiefer and Wolfowitz, Canadian Journal of
// Mathematics 12, 1960). Monitor is over after 500 contexts in turn that needed no pull.
//
// A context costs O(arms·d²) with d ≤ 33 numbers until then.
type Monitor struct {
	pulls     int       // N
	signs     []float32 // signs of the projection, dim × projected; nil: none
	phi       ridge.Vector
	row       []float64
	arms      []*ridge.Inverse
	reference *ridge.Inverse // inverse for the first N contexts
	contexts  int            // observed
	sum       float64        // sum of the leverage of the contexts after the first N
	idle      int            // contexts in turn that needed no pull
	rim       rim
}

const (
	projected  = 32
	priorRidge = 1. / 9
	settled    = 500 // contexts in turn that need no pull, after which coverage is over
	firstMean  = 5   // contexts after the first N before their mean leverage counts
)

// New returns a monitor that wants of each arm the coverage that N = pulls at random would give, in contexts of dim numbers. If atRim is
// above 0, each arm has to be pulled atRim times in extreme contexts too: those farther from the mean than 49 of 50. The stream
// draws the signs of the projection.
func New(pulls, dim, arms, atRim int, r *stream.Stream) *Monitor {
	c := &Monitor{pulls: pulls, row: make([]float64, min(dim, projected)), rim: rim{need: atRim, pulls: make([]int, arms)}}
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

// over reports whether all arms are covered for good, but for the rim. With N = 0 they are from the start.
func (c *Monitor) over() bool { return c.pulls == 0 || c.idle >= settled }

// set sets φ.
func (c *Monitor) set(context []float32, in *moments.Vectors) {
	clear(c.row)
	variance := 0.0
	for j, v := range context {
		variance += in.Squares[j]
		d := float64(v) - in.Mean[j]
		if c.signs == nil {
			c.row[j] = d
			continue
		}
		for k, sign := range c.signs[j*projected:][:projected] {
			c.row[k] += float64(d * float64(sign))
		}
	}
	// The squares of a row sum to the variance of the context on average; of a projected one, to 32 times that.
	if c.signs != nil {
		variance *= projected
	}
	factor := 0.0
	if variance > 0 {
		factor = math.Sqrt(float64(len(c.row)) * in.N / variance)
	}
	c.phi.Index, c.phi.Value = c.phi.Index[:0], c.phi.Value[:0]
	for k, v := range c.row {
		if v != 0 {
			c.phi.Index, c.phi.Value = append(c.phi.Index, int32(k)), append(c.phi.Value, factor*v)
		}
	}
	c.phi.Index, c.phi.Value = append(c.phi.Index, int32(len(c.row))), append(c.phi.Value, 1)
}

// Add adds a pull, after its context was added to the moments.
func (c *Monitor) Add(context []float32, arm int, in *moments.Vectors) {
	rim := c.rim.open()
	if c.over() && !rim {
		return
	}
	c.set(context, in)
	if rim {
		c.rim.add(c.distance(), arm)
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
	// The pull was needed if the arm was not covered: the policy may have pulled it unasked.
	if limit, ok := c.limit(); ok && c.arms[arm].Quad(&c.phi) <= limit {
		c.idle++
	} else {
		c.idle = 0
	}
	c.arms[arm].Add(&c.phi, 1)
}

// limit returns the leverage above which an arm has to be pulled; ok is false before it is known.
func (c *Monitor) limit() (limit float64, ok bool) {
	n := c.contexts - c.pulls
	return c.sum / float64(n), n >= firstMean
}

// distance returns the squared distance from the mean of the contexts that set has set.
func (c *Monitor) distance() float64 {
	sum := 0.0
	for _, v := range c.phi.Value[:len(c.phi.Value)-1] {
		sum += float64(v * v)
	}
	return sum
}

// Need writes the leverage of each arm that has to be pulled to dst, 0 for others. With all, every arm has to be.
func (c *Monitor) Need(dst []float64, context []float32, in *moments.Vectors, all bool) {
	clear(dst)
	limit, ok := c.limit()
	if !all && (!ok || c.over()) {
		return
	}
	c.set(context, in)
	for a := range c.arms {
		if h := c.arms[a].Quad(&c.phi); all || h > limit {
			dst[a] = h
		}
	}
}

// AtRim returns the arm that has to be pulled in the context as an extreme one, of those that are available (nil: all),
// and -1 if none has. The rim stays open for an arm that is not available.
func (c *Monitor) AtRim(context []float32, in *moments.Vectors, available []bool) int {
	arm := c.rim.least(available)
	if arm < 0 {
		return -1
	}
	c.set(context, in)
	if !c.rim.beyond(c.distance()) {
		return -1
	}
	return arm
}

// State saves the pulls or restores them.
func (c *Monitor) State(s *state.Codec) {
	s.Int("contexts", &c.contexts, 0, math.MaxInt)
	s.Int("contexts that needed no pull", &c.idle, 0, math.MaxInt)
	s.Float64In("sum of leverages", &c.sum, 0, math.MaxFloat64)
	s.Object(c.reference)
	for _, a := range c.arms {
		s.Object(a)
	}
	c.rim.state(s)
}
