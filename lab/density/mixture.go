package density

import (
	"math"
)

// Mixture is .4 N(−6, 1) + .6 N(4, 1), the density of the paper's experiment on the variance of θ
// (section 'Empirical validation of reduced variance'). The energy is U(x) = −log π(x), with its
// constant and without noise; it is at least 1.43. A barrier of 12 separates the two wells.
type Mixture struct{}

// The two components: their means, and the weight of the first.
const (
	mixtureLeft   = -6.0
	mixtureRight  = 4.0
	mixtureWeight = 0.4
)

var _ Line = Mixture{}

// Dim returns 1.
func (Mixture) Dim() int { return 1 }

// EnergyGrad returns U(x) and sets grad to its derivative.
func (m Mixture) EnergyGrad(grad, x []float32) (float64, error) {
	u, du := m.At(float64(x[0]))
	grad[0] = float32(du)
	return u, nil
}

// At returns U(x) and its derivative.
func (Mixture) At(x float64) (u, du float64) {
	const logNorm = 0.91893853320467274178 // ½ log 2π
	left, right := x-mixtureLeft, x-mixtureRight
	// The components' energies; the lower one carries the sum.
	low := left*left/2 + logNorm - logMixtureWeight
	high := right*right/2 + logNorm - logMixtureRest
	if high < low {
		left, right, low, high = right, left, high, low
	}
	e := math.Exp(low - high)
	return low - math.Log1p(e), (left + float64(e*right)) / (1 + e)
}

var (
	logMixtureWeight = math.Log(mixtureWeight)
	logMixtureRest   = math.Log(1 - mixtureWeight)
)

// Support returns [−22, 20]: outside, U is above 100.
func (Mixture) Support() (low, high float64) { return -22, 20 }
