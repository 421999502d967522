package simulation

import (
	"math"

	"banditsim/lab/density"
)

// AtStepBins is the largest number of bins with a θ of the finite step.
const AtStepBins = 10

// AtStepLeast is the smallest ε for which θ of the finite step is computed. The grid grows with
// 1/√ε. Below, θ is within 2 % of the limit.
const AtStepLeast = 2e-3

// θ of the finite step is computed for contours with two numbers of bins, with the same bins
// except for the last, which is open. It does not exist for all hundred: a chain of finite step
// never spends as long in rare bins as in others, whatever θ.
var atStepContours = [2]int{AtStepBins + 2, AtStepBins + 3}

// atStepTolerance is the largest relative difference between the two, and from equal times in all
// bins. A bin with a larger one has no θ of its own: it depends on where the bins end.
const atStepTolerance = 0.05

// atStep returns θ of the first bins at which the chain of step ε spends the same time in all
// bins: of those bins that have one; none if ε is too large or below AtStepLeast.
//
// Σθ = 1 over twelve bins stands for that over a hundred: those beyond have some 1e-6.
func atStep(eps float64) []float64 {
	if eps < AtStepLeast {
		return nil
	}
	var theta, share [2][]float64
	for i, bins := range atStepContours {
		c := VarianceContour()
		c.Bins = bins
		logTheta := c.DiscreteFixedPoint(density.Mixture{}, eps)
		sum := 0.0
		for _, l := range logTheta {
			sum += math.Exp(l)
		}
		for _, l := range logTheta {
			theta[i] = append(theta[i], math.Exp(l)/sum)
		}
		// Check that it is a fixed point: the search does not find one for each ε.
		for _, o := range c.Law(density.Mixture{}, eps, logTheta).Occupancy(bins) {
			share[i] = append(share[i], o*float64(bins))
		}
	}
	near := func(a, b float64) bool { return math.Abs(a/b-1) <= atStepTolerance } // NaN is not
	n := 0
	for n < AtStepBins && near(theta[1][n], theta[0][n]) && near(share[0][n], 1) && near(share[1][n], 1) {
		n++
	}
	return theta[0][:n]
}
