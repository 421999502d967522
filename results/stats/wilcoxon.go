package stats

import "math"

// Wilcoxon returns the two-sided p-value of the signed-rank test (Wilcoxon 1945): if neither policy is
// better, each rank of a difference's size belongs to a positive one with probability 1/2, and p is the
// probability of a sum of ranks at least as far from its mean as the observed one. The distribution is
// exact, with ties too; differences of 0 are left out. NaN without any other. Time is of order n³.
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
	// Ranks doubled are integers, halves of ties included.
	total, positive := 0, 0
	law := make([]float64, len(size)*(len(size)+1)+1) // probability of each sum of doubled ranks
	law[0] = 1
	for i, r := range ranks(size) {
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
