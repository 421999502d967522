package stats

import (
	"math"
	"slices"

	"banditsim/bandit/stream"
)

// The sign-flip test counts all patterns of signs of up to MaxExactPairs pairs, and draws SignFlips
// patterns of more.
const (
	MaxExactPairs = 40
	SignFlips     = 99_999
)

// SignFlip returns the two-sided p-value of the sign-flip test (Fisher 1935: The Design of
// Experiments, section 21): if neither policy is better, a difference is as likely as its
// negative, and p is the share of all 2ⁿ patterns of signs whose sum is at least as far from
// zero as the observed one. It assumes that the differences are symmetric under that hypothesis, not
// that they are normal. NaN for fewer than two pairs.
func SignFlip(differences []float64) float64 {
	n := len(differences)
	if n < 2 {
		return math.NaN()
	}
	// The patterns do not depend on signs and order of the differences.
	size := make([]float64, n)
	var sum, total float64
	for i, d := range differences {
		size[i] = math.Abs(d)
		sum += d
		total += size[i]
	}
	slices.Sort(size)
	// Sums that differ by rounding errors are equal.
	reach := math.Abs(sum) - 1e-12*total
	if reach <= 0 {
		return 1
	}
	if n <= MaxExactPairs {
		return signFlipExact(size, reach)
	}
	return signFlipDrawn(size, reach, resamplingStream("sign-flip"), SignFlips)
}

// signFlipExact returns the share of the patterns of signs of size whose sum is at least
// reach, or at most −reach; reach > 0. It meets in the middle (Horowitz and Sahni 1974:
// Computing partitions with applications to the knapsack problem): the sums of each half
// are listed in order, and every sum of one half is searched in the list of the other.
// Time and memory are of order 2^(n/2): 40 values take a few hundredths of a second and 32 MB.
func signFlipExact(size []float64, reach float64) float64 {
	n := len(size)
	left, right := signedSums(size[:n/2]), signedSums(size[n/2:])
	count := 0.0 // of sums ≥ reach; an integer of at most 2⁴⁰
	first := len(right)
	for _, l := range left {
		for first > 0 && l+right[first-1] >= reach {
			first--
		}
		count += float64(len(right) - first)
	}
	return math.Ldexp(2*count, -n) // as many are ≤ −reach
}

// signedSums returns the sums of all patterns of signs of size, in order.
func signedSums(size []float64) []float64 {
	sums := []float64{0}
	for _, v := range size {
		// Merge the ordered lists sums − v and sums + v.
		next := make([]float64, 0, 2*len(sums))
		low := 0
		for _, s := range sums {
			for low < len(sums) && sums[low]-v <= s+v {
				next = append(next, sums[low]-v)
				low++
			}
			next = append(next, s+v)
		}
		sums = next
	}
	return sums
}

// signFlipDrawn estimates the same share from random patterns. The observed pattern counts as
// one of them, (k+1)/(flips+1), so that the test keeps its level (Phipson and Smyth 2010:
// Permutation p-values should never be zero).
func signFlipDrawn(size []float64, reach float64, s *stream.Stream, flips int) float64 {
	words := make([]uint64, (len(size)+63)/64)
	tables := signedOctets(size)
	count := 1
	for range flips {
		s.Uint64s(words)
		sum := 0.0
		for i := range tables {
			sum += tables[i][byte(words[i/8]>>(8*(i%8)))]
		}
		if math.Abs(sum) >= reach {
			count++
		}
	}
	return float64(count) / float64(flips+1)
}

// signedOctets returns the sums of each eight values with every pattern of signs: a bit that is set is a minus.
func signedOctets(size []float64) [][256]float64 {
	tables := make([][256]float64, (len(size)+7)/8)
	for i := range tables {
		for pattern := range tables[i] {
			for bit, v := range size[8*i : min(8*i+8, len(size))] {
				if pattern>>bit&1 == 1 {
					v = -v
				}
				tables[i][pattern] += v
			}
		}
	}
	return tables
}
