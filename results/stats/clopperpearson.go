package stats

import "gonum.org/v1/gonum/stat/distuv"

// ClopperPearson returns the exact interval of a probability after some successes in n ≥ 1 independent trials (Clopper and
// Pearson 1934): from the (1−Confidence)/2 quantile of Beta(k, n−k+1) to the other of Beta(k+1, n−k). It covers at least
// with Confidence, mostly with more.
func ClopperPearson(successes, n int) (low, high float64) {
	tail := (1 - Confidence) / 2
	k, misses := float64(successes), float64(n-successes)
	high = 1
	if successes > 0 {
		low = distuv.Beta{Alpha: k, Beta: misses + 1}.Quantile(tail)
	}
	if successes < n {
		high = distuv.Beta{Alpha: k + 1, Beta: misses}.Quantile(1 - tail)
	}
	return low, high
}
