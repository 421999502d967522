package results

import (
	"math"

	"banditsim/internal/words"
)

// plusMinus is "5,012 ± 80", or "5,012" without an interval.
func plusMinus(e Estimate) string {
	if !e.HasInterval() {
		return words.Amount(e.Mean)
	}
	d := e.decimals()
	return words.AmountTo(e.Mean, d) + " ± " + words.AmountTo(e.Half(), d)
}

// interval is "[−40, 280]", or none.
func interval(e Estimate) string {
	if !e.HasInterval() {
		return words.None
	}
	d := e.decimals()
	return "[" + words.AmountTo(e.Low, d) + ", " + words.AmountTo(e.High, d) + "]"
}

// decimals are as many as two digits of half the interval need, for the mean as well.
func (e Estimate) decimals() int {
	half := e.Half()
	if !(half > 0) {
		return words.Decimals(e.Mean)
	}
	return min(max(1-int(math.Floor(math.Log10(half))), 0), 12)
}
