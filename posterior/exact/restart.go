package exact

import (
	"banditsim/internal/kernel"
	"banditsim/internal/moments"
)

// A cusum is a test of whether residuals have become larger: the cumulative sum of log-likelihood ratios between two
// variances (Page, Biometrika 41, 1954; for variances Hawkins, Journal of Quality Technology 13, 1981). With z the
// residual in standard deviations of its prediction,
//
//	S ← max(0, S + (1 − 1/κ)·min(z², 9)/2 − ln(κ)/2),  κ = 2
//
// and the alarm is raised when S exceeds a threshold h. Because z² is capped, a residual adds at most 1.91 to S, so a
// single outlier cannot raise S from 0 above an h of 2 or more. Without a change, alarms are at least exp(h) residuals
// apart on average if z is N(0, 1) (Lorden, Annals of Mathematical Statistics 42, 1971).
type cusum struct{ sum float64 }

const (
	cusumRatio = 2 // κ
	cusumLimit = 9 // cap of z²
)

// add adds a residual whose z² is z2 and reports whether S exceeds the threshold.
func (c *cusum) add(z2, threshold float64) bool {
	gain := float64((1-1./cusumRatio)*min(z2, cusumLimit)) - kernel.Log(cusumRatio)
	c.sum = max(0, c.sum+gain/2)
	return c.sum > threshold
}

// restart adds a residual to the test and, on an alarm, forgets all rewards of all arms. It reports whether there was
// an alarm. It does nothing without the option restart, or while all rewards are equal. e2 is the squared residual
// divided by 1 + xᵀA⁻¹x, so that its mean is the variance of the noise.
func (l *linear) restart(e2 float64) bool {
	if l.o.Restart == 0 || l.seen.Squares == 0 {
		return false
	}
	sd := l.noise.SD(l.seen.SD())
	if !l.change.add(e2/float64(sd*sd), l.o.Restart) {
		return false
	}
	for arm, g := range l.models {
		l.models[arm] = newRegression(len(g.fits[0].w), l.o.Lambda, true)
	}
	l.change, l.seen, l.noise = cusum{}, moments.Running{}, residuals{}
	return true
}
