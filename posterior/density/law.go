package density

import "math"

// A Law is the stationary law of the chain
//
//	x ← x − ε·M(U(x))·U'(x) + √(2τε)·w
//
// at a fixed θ, exact up to a grid of small cells, with borders at those of the bins. It includes
// the effect of a finite ε.
type Law struct {
	Middle []float64 // of each cell
	Index  []int     // its bin, from 0
	Share  []float64 // of the time
}

// Law returns the law of the sampler of step ε on d at a fixed θ. It costs O(n·b²) for n =
// 4·support/√(2τε) cells with transitions to b ≈ 70 others.
func (c Contour) Law(d Line, eps float64, logTheta []float64) Law {
	variance := 2 * c.Temperature * eps
	borders, index := c.cells(d, math.Sqrt(variance)/4)
	l := Law{Index: index}
	p := make([][]float64, len(index))
	for i := range p {
		p[i] = make([]float64, len(index))
		x, width := (borders[i]+borders[i+1])/2, borders[i+1]-borders[i]
		l.Middle = append(l.Middle, x)
		_, du := d.At(x)
		to := x - eps*c.Multiplier(index[i], logTheta)*du
		// A cell stands for its middle; the position within the cell would add width²/12 to the
		// variance (Sheppard's correction).
		sd := math.Sqrt(variance - width*width/12)
		for j := range p[i] {
			if borders[j+1] > to-8*sd && borders[j] < to+8*sd {
				p[i][j] = (math.Erf((borders[j+1]-to)/sd/math.Sqrt2) - math.Erf((borders[j]-to)/sd/math.Sqrt2)) / 2
			}
		}
	}
	l.Share = stationary(p)
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
// the same time in all bins: it raises θ where the time is too long.
func (c Contour) DiscreteFixedPoint(d Line, eps float64) []float64 {
	logTheta, _ := c.FixedPoint(d)
	for range 40 {
		for i, o := range c.Law(d, eps, logTheta).Occupancy(c.Bins) {
			logTheta[i] += math.Log(o*float64(c.Bins)) / c.Zeta
		}
	}
	first := logTheta[0]
	for i := range logTheta {
		logTheta[i] -= first
	}
	return logTheta
}

// stationary returns the law π = πp of a Markov chain by state reduction (Grassmann, Taksar,
// Heyman: Regenerative analysis and steady state distributions, Operations Research 1985). It
// destroys p.
func stationary(p [][]float64) []float64 {
	n := len(p)
	for k := n - 1; k > 0; k-- {
		first, out := k, 0.0
		for j := range k {
			if p[k][j] > 0 || p[j][k] > 0 {
				first = min(first, j)
			}
			out += p[k][j]
		}
		for i := first; i < k; i++ {
			if p[i][k] /= out; p[i][k] > 1e-30 { // less is slow and does not count
				for j := first; j < k; j++ {
					p[i][j] += p[i][k] * p[k][j]
				}
			}
		}
	}
	law, sum := make([]float64, n), 1.0
	law[0] = 1
	for k := 1; k < n; k++ {
		for i := range k {
			law[k] += law[i] * p[i][k]
		}
		sum += law[k]
	}
	for k := range law {
		law[k] /= sum
	}
	return law
}
