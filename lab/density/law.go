package density

import (
	"math"
	"slices"
	"sort"
)

// A Law is the stationary law of the chain
//
//	x ← x − ε·M(U(x))·U'(x) + √(2τε)·w
//
// at a fixed θ, exact up to a grid of small cells, with borders at those of the bins. It includes
// the effect of a finite ε.
type Law struct {
	Middle []float64 // middle of each cell
	Index  []int     // its bin, from 0
	Share  []float64 // share of time in each cell
}

// Law returns the law of the sampler of step ε on d at a fixed θ. It costs O(n·b²) for n =
// 4·support/√(2τε) cells with transitions to b ≈ 70 others, and memory for n·b numbers.
func (c Contour) Law(d Line, eps float64, logTheta []float64) Law {
	borders, index := c.grid(d, eps)
	return c.law(d, eps, logTheta, borders, index)
}

// grid returns the cells of Law.
func (c Contour) grid(d Line, eps float64) (borders []float64, index []int) {
	return c.cells(d, math.Sqrt(2*c.Temperature*eps)/4)
}

func (c Contour) law(d Line, eps float64, logTheta, borders []float64, index []int) Law {
	variance := 2 * c.Temperature * eps
	l := Law{Index: index}
	all := make([]float64, 0, 70*len(index)) // elements of the transition matrix, row by row; it grows if they have more than 70
	first := make([]int, len(index))         // column of the first element of a row
	end := make([]int, len(index))           // index in all after the last element of a row
	reach := 0
	for i := range index {
		x, width := (borders[i]+borders[i+1])/2, borders[i+1]-borders[i]
		l.Middle = append(l.Middle, x)
		_, du := d.At(x)
		to := x - float64(eps*c.Multiplier(index[i], logTheta)*du)
		// A cell stands for its middle; the position within the cell would add width²/12 to the
		// variance (Sheppard's correction).
		sd := math.Sqrt(variance - width*width/12)
		first[i] = sort.Search(len(index), func(j int) bool { return borders[j+1] > to-8*sd })
		below := math.Erf((borders[first[i]] - to) / sd / math.Sqrt2)
		for j := first[i]; j < len(index) && borders[j] < to+8*sd; j++ {
			above := math.Erf((borders[j+1] - to) / sd / math.Sqrt2)
			all = append(all, (above-below)/2)
			below = above
			reach = max(reach, j-i, i-j)
		}
		end[i] = len(all)
	}
	p, columns := make([][]float64, len(index)), 2*reach+1
	band := make([]float64, len(p)*columns)
	begin := 0
	for i := range p {
		p[i] = band[i*columns : (i+1)*columns]
		if begin < end[i] {
			copy(p[i][first[i]-i+reach:], all[begin:end[i]])
		}
		begin = end[i]
	}
	l.Share = stationary(p, reach)
	return l
}

// Flattened returns the density ∝ e^(−U/τ)·Ψ_θ(U)^(−ζ), the law as ε → 0, on cells of Law's width at ε.
func (c Contour) Flattened(d Line, eps float64, logTheta []float64) Law {
	borders, index := c.grid(d, eps)
	l, sum := Law{Index: index}, 0.0
	for i := range index {
		x := (borders[i] + borders[i+1]) / 2
		u, _ := d.At(x)
		share := (borders[i+1] - borders[i]) * math.Exp(-u/c.Temperature-float64(c.Zeta*c.LogPsi(u, logTheta)))
		l.Middle, l.Share = append(l.Middle, x), append(l.Share, share)
		sum += share
	}
	for i := range l.Share {
		l.Share[i] /= sum
	}
	return l
}

// Occupancy returns the share of the time that the chain spends in each of n bins.
func (l Law) Occupancy(n int) []float64 {
	o := make([]float64, n)
	for i, q := range l.Share {
		o[l.Index[i]] += q
	}
	return o
}

// DiscreteFixedPoint returns the log θ, with log θ(1) = 0, at which the chain of step ε spends
// the same time in all bins: it raises θ where the time is too long. It has a NaN if the search leads
// nowhere.
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
	first := logTheta[0]
	for i := range logTheta {
		logTheta[i] -= first
	}
	return logTheta
}

// stationary returns the law π = πp of a Markov chain, whose p has at [i][j−i+reach] the chance to
// go from i to j, by state reduction (Grassmann, Taksar, Heyman: Regenerative analysis and steady
// state distributions, Operations Research 1985). It destroys p.
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
			if *share /= out; *share > 1e-30 { // less is slow and does not count
				row := p[i][first-i+reach:]
				for j, v := range p[k][first-k+reach : reach] {
					row[j] += float64(*share * v)
				}
			}
		}
	}
	law, sum := make([]float64, n), 1.0
	law[0] = 1
	for k := 1; k < n; k++ {
		for i := max(k-reach, 0); i < k; i++ {
			law[k] += float64(law[i] * p[i][k-i+reach])
		}
		sum += law[k]
	}
	for k := range law {
		law[k] /= sum
	}
	return law
}
