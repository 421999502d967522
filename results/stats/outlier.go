package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"

	"banditsim/internal/lists"
)

// outlierLevel is approximately the share of normal samples in which Outliers finds an outlier.
const outlierLevel = 0.01

// Outliers returns the indices of the values with
//
//	|v − median| > k·1.4826·MAD,
//
// where MAD is the median absolute deviation from the median (Iglewicz and Hoaglin 1993: How to Detect and Handle
// Outliers, section 3.3); for normal values, 1.4826·MAD estimates the standard deviation. With k = 3.5, as they
// propose, 15 % of samples of six normal values have an outlier. Here k is the quantile at 1 − outlierLevel/2n of
// Student's t with ⌊n/2⌋ degrees of freedom for n values, which lowers that share to about outlierLevel: k is 10.9 for
// 6 values, 6.9 for 10 and 5.1 for 20. Fewer than three values have no outliers.
//
// If more than half of the values are equal, MAD is 0, and 1.2533 times the mean absolute deviation takes the place of
// 1.4826·MAD, as in SPSS.
func Outliers(values []float64) []int {
	n := len(values)
	if n < 3 {
		return nil
	}
	center := Median(values)
	deviations := lists.Each(values, func(v float64) float64 { return math.Abs(v - center) })
	scale := 1.4826 * Median(deviations)
	if scale == 0 {
		scale = math.Sqrt(math.Pi/2) * meanOf(deviations)
	}
	limit := scale * studentsTQuantile(n/2, 1-outlierLevel/float64(2*n))
	var found []int
	for i, d := range deviations {
		if d > limit {
			found = append(found, i)
		}
	}
	return found
}

// skewedLevel is the maximum share of normal samples for which Skewed returns true.
const skewedLevel = 0.01

// minSkewed is the smallest number of values for which Z(g) in Skewed is nearly standard normal.
const minSkewed = 8

// Skewed reports whether the values are so skewed that the t-interval of their mean cannot be trusted: the sample
// skewness g = m₃/m₂^(3/2) satisfies both
//
//	n < 25·g²     (Cochran 1977: Sampling Techniques, section 2.15)
//	|Z(g)| > z    with P(|N(0, 1)| > z) = skewedLevel,
//
// where m₂ and m₃ are the second and third central moments of the n values, and Z(g) is approximately standard normal
// for normal values (D'Agostino 1970: Transformation to normality of the null distribution of g₁). Cochran's rule alone
// is true for too many small normal samples. Skewed returns false for fewer than minSkewed values.
func Skewed(values []float64) bool {
	n := float64(len(values))
	mean := momentsOf(values).Mean
	var m2, m3 float64
	for _, v := range values {
		d := v - mean
		m2 += d * d / n
		m3 += d * d * d / n
	}
	if n < minSkewed || m2 == 0 {
		return false
	}
	g := m3 / math.Pow(m2, 1.5)
	y := math.Abs(g) * math.Sqrt((n+1)*(n+3)/(6*(n-2)))
	kurtosis := 3 * (n*n + 27*n - 70) * (n + 1) * (n + 3) / ((n - 2) * (n + 5) * (n + 7) * (n + 9))
	w2 := math.Sqrt(2*(kurtosis-1)) - 1
	z := math.Asinh(y/math.Sqrt(2/(w2-1))) / math.Sqrt(math.Log(w2)/2)
	return n < 25*g*g && z > mathext.NormalQuantile(1-skewedLevel/2)
}
