package density

import (
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/floats"

	"banditsim/bandit/stream"
)

// A Law is the stationary distribution of the chain
//
//	x ← x − ε·M(U(x))·U'(x) + √(2τε)·w
//
// at a fixed θ and a finite ε, with the multiplier M and w ~ N(0, 1), on small cells that each lie within one bin.
type Law struct {
	Middle []float64 // middle of each cell
	Index  []int     // index of each cell's bin, from 0
	Share  []float64 // probability of each cell
}

// Law returns the stationary law for step size ε on d at a fixed θ. There are n = 4L/√(2τε) cells, where L is the
// length of the support. From each cell a step can lead to b ≈ 70 others: Law takes O(n·b²) time and O(n·b) memory.
func (c Contour) Law(d Line, eps float64, logTheta []float64) Law {
	borders, index := c.grid(d, eps)
	return c.law(d, eps, logTheta, borders, index)
}

// grid returns the cells of the law for step size ε, in the form in which c.cells returns them.
func (c Contour) grid(d Line, eps float64) (borders []float64, index []int) {
	return c.cells(d, math.Sqrt(2*c.Temperature*eps)/4)
}

// law computes Law on the given cells.
func (c Contour) law(d Line, eps float64, logTheta, borders []float64, index []int) Law {
	variance := 2 * c.Temperature * eps
	l := Law{Index: index}
	rows := make([][]float64, len(index)) // transition probabilities that are not negligible
	first := make([]int, len(index))      // column of the first probability in each row
	reach := 0
	for i := range index {
		x, width := (borders[i]+borders[i+1])/2, borders[i+1]-borders[i]
		l.Middle = append(l.Middle, x)
		_, du := d.At(x)
		to := x - float64(eps*c.Multiplier(index[i], logTheta)*du)
		// Positions are rounded to the middle of their cell. The variance of the rounding, width²/12, is therefore
		// subtracted from that of the noise (Sheppard's correction).
		sd := math.Sqrt(variance - width*width/12)
		first[i] = sort.Search(len(index), func(j int) bool { return borders[j+1] > to-8*sd })
		below := math.Erf((borders[first[i]] - to) / sd / math.Sqrt2)
		for j := first[i]; j < len(index) && borders[j] < to+8*sd; j++ {
			above := math.Erf((borders[j+1] - to) / sd / math.Sqrt2)
			rows[i] = append(rows[i], (above-below)/2)
			below = above
			reach = max(reach, j-i, i-j)
		}
	}
	p, columns := make([][]float64, len(index)), 2*reach+1
	band := make([]float64, len(p)*columns)
	for i, row := range rows {
		p[i] = band[i*columns : (i+1)*columns]
		if len(row) > 0 {
			copy(p[i][first[i]-i+reach:], row)
		}
	}
	l.Share = stationary(p, reach)
	return l
}

// Flattened returns the limit of the law for ε → 0, with density ∝ e^(−U/τ)·Ψ_θ(U)^(−ζ), on the cells of Law for eps.
func (c Contour) Flattened(d Line, eps float64, logTheta []float64) Law {
	borders, index := c.grid(d, eps)
	l := Law{Index: index}
	for i := range index {
		x := (borders[i] + borders[i+1]) / 2
		u, _ := d.At(x)
		share := (borders[i+1] - borders[i]) * math.Exp(-u/c.Temperature-float64(c.Zeta*c.LogPsi(u, logTheta)))
		l.Middle, l.Share = append(l.Middle, x), append(l.Share, share)
	}
	normalize(l.Share)
	return l
}

// Draw returns the middle of a random cell: cell i with probability Share[i]. u must be uniform in [0, 1).
func (l Law) Draw(u float64) float64 {
	return l.Middle[stream.Choose(len(l.Share), u, func(i int) float64 { return l.Share[i] })]
}

// Occupancy returns the stationary probability of each of n bins.
func (l Law) Occupancy(n int) []float64 {
	o := make([]float64, n)
	for i, q := range l.Share {
		o[l.Index[i]] += q
	}
	return o
}

// DiscreteFixedPoint returns log θ, with log θ(1) = 0, for which the chain of step size ε spends the
// same time in all bins. It iterates 40 times, raising θ of bins with too much time, and does not test for convergence.
// If it diverges, the result has elements that are not finite.
func (c Contour) DiscreteFixedPoint(d Line, eps float64) []float64 {
	logTheta, _ := c.FixedPoint(d)
	borders, index := c.grid(d, eps)
	for range 40 {
		for i, o := range c.law(d, eps, logTheta, borders, index).Occupancy(c.Bins) {
			logTheta[i] += math.Log(o*float64(c.Bins)) / c.Zeta
		}
		if slices.ContainsFunc(logTheta, math.IsNaN) {
			break
		}
	}
	floats.AddConst(-logTheta[0], logTheta)
	return logTheta
}

// stationary returns the stationary distribution π = πP of a Markov chain by state reduction
// (Grassmann, Taksar, Heyman: Regenerative analysis and steady state distributions, Operations
// Research 1985). It overwrites the band matrix P: p[i][j−i+reach] is the probability of a move from i to j.
func stationary(p [][]float64, reach int) []float64 {
	n := len(p)
	for k := n - 1; k > 0; k-- {
		first, out := k, 0.0
		for j := max(k-reach, 0); j < k; j++ {
			if p[k][j-k+reach] > 0 || p[j][k-j+reach] > 0 {
				first = min(first, j)
			}
			out += p[k][j-k+reach]
		}
		for i := first; i < k; i++ {
			share := &p[i][k-i+reach]
			if *share /= out; *share > 1e-30 { // smaller shares are negligible, and subnormal numbers are slow
				row := p[i][first-i+reach:]
				for j, v := range p[k][first-k+reach : reach] {
					row[j] += float64(*share * v)
				}
			}
		}
	}
	law := make([]float64, n)
	law[0] = 1
	for k := 1; k < n; k++ {
		for i := max(k-reach, 0); i < k; i++ {
			law[k] += float64(law[i] * p[i][k-i+reach])
		}
	}
	normalize(law)
	return law
}
