package exact

import (
	"math"

	"banditsim/internal/kernel"
)

// A site returns how an observation y changes a normal distribution of f: the mean becomes mean + q·variance, the
// variance becomes variance + r·variance². q and r are the first two derivatives, by the mean, of the log marginal
// likelihood of y. If both are 0, y is ignored.
type site func(y, mean, variance float64) (q, r float64)

// negligible is the change below which an observation is ignored, relative to the variance of f or to its root. It saves
// the time of most rewards in contexts that are well known.
const negligible = 1e-3

// quasiSite is a step of the extended Kalman filter for log-odds f. A y between 0 and 1 counts as much as a
// Bernoulli trial (Papke and Wooldridge 1996).
func quasiSite(y, mean, variance float64) (q, r float64) {
	odds := moderated(mean, variance)
	weight := max(odds*(1-odds), 1e-4) // bounded below: otherwise a long run of equal rewards would make f unchangeable
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

// Limits on the log-odds within which bernoulliSite and sigmoidMoments integrate with small errors.
const (
	maxLogOdds   = 100 // of the prior mean, in absolute value
	maxLogOddsSD = 10  // of the prior standard deviation
)

// bernoulliSite is the site for y = 1 with probability σ(f), else 0. It matches the mean and the variance of the exact
// posterior of f (assumed density filtering: Opper, A Bayesian approach to on-line learning, 1998; Csató and Opper 2002).
// It integrates by the trapezoidal rule, over a range that grows with sd because a surprising y moves the mean by up to
// the variance.
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

// sigmoidMoments returns the mean and the standard deviation of σ(f) for a normal f, by the trapezoidal rule.
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
