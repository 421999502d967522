package stats

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/must"
)

// maize has the differences in height of 15 pairs of maize plants, cross- and self-fertilized, in eighths of an inch (Darwin
// 1876). Fisher (1935, section 21) counted the patterns of signs whose sum is at least 314: 863 of 32,768, and as many with
// a sum of at most −314.
var maize = []float64{49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48}

func TestSignFlipByHand(t *testing.T) {
	for _, test := range []struct {
		name        string
		differences []float64
		want        float64
	}{
		{"Fisher's maize", maize, 2 * 863. / 32768},
		{"all of one sign", []float64{1, 2, 3, 4, 5}, 2. / 32},
		{"six are the least below .05", []float64{-1, -2, -3, -4, -5, -6}, 2. / 64},
		{"two", []float64{3, 5}, 2. / 4},
		// The sums are ±3, and ±1 three times each. All are at least 1 from zero.
		{"equal sizes", []float64{1, 1, -1}, 1},
		{"a zero has both signs", []float64{0, 1, 2, 3}, 4. / 16},
		{"all zero", []float64{0, 0, 0, 0}, 1},
		{"a sum of zero but for rounding", []float64{0.1, 0.2, -0.3}, 1},
		// .3 − .1 − .2 is not exactly 0, but ±.05 plus or minus this rounding error must count as equally far from zero.
		{"sums equal but for rounding", []float64{0.3, -0.1, -0.2, 0.05}, 1},
		{"40 of one sign", repeat(1, 40), 2 / math.Pow(2, 40)},
	} {
		must.Near(t, test.name, SignFlip(test.differences), test.want, 0)
	}
	for _, few := range [][]float64{nil, {5}} {
		p := SignFlip(few)
		must.That(t, math.IsNaN(p), "of %v: p = %v, want NaN", few, p)
	}
}

func repeat(v float64, n int) []float64 { return slices.Repeat([]float64{v}, n) }

// wholeNumbers returns random integers. Their sums are exact, and many are equal.
func wholeNumbers(s *stream.Stream, n, limit int) []float64 {
	d := make([]float64, n)
	for i := range d {
		d[i] = float64(s.IntN(2*limit+1) - limit)
	}
	return d
}

func TestSignFlipAgainstBruteForce(t *testing.T) {
	s := stream.Root(1).Child("sign-flip")
	for n := 2; n <= 13; n++ {
		for _, limit := range []int{1, 3, 1000} {
			d := wholeNumbers(s, n, limit)
			must.Near(t, fmt.Sprint(d), SignFlip(d), bruteForce(d), 0)
		}
	}
}

// bruteForce computes SignFlip with a loop over all patterns. d must be integers, whose sums are exact.
func bruteForce(d []float64) float64 {
	sum := 0.0
	for _, v := range d {
		sum += v
	}
	count := 0
	for pattern := range 1 << len(d) {
		flipped := 0.0
		for i, v := range d {
			if pattern>>i&1 == 1 {
				v = -v
			}
			flipped += v
		}
		if math.Abs(flipped) >= math.Abs(sum) {
			count++
		}
	}
	return float64(count) / float64(int(1)<<len(d))
}

// TestSignFlipDrawn checks that drawn patterns estimate the share of all patterns.
func TestSignFlipDrawn(t *testing.T) {
	s := stream.Root(3).Child("sign-flip")
	for _, n := range []int{15, 30, 40} {
		size := make([]float64, n)
		total := 0.0
		for i := range size {
			size[i] = math.Abs(s.Normal())
			total += size[i]
		}
		slices.Sort(size)
		reach := 0.3 * total
		p := signFlipExact(size, reach)
		const flips = 20_000
		tolerance := 5*math.Sqrt(p*(1-p)/flips) + 1./flips
		must.Near(t, fmt.Sprint(n, " values"), signFlipDrawn(size, reach, s.Child(n), flips), p, tolerance)
	}
	// No drawn pattern has 100 equal signs, but p is not 0.
	must.That(t, math.IsNaN(SignFlip([]float64{math.NaN(), 1, 2})), "a p-value of NaN")
	must.Near(t, "100 of one sign", SignFlip(repeat(1, 100)), 1./(SignFlips+1), 0)
}
