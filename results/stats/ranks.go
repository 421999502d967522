package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"banditsim/internal/words"
)

// Ranks returns the rank of each value, 1 for the lowest. Ties share their mean rank; NaNs are lowest and never tied.
func Ranks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	ranks := make([]float64, len(values))
	for low := 0; low < len(order); {
		high := low + 1
		for high < len(order) && values[order[high]] == values[order[low]] {
			high++
		}
		for _, i := range order[low:high] {
			ranks[i] = float64(low+1+high) / 2
		}
		low = high
	}
	return ranks
}

// A FriedmanTest is a test of whether treatments (policies) have equal mean ranks over blocks (environments).
type FriedmanTest struct {
	Ranks     [][]float64 `json:"-"` // ranks of the treatments in each block
	MeanRanks []float64   `json:"-"` // by treatment
	// ChiSquare has, for many blocks, approximately a χ² distribution with k − 1 degrees of freedom for k treatments.
	ChiSquare words.Float `json:"chi_square"`
	P         words.Float `json:"p"`
	// F is the statistic of Iman and Davenport (1980), which is less conservative, with k − 1 and (k − 1)(n − 1) degrees
	// of freedom for n blocks; +Inf if all blocks have the same ranks.
	F  words.Float `json:"f"`
	FP words.Float `json:"f_p"`
}

// String returns χ² and its p-value, for tables and figures; "no test" if they are NaN. It does not use the p-value of
// F, which is 0 whenever all blocks have the same ranks, even if there are only two blocks.
func (t FriedmanTest) String() string {
	if math.IsNaN(float64(t.P)) {
		return "no test"
	}
	p := words.PValue(float64(t.P))
	if p[0] != '<' {
		p = "= " + p
	}
	return fmt.Sprintf("χ² %s (p %s)", words.Amount(float64(t.ChiSquare)), p)
}

// Friedman returns Friedman's test (1937) over blocks, each with one value per treatment, with the correction for ties
// (Conover 1999, section 5.8) and the form of F that Demšar recommends (2006: Statistical comparisons of classifiers
// over multiple data sets, section 3.2.2). The statistics and p-values are NaN for fewer than two blocks or treatments,
// and if in every block all values are equal.
func Friedman(blocks [][]float64) FriedmanTest {
	nan := words.Float(math.NaN())
	t := FriedmanTest{ChiSquare: nan, P: nan, F: nan, FP: nan}
	n, k, squares := float64(len(blocks)), 0.0, 0.0
	for i, values := range blocks {
		if i == 0 {
			t.MeanRanks, k = make([]float64, len(values)), float64(len(values))
		}
		t.Ranks = append(t.Ranks, Ranks(values))
		for j, r := range t.Ranks[i] {
			t.MeanRanks[j] += r / n
			squares += r * r
		}
	}
	between := 0.0
	for _, r := range t.MeanRanks {
		between += (r - (k+1)/2) * (r - (k+1)/2)
	}
	within := squares - n*k*(k+1)*(k+1)/4
	if n < 2 || k < 2 || within <= 0 {
		return t
	}
	chi := (k - 1) * n * n * between / within
	t.ChiSquare, t.P = words.Float(chi), words.Float(chiSquaredSurvival(chi, k-1))
	rest := n*(k-1) - chi
	if rest <= 1e-9*n*(k-1) {
		t.F, t.FP = words.Float(math.Inf(1)), 0
		return t
	}
	f := (n - 1) * chi / rest
	t.F, t.FP = words.Float(f), words.Float(fSurvival(f, k-1, (k-1)*(n-1)))
	return t
}

// Nemenyi returns the critical difference of the mean ranks of k treatments over n blocks, q·√(k(k+1)/6n). Two
// treatments whose mean ranks are further apart differ at level Significance, corrected for all pairs (Nemenyi 1963;
// Demšar 2006, section 3.2.2). q is the quantile of the studentized range with infinite degrees of freedom, divided by
// √2. The result is NaN for k or n below 2.
func Nemenyi(k, n int) float64 {
	if k < 2 || n < 2 {
		return math.NaN()
	}
	return rangeQuantile(k, 1-Significance) / math.Sqrt2 * math.Sqrt(float64(k*(k+1))/float64(6*n))
}

// rangeQuantile is the inverse of rangeCDF.
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

// rangeCDF returns the probability that the range of k independent standard normal numbers is at most q:
// k∫φ(z)(Φ(z)−Φ(z−q))ᵏ⁻¹dz, where z is the largest number, and φ and Φ are the normal density and distribution
// function. The trapezoidal rule has an error below 1e-12 here.
func rangeCDF(k int, q float64) float64 {
	const reach, steps = 9.0, 720
	sum := 0.0
	for i := range steps + 1 {
		z := -reach + 2*reach*float64(i)/steps
		sum += normalDensity(z) * math.Pow(normalCDF(z)-normalCDF(z-q), float64(k-1))
	}
	return float64(k) * sum * 2 * reach / steps
}

// Wilcoxon returns the two-sided p-value of the signed-rank test (Wilcoxon 1945). Differences are ranked by absolute
// value. If neither policy is better, each difference is positive with probability 1/2, and p is the probability that
// the rank sum of the positive differences is at least as far from its mean as observed. The distribution is exact,
// even with ties. Differences of 0 are left out; p is NaN if all are 0. The time is O(n³).
func Wilcoxon(differences []float64) float64 {
	var size []float64
	var signs []bool
	for _, d := range differences {
		if d != 0 {
			size, signs = append(size, math.Abs(d)), append(signs, d > 0)
		}
	}
	if len(size) == 0 {
		return math.NaN()
	}
	// Doubled ranks are integers, even those of ties.
	total, positive := 0, 0
	law := make([]float64, len(size)*(len(size)+1)+1) // probability of each sum of doubled ranks
	law[0] = 1
	for i, r := range Ranks(size) {
		twice := int(math.Round(2 * r))
		total += twice
		if signs[i] {
			positive += twice
		}
		for s := total; s >= 0; s-- {
			law[s] /= 2
			if s >= twice {
				law[s] += law[s-twice] / 2
			}
		}
	}
	tail := 0.0
	for s := range min(positive, total-positive) + 1 {
		tail += law[s]
	}
	return min(2*tail, 1)
}
