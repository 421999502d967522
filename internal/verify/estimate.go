package verify

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// An Estimate is a statistic with its standard error, from independent replicates.
type Estimate struct {
	Value, SE  float64
	Replicates int
}

// Off returns the difference of the estimate from want, in standard errors of a normal
// distribution.
func (e Estimate) Off(want float64) float64 {
	if !(e.SE > 0) {
		return 0
	}
	return NormalScore((e.Value-want)/e.SE, float64(e.Replicates-1))
}

// MeanOf returns the mean of independent replicates.
func MeanOf(x []float64) Estimate {
	n := float64(len(x))
	mean := 0.0
	for _, v := range x {
		mean += v / n
	}
	squares := 0.0
	for _, v := range x {
		squares += float64((v - mean) * (v - mean))
	}
	return Estimate{mean, math.Sqrt(squares / (n - 1) / n), len(x)}
}

// RatioOf returns Σtop/Σbottom over independent replicates, by the delta method.
func RatioOf(top, bottom []float64) Estimate {
	n, t, b := float64(len(top)), 0.0, 0.0
	for i := range top {
		t += top[i]
		b += bottom[i]
	}
	ratio, squares := t/b, 0.0
	for i := range top {
		d := top[i] - float64(ratio*bottom[i])
		squares += float64(d * d)
	}
	return Estimate{ratio, math.Sqrt(squares*n/(n-1)) / math.Abs(b), len(top)}
}

// Minus returns the difference of two independent estimates.
func (e Estimate) Minus(f Estimate) Estimate {
	return Estimate{e.Value - f.Value, math.Hypot(e.SE, f.SE), min(e.Replicates, f.Replicates)}
}

// Times returns the estimate times c.
func (e Estimate) Times(c float64) Estimate {
	return Estimate{c * e.Value, math.Abs(c) * e.SE, e.Replicates}
}

// Extrapolated returns the statistic at ε = 0 from those at ε and ε/2, up to terms in ε²:
// 2·v(ε/2) − v(ε).
func Extrapolated(full, half Estimate) Estimate { return half.Times(2).Minus(full) }

// NormalScore returns the quantile of a normal distribution with the tail probability of
// Student's t with df degrees of freedom at t.
func NormalScore(t, df float64) float64 {
	if math.IsNaN(t) || df > 1e5 {
		return t
	}
	tail := mathext.RegIncBeta(df/2, 0.5, df/(df+float64(t*t))) / 2
	if !(tail > 1e-300) {
		return math.Copysign(37, t) // the limit of float64
	}
	if tail >= 0.5 {
		return 0
	}
	return math.Copysign(-mathext.NormalQuantile(tail), t)
}
