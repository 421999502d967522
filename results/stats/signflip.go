package stats

import (
	"cmp"
	"math"
	"slices"

	"banditsim/bandit/stream"
)

// The sign-flip test counts all patterns of signs of up to MaxExactPairs pairs, and draws SignFlips patterns of more.
const (
	MaxExactPairs = 40
	SignFlips     = 99_999
)

// SignFlip returns for each list of differences the two-sided p-value of the sign-flip test (Fisher 1935: The Design
// of Experiments, section 21): if neither policy is better, a difference is as likely as its negative, and p is the
// share of all 2ⁿ patterns of signs whose sum is at least as far from zero as the observed one. It assumes that the
// differences are symmetric under that hypothesis, not that they are normal. NaN for fewer than two pairs. Lists of
// the same length share the patterns that are drawn.
func SignFlip(differences [][]float64) []float64 {
	p := make([]float64, len(differences))
	drawn := make(map[int][]int) // indices by the number of pairs
	sizes, reach := make([][]float64, len(p)), make([]float64, len(p))
	for i, d := range differences {
		sizes[i], reach[i] = signFlipSizes(d)
		switch n := len(d); {
		case n < 2:
			p[i] = math.NaN()
		case reach[i] <= 0:
			p[i] = 1
		case n <= MaxExactPairs:
			p[i] = signFlipExact(sizes[i], reach[i])
		default:
			drawn[n] = append(drawn[n], i)
		}
	}
	for n, all := range drawn {
		for some := range slices.Chunk(all, max(octetTables/n, 1)) {
			tests := make([]*octets, len(some))
			for k, i := range some {
				tests[k] = newOctets(sizes[i], reach[i])
			}
			signFlipDrawn(tests, resamplingStream("sign-flip"), SignFlips)
			for k, i := range some {
				p[i] = tests[k].p(SignFlips)
			}
		}
	}
	return p
}

// octetTables bounds the pairs of the tests that are drawn at once, whose tables take 256 bytes per pair.
const octetTables = 1 << 15

// signFlipSizes returns the sizes of differences in order, and the least sum that is as far from zero as theirs.
func signFlipSizes(differences []float64) (size []float64, reach float64) {
	// The patterns do not depend on signs and order of the differences.
	size = make([]float64, len(differences))
	var sum, total float64
	for i, d := range differences {
		size[i] = math.Abs(d)
		sum += d
		total += size[i]
	}
	slices.Sort(size)
	// Sums that differ by rounding errors are equal.
	return size, math.Abs(sum) - 1e-12*total
}

// signFlipExact returns the share of the patterns of signs of size whose sum is at least reach, or at most −reach;
// reach > 0. It meets in the middle (Horowitz and Sahni 1974: Computing partitions with applications to the knapsack
// problem): the sums of each half are listed in order, and every sum of one half is searched in the list of the
// other. Time and memory are of order 2^(n/2): 40 values take a few hundredths of a second and 32 MB.
func signFlipExact(size []float64, reach float64) float64 {
	n := len(size)
	left, right := signedSums(size[:n/2]), signedSums(size[n/2:])
	count := 0.0 // number of sums ≥ reach; an integer of at most 2⁴⁰
	first := len(right)
	for _, l := range left {
		for first > 0 && l+right[first-1] >= reach {
			first--
		}
		count += float64(len(right) - first)
	}
	return math.Ldexp(2*count, -n) // as many are ≤ −reach
}

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

// signFlipDrawn adds random patterns to tests of the same number of pairs.
func signFlipDrawn(tests []*octets, s *stream.Stream, flips int) {
	each := (tests[0].n + 63) / 64
	words := make([]uint64, each*max(1, 1<<15/each)) // some patterns
	for flips > 0 {
		words = words[:min(len(words), flips*each)]
		s.Uint64s(words)
		for _, t := range tests {
			t.add(words, each)
		}
		flips -= len(words) / each
	}
}

// octets counts the patterns of signs of n sizes that reach as far as the observed one.
type octets struct {
	n     int
	reach float64
	sums  [][256]float64 // sums of each eight sizes with every pattern of signs: a bit that is set is a minus
	count int
}

func newOctets(size []float64, reach float64) *octets {
	t := &octets{n: len(size), reach: reach, sums: make([][256]float64, (len(size)+7)/8)}
	for i := range t.sums {
		for pattern := range t.sums[i] {
			for bit, v := range size[8*i : min(8*i+8, len(size))] {
				if pattern>>bit&1 == 1 {
					v = -v
				}
				t.sums[i][pattern] += v
			}
		}
	}
	return t
}

// add counts patterns of so many words each. One table after the other is in the cache.
func (t *octets) add(words []uint64, each int) {
	total := make([]float64, len(words)/each)
	for i := range t.sums {
		word, shift, table := words[i/8:], 8*(i%8), &t.sums[i]
		for k := range total {
			total[k] += table[byte(word[k*each]>>shift)]
		}
	}
	for _, v := range total {
		if math.Abs(v) >= t.reach {
			t.count++
		}
	}
}

// p returns the share of patterns. The observed one counts as one of them, (k+1)/(flips+1), so that the test keeps its
// level (Phipson and Smyth 2010: Permutation p-values should never be zero).
func (t *octets) p(flips int) float64 { return float64(t.count+1) / float64(flips+1) }

// Holm returns the p-values of a family of tests corrected for their number (Holm 1979): the i-th smallest of m, from
// 0, times m−i, at least the corrected value before and at most 1. NaN stands for no test and is not counted in m.
func Holm(p []float64) []float64 {
	var order []int
	corrected := slices.Clone(p)
	for i, v := range p {
		if !math.IsNaN(v) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	least := 0.0
	for rank, i := range order {
		least = max(least, min(p[i]*float64(len(order)-rank), 1))
		corrected[i] = least
	}
	return corrected
}
