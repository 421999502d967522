package stats

import "math"

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

// bernsteinLow returns the lower end for w·y, y in [0, 1].
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
