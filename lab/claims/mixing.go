package claims

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"

	"banditsim/internal/lists"
	"banditsim/internal/verify"
	"banditsim/results/stats"
)

// noteMixing runs four chains on a unit Gaussian from distant starts and notes the usual convergence diagnostics
// without the first tenth of the steps. These diagnostics cannot detect a wrong density.
func noteMixing(j *judge, s Sampler) {
	const chains, steps = 4, 2000
	eps := 4 * s.Claims.FineRate
	draws := make([][]float64, chains)
	for p, start := range []float32{-3, 3, -1, 1} {
		c := s.ensemble(1, 1, s.setup(eps, 1, 0, 1), j.Rand("run", p), gaussian(1, 0), func(x []float32) { x[0] = start })
		c.step(steps / 10)
		for range steps - steps/10 {
			c.step(1)
			draws[p] = append(draws[p], float64(c.runs[0].chains[0].X[0]))
		}
	}
	n := float64(chains * len(draws[0]))
	ess := effectiveSampleSize(draws)
	j.Note("effective sample size", verify.Estimate{Value: ess}, fmt.Sprintf("bulk, rank-normalized; of %.0f draws on a unit Gaussian with ε = %g", n, eps))
	j.Note("split-R̂", verify.Estimate{Value: splitRHat(draws)}, "rank-normalized, the larger of plain and folded")
}

// effectiveSampleSize returns the bulk effective sample size of several chains of the same length, at
// least 4, with split chains and rank normalization (Vehtari, Gelman, Simpson, Carpenter,
// Bürkner: Rank-normalization, folding, and localization: An improved R̂, Bayesian Analysis 2021,
// section 4). It returns NaN for chains that do not move.
func effectiveSampleSize(chains [][]float64) float64 {
	halves := rankNormalized(split(chains))
	m, n := float64(len(halves)), len(halves[0])
	within, total := variances(halves)
	// Correlations are summed in pairs of lags, before the first pair with a negative sum. A sum that is larger than that
	// of the preceding pair is reduced to it (Geyer: Practical Markov chain Monte Carlo, Statistical Science 1992).
	rho := func(lag int) float64 {
		mean := 0.0
		for _, h := range halves {
			mean += autocovariance(h, lag) / m
		}
		return 1 - (within-mean*float64(n)/float64(n-1))/total
	}
	tau, last := -1.0, math.Inf(1)
	for lag := 0; lag+1 < n; lag += 2 {
		pair := rho(lag) + rho(lag+1)
		if lag == 0 {
			pair = 1 + rho(1)
		}
		if math.IsNaN(pair) {
			return math.NaN()
		}
		if pair < 0 {
			break
		}
		last = min(last, pair)
		tau += 2 * last
	}
	draws := m * float64(n)
	return draws / max(tau, 1/math.Log10(draws))
}

// splitRHat returns the larger of two split-R̂ of several chains of the same length (Vehtari et al.
// 2021): the rank-normalized R̂ detects chains that differ in location, the folded R̂ chains that
// differ in scale. The value is near 1 if the chains agree; a value above 1.01 is a warning.
func splitRHat(chains [][]float64) float64 {
	halves := split(chains)
	median := stats.Median(slices.Concat(halves...))
	folded := lists.Each(halves, func(h []float64) []float64 {
		return lists.Each(h, func(v float64) float64 { return math.Abs(v - median) })
	})
	return max(rHat(rankNormalized(halves)), rHat(rankNormalized(folded)))
}

// rHat returns R̂ of chains as they are, without splitting or normalization.
func rHat(chains [][]float64) float64 {
	within, total := variances(chains)
	return math.Sqrt(total / within)
}

// variances returns the mean variance within chains, and the total variance, which includes that between chains.
func variances(chains [][]float64) (within, total float64) {
	m, n := float64(len(chains)), float64(len(chains[0]))
	means := lists.Each(chains, func(c []float64) float64 { return verify.MeanOf(c).Value })
	for _, c := range chains {
		within += autocovariance(c, 0) * n / (n - 1) / m
	}
	between := verify.MeanOf(means) // its SE is √(variance between means / m)
	return within, within*(n-1)/n + float64(between.SE*between.SE*m)
}

// autocovariance returns the biased estimate of the autocovariance of x at a lag: it divides by len(x).
func autocovariance(x []float64, lag int) float64 {
	mean, sum := verify.MeanOf(x).Value, 0.0
	for i := lag; i < len(x); i++ {
		sum += float64((x[i] - mean) * (x[i-lag] - mean))
	}
	return sum / float64(len(x))
}

// split returns both halves of every chain, without the middle draw of chains of odd length. It panics unless all
// chains have the same length, at least 4.
func split(chains [][]float64) [][]float64 {
	var halves [][]float64
	for _, c := range chains {
		if len(c) < 4 || len(c) != len(chains[0]) {
			panic("claims: chains must have the same length, at least 4")
		}
		n := len(c) / 2
		halves = append(halves, c[:n], c[len(c)-n:])
	}
	return halves
}

// rankNormalized replaces each of n draws by the normal quantile of (r − 3/8)/(n + 1/4), where r is its
// rank among the draws of all chains (Blom). Equal draws get the mean of their ranks.
func rankNormalized(chains [][]float64) [][]float64 {
	ranks := stats.Ranks(slices.Concat(chains...))
	n := float64(len(ranks))
	return lists.Each(chains, func(c []float64) []float64 {
		own := ranks[:len(c)]
		ranks = ranks[len(c):]
		return lists.Each(own, func(r float64) float64 { return mathext.NormalQuantile((r - 0.375) / (n + 0.25)) })
	})
}
