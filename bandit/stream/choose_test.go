package stream

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"banditsim/internal/must"
)

func TestChoose(t *testing.T) {
	below := math.Nextafter(1, 0)
	for _, c := range []struct {
		name    string
		weights []float64
		u       float64
		want    int
	}{
		{"the first", []float64{0.5, 0.5}, 0, 0},
		{"on the border", []float64{0.5, 0.5}, 0.5, 1},
		{"a weight of 0 at 0", []float64{0, 1}, 0, 1},
		{"a weight of 0 on the border", []float64{0.25, 0, 0.75}, 0.25, 2},
		{"above the sum", []float64{0.3, 0.3, 0.3}, below, 2},
		{"above the sum, without a last weight", []float64{0.3, 0.6, 0}, below, 1},
		{"no weights", []float64{0, 0}, 0.5, 1},
	} {
		if got := Choose(len(c.weights), c.u, func(i int) float64 { return c.weights[i] }); got != c.want {
			t.Errorf("%s: %v at %g: %d, want %d", c.name, c.weights, c.u, got, c.want)
		}
	}
}

// TestPermutation: each of the 24 orders of four is as likely; a count of 24,000 has the deviation √(1000·23/24) = 31.
func TestPermutation(t *testing.T) {
	counts := map[[4]int32]int{}
	s := Root(3)
	for range 24_000 {
		var order [4]int32
		s.Permutation(order[:])
		if sorted := slices.Sorted(slices.Values(order[:])); !slices.Equal(sorted, []int32{0, 1, 2, 3}) {
			t.Fatalf("%v is no permutation", order)
		}
		counts[order]++
	}
	for order, n := range counts {
		must.Near(t, fmt.Sprint(order), float64(n), 1000, 6*31)
	}
	if len(counts) != 24 {
		t.Errorf("%d orders, want 24", len(counts))
	}
}
