package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Power is the probability that a test with SeedsNeeded seeds finds the difference significant.
const Power = 0.8

// MaxSeedsNeeded bounds SeedsNeeded: differences that need more are practically zero.
const MaxSeedsNeeded = 1_000_000

// SeedsNeeded returns the number of seeds with which a two-sided paired t-test at the level
// Significance, by itself, finds a difference of the observed mean and spread with
// probability Power: the least n with
//
//	√n·|mean|/s ≥ t(1 − Significance/2; n−1) + t(Power; n−1)
//
// (Cohen 1988: Statistical Power Analysis for the Behavioral Sciences, section 2.4, with
// quantiles of Student's t for the noncentral one's, which gives the right n to one seed). It is 0
// for fewer than two seeds, a difference of zero, or more than MaxSeedsNeeded. It is as uncertain as the
// observed difference.
func (e Estimate) SeedsNeeded() int {
	if e.N < 2 || e.Mean == 0 {
		return 0
	}
	effect := math.Abs(e.Mean) / (e.StdErr * math.Sqrt(float64(e.N))) // +Inf without spread
	// Normal quantiles are below those of t, so the search begins below n.
	z := distuv.UnitNormal.Quantile(1-Significance/2) + distuv.UnitNormal.Quantile(Power)
	least := math.Pow(z/effect, 2)
	if !(least <= MaxSeedsNeeded) {
		return 0
	}
	for n := max(2, int(math.Ceil(least))); n <= MaxSeedsNeeded; n++ {
		t := studentsT(n - 1)
		if math.Sqrt(float64(n))*effect >= t.Quantile(1-Significance/2)+t.Quantile(Power) {
			return n
		}
	}
	return 0
}
