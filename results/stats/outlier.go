package stats

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// outlierLevel is the share of samples of normal values with an outlier.
const outlierLevel = 0.01

// Outliers returns the indices of the values with
//
//	|v − median| > k·1.4826·MAD,
//
// where MAD is the median absolute deviation from the median, 1/1.4826 of the standard
// deviation of normal values (Iglewicz and Hoaglin 1993: How to Detect and Handle Outliers,
// section 3.3). Their k = 3.5 finds one in 15 % of samples of six normal values, so
// k is the quantile of Student's t with n/2 degrees of freedom at outlierLevel/2n, which
// finds one in about outlierLevel: 10.9 for 6 values, 6.9 for 10, 5.1 for 20.
//
// If more than half of the values are equal, MAD is 0, and 1.4826·MAD is replaced by 1.2533 times the
// mean absolute deviation, as in SPSS.
func Outliers(values []float64) []int {
	n := len(values)
	if n < 3 {
		return nil
	}
	center := Median(values)
	deviations := make([]float64, n)
	for i, v := range values {
		deviations[i] = math.Abs(v - center)
	}
	scale := 1.4826 * Median(deviations)
	if scale == 0 {
		scale = math.Sqrt(math.Pi/2) * stat.Mean(deviations, nil)
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
