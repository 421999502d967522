package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Nemenyi returns the critical difference of the mean ranks of k treatments over n blocks, q·√(k(k+1)/6n):
// those of any two differ at level Significance, corrected for all pairs, if they are further apart
// (Nemenyi 1963; Demšar 2006, section 3.2.2). q is the quantile of the studentized range of infinite
// degrees of freedom, over √2. NaN for k or n below 2.
func Nemenyi(k, n int) float64 {
	if k < 2 || n < 2 {
		return math.NaN()
	}
	return rangeQuantile(k, 1-Significance) / math.Sqrt2 * math.Sqrt(float64(k*(k+1))/float64(6*n))
}

// rangeQuantile returns the quantile at p of the range of k standard normals, by bisection.
func rangeQuantile(k int, p float64) float64 {
	low, high := 0.0, 40.0
	for high-low > 1e-10 {
		if middle := (low + high) / 2; rangeCDF(k, middle) < p {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2
}

// rangeCDF returns the probability that k standard normals lie within q: k∫φ(z)(Φ(z)−Φ(z−q))ᵏ⁻¹dz with z
// the largest, by the trapezoidal rule, whose error for so smooth an integrand is below 1e-12.
func rangeCDF(k int, q float64) float64 {
	const reach, steps = 9.0, 720
	sum := 0.0
	for i := range steps + 1 {
		z := -reach + 2*reach*float64(i)/steps
		normal := distuv.UnitNormal
		sum += normal.Prob(z) * math.Pow(normal.CDF(z)-normal.CDF(z-q), float64(k-1))
	}
	return float64(k) * sum * 2 * reach / steps
}
