package exact

import (
	"math"

	"banditsim/internal/kernel"
)

// A site is what a process learns of one reward y at a context where f has a normal distribution before it:
// the first two derivatives, by the mean, of the logarithm of the integral of y's likelihood. The mean
// becomes mean + q·variance, and the variance that plus r·variance². Zeros: y is ignored.
type site func(y, mean, variance float64) (q, r float64)

// negligible is the information of a reward, weight × variance, below which it is ignored: most
// rewards of contexts that are well known.
const negligible = 1e-3

// quasiSite is a step of the extended Kalman filter for log-odds f, of which y has the information of a
// Bernoulli trial (Papke and Wooldridge 1996).
func quasiSite(y, mean, variance float64) (q, r float64) {
	odds := moderated(mean, variance)
	weight := max(odds*(1-odds), 1e-4) // bounded below: a coin that always fell one way may yet fall the other
	if weight*variance < negligible {
		return 0, 0
	}
	gain := 1 / (1 + float64(weight*variance))
	return (y - odds) * gain, -weight * gain
}

// gaussianSite is exact for y ~ N(f, noise²).
func gaussianSite(noise float64) site {
	return func(y, mean, variance float64) (q, r float64) {
		total := float64(noise*noise) + variance
		if variance < negligible*total {
			return 0, 0
		}
		return (y - mean) / total, -1 / total
	}
}

// Limits of log-odds within which the integrals of bernoulliSite and sigmoidMoments have small errors.
const (
	maxLogOdds   = 100 // largest log-odds of the mean before any reward
	maxLogOddsSD = 10
)

// bernoulliSite matches mean and variance of f after y = 1 with probability σ(f), 0 otherwise (assumed density filtering:
// Opper, A Bayesian approach to on-line learning, 1998; Csató and Opper 2002). The integrals are sums by the trapezoidal
// rule, far enough out for a reward that surprises: it moves the mean by up to the variance.
func bernoulliSite(y, mean, variance float64) (q, r float64) {
	sd := math.Sqrt(variance)
	sign := 1.0
	if y == 0 {
		sign = -1
	}
	step := 1. / 4 // the error is about exp(−2π²/(step·sd))
	if sd > 5 {
		step = 1. / 8
	}
	n := math.Ceil((6 + min(sd, 2*maxLogOddsSD)) / step)
	var total, sum, squares float64
	for i := -n; i <= n; i++ {
		z := i * step
		w := kernel.Exp(-z*z/2) * sigmoid(sign*(mean+float64(sd*z)))
		total += w
		sum += float64(w * z)
		squares += float64(w * float64(z*z))
	}
	sum /= total
	shrink := min(0, squares/total-float64(sum*sum)-1) // log σ is concave
	if !(math.Abs(sum) > negligible || -shrink > negligible) {
		return 0, 0
	}
	return sum / sd, shrink / variance
}

// moderated approximates the mean of σ(f) for a normal f (MacKay, Neural Computation 4, 1992).
func moderated(mean, variance float64) float64 {
	return sigmoid(mean / math.Sqrt(1+float64(math.Pi/8*variance)))
}

func sigmoid(f float64) float64 { return 1 / (1 + kernel.Exp(-f)) }

// sigmoidMoments returns mean and standard deviation of σ(f) for a normal f, by the trapezoidal rule.
func sigmoidMoments(mean, sd float64) (average, deviation float64) {
	var weight, sum, squares float64
	for i := -20; i <= 20; i++ {
		z := float64(i) / 4
		w, odds := kernel.Exp(-z*z/2), sigmoid(mean+float64(sd*z))
		weight += w
		sum += float64(w * odds)
		squares += float64(w * float64(odds*odds))
	}
	sum /= weight
	return sum, math.Sqrt(max(0, squares/weight-float64(sum*sum)))
}
