package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// ConfidenceSequence returns an interval of the mean of weight·reward, computed from all rows. If it is computed anew
// after every row, all intervals hold at once with probability Confidence, so that sampling may stop as soon as one is
// conclusive. Each weight is at least 0 and has mean 1 given the rows before it; rewards are in [low, high].
//
// The method is betting (Waudby-Smith and Ramdas 2024, section 4; for importance weights without an upper bound
// Waudby-Smith, Wu, Ramdas, Karampatziakis and Mineiro 2022). Let w be the weight, y the reward scaled to [0, 1], ξ =
// w·y with mean ν, and α = 1 − Confidence. A gambler who bets the share λ in [0, 1) of the capital on every row ends
// with the capital Π(1 + λ(ξ − ν)). Its mean is 1, and it ever reaches 2/α with probability at most α/2 (Ville 1939);
// the same holds for a mixture of gamblers. The capital decreases with ν, and the lower end is the ν at which the
// capital of the mixture is 2/α. The upper end is 1 minus the lower end for w·(1 − y).
//
// Gambler j, counted from 0, bets the share λ = ¾/√2ʲ and has weight 1/((j + 1)(j + 2)) in the mixture. The shares
// differ, as the best for n rows is of order 1/√n. Each end takes 24 bisection steps of a product per row and gambler.
func ConfidenceSequence(weight, reward []float64, low, high float64) (from, to float64) {
	width := high - low
	if !(width > 0) {
		return low, high // all rewards are one number
	}
	above, below := make([]float64, len(weight)), make([]float64, len(weight))
	for i, w := range weight {
		above[i], below[i] = w*(reward[i]-low)/width, w*(high-reward[i])/width
	}
	return low + width*bettingLow(above), low + width*(1-bettingLow(below))
}

// bets is the number of gamblers. The last one bets less than 1/4,000 of the capital.
const bets = 25

// bettingLow returns the lower end of the confidence sequence for the mean ν ≤ 1 of ξ ≥ 0, given the values of ξ.
func bettingLow(values []float64) float64 {
	limit := math.Log(2 / (1 - Confidence))
	if logCapital(values, 0) < limit {
		return 0
	}
	low, high := 0.0, 1.0
	for range 24 {
		if mid := (low + high) / 2; logCapital(values, mid) < limit {
			high = mid
		} else {
			low = mid
		}
	}
	return low
}

// logCapital returns the logarithm of the mixture's capital if the mean is nu.
func logCapital(values []float64, nu float64) float64 {
	most, logs := math.Inf(-1), [bets]float64{}
	bet := 0.75
	for j := range logs {
		logs[j] = logProduct(values, 1-bet*nu, bet) - math.Log(float64((j+1)*(j+2)))
		most = max(most, logs[j])
		bet /= math.Sqrt2
	}
	sum := 0.0
	for _, l := range logs {
		sum += math.Exp(l - most)
	}
	return most + math.Log(sum)
}

// logProduct returns log Π(a + b·v) over the values v, with a single call of Log.
func logProduct(values []float64, a, b float64) float64 {
	product, exponent := 1.0, 0
	for _, v := range values {
		if product *= a + float64(b*v); product < 1e-200 || product > 1e200 {
			f, e := math.Frexp(product)
			product, exponent = f, exponent+e
		}
	}
	return math.Log(product) + float64(float64(exponent)*math.Ln2)
}

// ClopperPearson returns the exact interval of a probability after k successes in n ≥ 1 independent trials (Clopper and
// Pearson 1934): from the (1−Confidence)/2 quantile of Beta(k, n−k+1) to the (1+Confidence)/2 quantile of Beta(k+1,
// n−k). Its coverage is at least Confidence, and usually higher.
func ClopperPearson(successes, n int) (low, high float64) {
	tail := (1 - Confidence) / 2
	k, misses := float64(successes), float64(n-successes)
	high = 1
	if successes > 0 {
		low = mathext.InvRegIncBeta(k, misses+1, tail)
	}
	if successes < n {
		high = mathext.InvRegIncBeta(k+1, misses, 1-tail)
	}
	return low, high
}

// EmpiricalBernstein returns an interval of the mean of weight·reward. Each weight is at least 0 and has mean 1 given
// the rows before it; rewards are in [low, high]. It is the predictable plug-in empirical Bernstein interval
// (Waudby-Smith and Ramdas 2024, theorem 2), in the form for importance weights without an upper bound (Waudby-Smith,
// Wu, Ramdas, Karampatziakis and Mineiro 2022, proposition 3). Its coverage is at least Confidence for any number of
// rows, as it uses no normal approximation.
//
// Let w be the weight, y the reward scaled to [0, 1], and ξ = w·y. Then
//
//	Σλξ/Σλ − (log(1/α) + Σψ(λ)(ξ − ξ̂)²)/Σλ,  ψ(λ) = −log(1 − λ) − λ,
//
// is below the mean of ξ with probability at least 1 − α, because exp(λx − ψ(λ)x²) ≤ 1 + λx for x ≥ −1 (Fan, Grama and
// Liu 2015). Each row has its own bet λ in (0, 1) and its own prediction ξ̂ ≤ 1 of ξ. Both depend only on earlier rows.
// The upper end is 1 minus the lower end for 1 − y. Each end has α = (1 − Confidence)/2.
func EmpiricalBernstein(weight, reward []float64, low, high float64) (from, to float64) {
	width := high - low
	if !(width > 0) {
		return low, high // all rewards are one number
	}
	scaled := func(i int) float64 { return (reward[i] - low) / width }
	from = bernsteinLow(weight, scaled)
	to = 1 - bernsteinLow(weight, func(i int) float64 { return 1 - scaled(i) })
	return low + width*min(max(from, 0), 1), low + width*min(max(to, 0), 1)
}

// maxLambda is the upper bound of λ. It is below 1, where ψ(λ) is infinite.
const maxLambda = 0.5

// bernsteinLow returns the lower end of the interval, which may be negative. y returns the scaled reward of a row.
func bernsteinLow(weight []float64, y func(int) float64) float64 {
	log := math.Log(2 / (1 - Confidence))
	// The running mean and variance start as if an earlier row had ξ = ½ and a squared deviation of ¼.
	sum, squares, center := 0.5, 0.25, 0.5
	var weighted, lambdas, penalty float64
	for i, w := range weight {
		t := float64(i + 1)
		l := min(math.Sqrt(2*log/(float64(len(weight))*(squares/t))), maxLambda)
		xi := w * y(i)
		d := xi - min(center, 1)
		weighted += float64(l * xi)
		lambdas += l
		penalty += float64((-math.Log1p(-l) - l) * d * d)
		sum += xi
		center = sum / (t + 1)
		squares += float64((xi - center) * (xi - center))
	}
	if lambdas == 0 {
		return 0
	}
	return (weighted - log - penalty) / lambdas
}
