package stats

import (
	"fmt"
	"slices"
	"testing"
)

// The sums of resamples formed side by side are those of one resample after another, to the last bit.
func TestBootstrapSums(t *testing.T) {
	for _, n := range []int{1, 2, 3, 7, 100, 257} {
		for _, resamples := range []int{1, 3, 4, 99} {
			t.Run(fmt.Sprintf("%d values %d times", n, resamples), func(t *testing.T) {
				d := make([]float64, n)
				draw := resamplingStream("values")
				for i := range d {
					d[i] = draw.Float64() - 0.4
				}
				ratio := func(sum, squares float64) float64 { return sum / (1 + squares) }
				want := bootstrap(d, resamplingStream("test"), resamples, func(resample []float64) float64 {
					var sum, squares float64
					for _, v := range resample {
						sum += v
						squares += v * v
					}
					return ratio(sum, squares)
				})
				if got := bootstrapSums(d, resamplingStream("test"), resamples, ratio); !slices.Equal(got, want) {
					t.Errorf("%v, want %v", got[:min(len(got), 5)], want[:min(len(want), 5)])
				}
			})
		}
	}
}

func BenchmarkBootstrapT(b *testing.B) {
	d := make([]float64, 2000)
	draw := resamplingStream("values")
	for i := range d {
		if draw.Float64() < 0.2 {
			d[i] = 5 * draw.Float64()
		}
	}
	for b.Loop() {
		BootstrapT.Of(d, 1)
	}
}
