// Package swag fits a Gaussian to an optimizer's path (SWAG: stochastic weight averaging, Maddox et al., NeurIPS 2019).
package swag

import (
	"cmp"
	"fmt"
	"math"

	"banditsim/internal/check"
	"banditsim/internal/kernel"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// A Gaussian fits parameter snapshots x₁, x₂, … (Maddox et al. 2019, section 3): for x_i, with w = 1/min(i, memory),
//
//	µ ← µ + w(x_i − µ),  v ← (1−w)(v + w(x_i − µ_before)²),  d_i = x_i − µ
//	x ~ N(µ, ½(diag(v) + DDᵀ/(K−1)))
//
// where the columns of D are the last K ≤ rank deviations d_i, each from the mean right after snapshot i. If K < 2, the
// term of D is 0. As long as i ≤ memory, µ and v are the mean and variance of all snapshots, as in the paper. Later,
// older snapshots count less, because the parameters change when data are added.
type Gaussian struct {
	state.Fields
	rank, memory   int
	n              int         // number of snapshots
	mean, variance []float64   // µ, v
	deviations     [][]float32 // ring of the last deviations d_i, at most rank of them
	next           int         // index in the ring of the next deviation
	factors        []float32   // standard normal numbers of a draw, one per deviation
}

// New returns a Gaussian in dim dimensions before any snapshot. It returns an error if the argument memory is below 1,
// or if rank is below 2 or above max(2, check.MaxNumbers/dim), the bound on the memory of a trial.
func New(dim, rank, memory int) (*Gaussian, error) {
	most := max(2, int(check.MaxNumbers/max(1, dim)))
	if err := cmp.Or(check.Within("rank", rank, 2, most), check.Within("memory", memory, 1, math.MaxInt)); err != nil {
		return nil, err
	}
	g := &Gaussian{rank: rank, memory: memory, mean: make([]float64, dim), variance: make([]float64, dim),
		factors: make([]float32, rank)}
	g.Fields = g.state
	return g, nil
}

// N returns the number of snapshots.
func (g *Gaussian) N() int { return g.n }

// Add adds a snapshot, which it copies. It panics if the length of x is not dim.
func (g *Gaussian) Add(x []float32) {
	if len(x) != len(g.mean) {
		panic(fmt.Sprintf("swag: a snapshot of %d parameters, want %d", len(x), len(g.mean)))
	}
	g.n++
	w := 1 / float64(min(g.n, g.memory))
	if len(g.deviations) < g.rank {
		g.deviations = append(g.deviations, make([]float32, len(x)))
	}
	column := g.deviations[g.next]
	g.next = (g.next + 1) % g.rank
	for j, v := range x {
		d := float64(v) - g.mean[j]
		move := float64(w * d)
		g.mean[j] += move
		g.variance[j] = (1 - w) * (g.variance[j] + float64(move*d))
		column[j] = float32(float64(v) - g.mean[j])
	}
}

// Mean writes µ to dst, of length dim.
func (g *Gaussian) Mean(dst []float32) {
	for j, v := range g.mean {
		dst[j] = float32(v)
	}
}

// Draw writes a draw of x to dst, of length dim.
func (g *Gaussian) Draw(dst []float32, r posterior.Normals) {
	r.Normals(dst)
	for j, v := range g.variance {
		dst[j] = float32(math.Sqrt(v/2) * float64(dst[j]))
	}
	if k := len(g.deviations); k > 1 {
		r.Normals(g.factors[:k])
		unit := 1 / math.Sqrt(2*float64(k-1))
		for i, column := range g.deviations {
			kernel.Axpy(dst, float32(unit*float64(g.factors[i])), column)
		}
	}
	for j, v := range g.mean {
		dst[j] += float32(v)
	}
}

// Rescale changes the fit as if x[j] had been factor·x[j] + shift in all past snapshots, for j from first to end−1.
func (g *Gaussian) Rescale(first, end int, factor, shift float64) {
	for j := first; j < end; j++ {
		g.mean[j] = float64(factor*g.mean[j]) + shift
		g.variance[j] *= float64(factor * factor)
		for _, column := range g.deviations {
			column[j] = float32(factor * float64(column[j]))
		}
	}
}

// Reset forgets all snapshots.
func (g *Gaussian) Reset() {
	g.n, g.next, g.deviations = 0, 0, nil
	clear(g.mean)
	clear(g.variance)
}

func (g *Gaussian) state(c *state.Codec) {
	c.Int("snapshots", &g.n, 0, math.MaxInt)
	c.Int("next deviation", &g.next, 0, g.rank-1)
	c.Float64s(g.mean)
	c.Float64s(g.variance)
	state.Slice(c, "deviations", &g.deviations, g.rank, func(v *[]float32) {
		n := len(g.mean)
		c.Int("length of a deviation", &n, n, n)
		if c.Reading() {
			*v = make([]float32, n)
		}
		c.Float32s(*v)
	})
	if c.Reading() && c.Err() == nil {
		if k := min(g.n, g.rank); len(g.deviations) != k || g.next != g.n%g.rank {
			c.Fail(fmt.Errorf("swag: restore: %d deviations of %d snapshots, the next at %d, want %d and %d", len(g.deviations), g.n, g.next, k, g.n%g.rank))
		}
	}
}
