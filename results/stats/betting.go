package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// ConfidenceSequence returns an interval of the mean of w·r at the last row of a sequence whose intervals at all rows hold
// together, with Confidence: it may be looked at whenever, and sampling may stop on what it shows. Weights are at least 0 with
// mean 1 given the rows before, rewards are in [low, high].
//
// It is by betting (Waudby-Smith and Ramdas 2024, section 4; for importance weights without an upper bound Waudby-Smith, Wu,
// Ramdas, Karampatziakis and Mineiro 2022). With y the reward scaled to [0, 1] and ξ = w·y ≥ 0 of mean ν ≤ 1, the capital of a
// gambler who bets the share λ in [0, 1) in every row, Π(1 + λ(ξ − ν)), is 1 on average and reaches 2/α with a probability of at
// most α/2 (Ville 1939), as does a mixture of gamblers. The lower end is the ν at which the mixture has 2/α now; capital falls
// with ν. The other end is 1 less the same of w·(1 − y).
//
// Bets fall by √2 from ¾, as the best one falls with 1/√n, with weights 1/((j + 1)(j + 2)). The cost is about 25 products a row
// for each of 24 steps of bisection, and end.
func ConfidenceSequence(weight, reward []float64, low, high float64) (from, to float64) {
	width := high - low
	if !(width > 0) {
		return low, high // all rewards are one number
	}
	values := make([]float64, len(weight))
	for i, w := range weight {
		values[i] = w * (reward[i] - low) / width
	}
	from = bettingLow(values)
	for i, w := range weight {
		values[i] = w * (high - reward[i]) / width
	}
	return low + width*from, low + width*(1-bettingLow(values))
}

// bets is the number of gamblers, whose last bet is below 1/4,000.
const bets = 25

// bettingLow returns the lower end for values of at least 0 whose mean is at most 1.
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

// logCapital returns the logarithm of what the mixture has if the mean is nu.
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

// ClopperPearson returns the exact interval of a probability after some successes in n ≥ 1 independent trials (Clopper and
// Pearson 1934): from the (1−Confidence)/2 quantile of Beta(k, n−k+1) to the other of Beta(k+1, n−k). It covers at least
// with Confidence, mostly with more.
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

// EmpiricalBernstein returns an interval of the mean of w·r, where weights are at least 0 with mean 1 given the rows before
// and rewards are in [low, high]: the predictable plug-in empirical Bernstein interval (Waudby-Smith and Ramdas 2024,
// theorem 2), in the form for importance weights without an upper bound (Waudby-Smith, Wu, Ramdas, Karampatziakis and
// Mineiro 2022, proposition 3). It covers at least with Confidence, at any number of rows: it knows no normal limit.
//
// With y the reward scaled to [0, 1] and ξ = w·y ≥ 0,
//
//	Σλξ/Σλ − (log(1/α) + Σψ(λ)(ξ − ξ̂)²)/Σλ,  ψ(λ) = −log(1 − λ) − λ,
//
// is below the mean of ξ with probability 1 − α, whatever λ in (0, 1) and ξ̂ ≤ 1 the rows before choose: exp(λy − ψ(λ)y²) ≤
// 1 + λy for y ≥ −1 (Fan, Grama and Liu 2015). The other end is 1 less the same of 1 − y. Each end has half of α.
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

// maxLambda keeps ψ(λ) finite.
const maxLambda = 0.5

func bernsteinLow(weight []float64, y func(int) float64) float64 {
	log := math.Log(2 / (1 - Confidence))
	// The estimates begin with a half and a variance of a quarter, as of one row before the first.
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
