package stats

import "math"

// MinAnytime is the smallest number of values for which Anytime has an interval or p-values below 1.
const MinAnytime = 5

// anytimeG is g in the interval of Anytime. The prior of the effect size counts as much as g observed values.
const anytimeG = 1.0

// Anytime returns an interval of level 1 − alpha for the mean of normal values, and two p-values, t and sign, for no
// difference. All stay valid if they are computed again after every added value, so that sampling may stop as soon as
// they are conclusive. The argument values must be in the order in which the values were sampled.
//
// The interval consists of the means that the t e-process (Wang and Ramdas 2023: Anytime-valid t-tests and confidence
// sequences for Gaussian means with unknown variance) does not reject. With n values, k = g/(g+n), α = alpha and
// q = (α²k)^(1/n) it is
//
//	mean ± s·√((n−1)/n·(1−q)/(q−k)),
//
// where s is the standard deviation with divisor n − 1. The interval is infinite while q ≤ k (up to n = 4 at α = .05)
// and for fewer than MinAnytime values.
//
// Each p-value is min(1, 1/M), where M is the maximum so far of an e-process. Without a difference, the probability
// that an e-process ever reaches m is at most 1/m. The p-value t is from the t e-process; it tests whether the mean is
// 0 and assumes normal values. The p-value sign is from the sign e-process, which ignores zeros; it tests whether the
// median is 0 and assumes no distribution.
func Anytime(values []float64, alpha float64) (low, high, t, sign float64) {
	var m Moments
	t, sign = 1, 1
	above, signs := 0, 0
	for _, v := range values {
		m.Add(v)
		if v != 0 {
			signs++
		}
		if v > 0 {
			above++
		}
		if m.n >= MinAnytime {
			t = min(t, 1/m.tEvidence())
			sign = min(sign, 1/signEvidence(above, signs))
		}
	}
	low, high = m.anytimeT(alpha)
	return low, high, t, sign
}

func (m Moments) anytimeT(alpha float64) (low, high float64) {
	n := float64(m.n)
	k := anytimeG / (anytimeG + n)
	q := math.Pow(alpha*alpha*k, 1/n)
	if m.n < MinAnytime || q <= k {
		return math.Inf(-1), math.Inf(1)
	}
	half := m.StdDev() * math.Sqrt((n-1)/n*(1-q)/(q-k))
	return m.Mean - half, m.Mean + half
}

// tEvidence returns the value of the t e-process for mean 0: √k·((1+a)/(1+ka))^(n/2), where a = n·mean²/((n−1)s²), and
// n, k and s are as in Anytime's comment. Anytime's interval excludes 0 if and only if this value is above 1/alpha.
func (m Moments) tEvidence() float64 {
	n := float64(m.n)
	switch {
	case m.n < MinAnytime || m.Mean == 0:
		return 1
	case m.m2 == 0:
		return math.Inf(1)
	}
	k := anytimeG / (anytimeG + n)
	a := n * m.Mean * m.Mean / m.m2
	return math.Exp((math.Log(k) + n*(math.Log1p(a)-math.Log1p(k*a))) / 2)
}

// signEvidence returns the value of the sign e-process for k positive signs of n: 2ⁿ·B(k+½, n−k+½)/B(½, ½), where B is
// the beta function. It is the Bayes factor of a Beta(½, ½) prior on the probability of a positive sign against ½.
func signEvidence(k, n int) float64 {
	return math.Exp(float64(n)*math.Ln2 + logBeta(float64(k)+0.5, float64(n-k)+0.5) - math.Log(math.Pi))
}

func logBeta(a, b float64) float64 {
	x, _ := math.Lgamma(a)
	y, _ := math.Lgamma(b)
	z, _ := math.Lgamma(a + b)
	return x + y - z
}
