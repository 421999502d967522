package simulation

import (
	"math"

	"banditsim/posterior/density"
)

// AtStepBins is how many of the bins have a θ of the finite step at most.
const AtStepBins = 10

// AtStepLeast is the smallest ε of which θ of the finite step is worked out. Its grid
// grows with 1/√ε, and its memory with 1/ε: here it takes some seconds and
// 60 MB. Below there is little to see: θ is within 2 % of the truth.
const AtStepLeast = 2e-3

// θ of the finite step is worked out for contours of two numbers of bins, with the same bins but for
// the last, which is open. All hundred cannot be had: a chain of finite step does not get to rare bins
// for as long as to others, whatever θ.
var atStepContours = [2]int{AtStepBins + 2, AtStepBins + 3}

// atStepTolerance is how far the two may be apart, and from equal times in all bins, relatively. A bin in
// which they are further apart has no θ of its own: it goes by where the bins end.
const atStepTolerance = 0.05

// atStep returns θ of the first bins at which the chain of step ε is in all bins for the same
// time: of those bins that have one, none where ε is too large or below AtStepLeast.
//
// Σθ = 1 over twelve bins stands for that over a hundred: those beyond hold some 1e-6.
func atStep(eps float64) []float64 {
	if eps < AtStepLeast {
		return nil
	}
	var theta, share [2][]float64
	for i, bins := range atStepContours {
		c := VarianceContour
		c.Bins = bins
		logTheta := c.DiscreteFixedPoint(density.Mixture{}, eps)
		sum := 0.0
		for _, l := range logTheta {
			sum += math.Exp(l)
		}
		for _, l := range logTheta {
			theta[i] = append(theta[i], math.Exp(l)/sum)
		}
		// That it is one is not taken on trust: the search does not find one for each ε.
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
