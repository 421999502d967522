package stats

import (
	"math"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/must"
)

func TestOutliers(t *testing.T) {
	for _, test := range []struct {
		name   string
		values []float64
		want   []int
	}{
		{"none", nil, nil},
		{"two", []float64{1, 1e9}, nil},
		{"even spread", []float64{1, 2, 3, 4, 5, 6}, nil},
		// The median is 3.5, MAD is 1.5 and k is 10.87, so that the limit is 24.2 from the median.
		{"just within", []float64{1, 2, 3, 4, 5, 27.6}, nil},
		{"just without", []float64{1, 2, 3, 4, 5, 27.8}, []int{5}},
		{"below, order and place", []float64{2, -30, 1, 4, 5, 3}, []int{1}},
		{"two of ten do not hide each other", []float64{1, 2, 3, 90, 4, 5, 6, 95, 7, 8}, []int{3, 7}},
		{"all equal", []float64{7, 7, 7, 7, 7, 7}, nil},
		{"all but one equal", []float64{7, 7, 7, 7, 7, 7, 7, 7, 7, 8}, []int{9}},
	} {
		must.Equal(t, test.name, Outliers(test.values), test.want)
	}
}

// TestOutliersOfNormals checks that the share of normal samples with an outlier is within half of outlierLevel of it.
func TestOutliersOfNormals(t *testing.T) {
	const samples = 10_000
	for _, n := range []int{6, 10, 20, 40} {
		s := stream.Root(1).Child("outliers", n)
		d := make([]float64, n)
		found := 0
		for range samples {
			for i := range d {
				d[i] = s.Normal()
			}
			if len(Outliers(d)) > 0 {
				found++
			}
		}
		standardError := math.Sqrt(outlierLevel * (1 - outlierLevel) / samples)
		must.Near(t, "share of samples with an outlier", float64(found)/samples, outlierLevel, outlierLevel/2+5*standardError)
		t.Logf("%d values: %.2f %%", n, 100*float64(found)/samples)
	}
}

// TestSkewed checks that Skewed is true for at most skewedLevel of normal samples, and for most samples that are as skewed
// as the regret of a policy that sometimes stops learning.
func TestSkewed(t *testing.T) {
	const samples = 10_000
	slack := 5 * math.Sqrt(skewedLevel*(1-skewedLevel)/samples)
	for _, n := range []int{8, 10, 20, 40, 100} {
		s := stream.Root(1).Child("skewed", n)
		v := make([]float64, n)
		normal, lognormal := 0, 0
		for range samples {
			for i := range v {
				v[i] = s.Normal()
			}
			if Skewed(v) {
				normal++
			}
			for i := range v {
				v[i] = math.Exp(1.5 * v[i])
			}
			if Skewed(v) {
				lognormal++
			}
		}
		alarms, found := float64(normal)/samples, float64(lognormal)/samples
		t.Logf("%d values: %.2f %% of normal samples, %.1f %% of lognormal ones", n, 100*alarms, 100*found)
		must.That(t, alarms <= skewedLevel+slack+0.002,
			"%d values: %.2f %% of normal samples are reported, want at most %v %%", n, 100*alarms, 100*skewedLevel)
		must.That(t, n < 20 || found >= 0.8, "%d values: only %.1f %% of lognormal samples are reported", n, 100*found)
	}
}
