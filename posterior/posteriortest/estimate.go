package posteriortest

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// An estimate is a statistic with its standard error, which comes from a number of
// independent replicates.
type estimate struct {
	value, se  float64
	replicates int
}

// off returns how far the estimate is from what it should be, in standard errors
// of a normal distribution.
func (e estimate) off(want float64) float64 {
	if !(e.se > 0) {
		return 0
	}
	return normalScore((e.value-want)/e.se, float64(e.replicates-1))
}

// meanOf is the mean of independent replicates.
func meanOf(x []float64) estimate {
	n := float64(len(x))
	mean := 0.0
	for _, v := range x {
		mean += v / n
	}
	squares := 0.0
	for _, v := range x {
		squares += (v - mean) * (v - mean)
	}
	return estimate{mean, math.Sqrt(squares / (n - 1) / n), len(x)}
}

// ratioOf is Σtop/Σbottom over independent replicates, by the delta method.
func ratioOf(top, bottom []float64) estimate {
	n, t, b := float64(len(top)), 0.0, 0.0
	for i := range top {
		t += top[i]
		b += bottom[i]
	}
	ratio, squares := t/b, 0.0
	for i := range top {
		d := top[i] - ratio*bottom[i]
		squares += d * d
	}
	return estimate{ratio, math.Sqrt(squares*n/(n-1)) / math.Abs(b), len(top)}
}

// minus is the difference of two independent estimates.
func (e estimate) minus(f estimate) estimate {
	return estimate{e.value - f.value, math.Hypot(e.se, f.se), min(e.replicates, f.replicates)}
}

// times is the estimate scaled.
func (e estimate) times(c float64) estimate {
	return estimate{c * e.value, math.Abs(c) * e.se, e.replicates}
}

// extrapolated removes from a statistic at step ε the part that goes with ε, by
// the same statistic at ε/2: 2·v(ε/2) − v(ε).
func extrapolated(full, half estimate) estimate { return half.times(2).minus(full) }

// normalScore returns the number of standard deviations that a normal variable
// exceeds as seldom as Student's t with df degrees of freedom exceeds t.
func normalScore(t, df float64) float64 {
	if math.IsNaN(t) || df > 1e5 {
		return t
	}
	tail := mathext.RegIncBeta(df/2, 0.5, df/(df+t*t)) / 2
	if !(tail > 1e-300) {
		return math.Copysign(37, t) // as far as numbers go
	}
	if tail >= 0.5 {
		return 0
	}
	return math.Copysign(-mathext.NormalQuantile(tail), t)
}
