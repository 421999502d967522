package stats

import (
	"math"
	"testing"
)

// TestWelchByHand: degrees of freedom (v₁ + v₂)²/(v₁²/(n₁ − 1) + v₂²/(n₂ − 1)) of the squared standard errors v, whichever sample comes first.
func TestWelchByHand(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b Estimate
		want float64
	}{
		{"other sizes and errors", Estimate{N: 3, StdErr: 1}, Estimate{N: 5, StdErr: 2}, 25 / (1./2 + 16./4)},
		{"equal", Estimate{N: 8, StdErr: 0.5}, Estimate{N: 8, StdErr: 0.5}, 14},
		{"one exact", Estimate{N: 4, StdErr: 2}, Estimate{N: 9, StdErr: 0}, 3},
		{"both exact", Estimate{N: 4}, Estimate{N: 9}, 11},
	} {
		closeTo(t, c.name, welch(c.a, c.b).Nu, c.want, 1e-12)
		closeTo(t, c.name+", exchanged", welch(c.b, c.a).Nu, c.want, 1e-12)
	}
}

// TestUnpairedOfStudent: of 1, 2, 3 and 2, 4, 6 the difference is −2 with a standard error of √(1/3 + 4/3), and has 50/17 degrees of freedom.
func TestUnpairedOfStudent(t *testing.T) {
	a, b := NewEstimate([]float64{1, 2, 3}), NewEstimate([]float64{2, 4, 6})
	d, p := Unpaired(a, b)
	closeTo(t, "p", p, studentP(2/math.Sqrt(5./3), 50./17), 1e-9)
	closeTo(t, "difference", d.Mean, -2, 1e-12)
	closeTo(t, "standard error", d.StdErr, math.Sqrt(5./3), 1e-12)
	closeTo(t, "p at the end of the interval", studentP((d.High-d.Mean)/d.StdErr, 50./17), 0.05, 1e-6)
	closeTo(t, "middle of the interval", (d.High+d.Low)/2, -2, 1e-12)
}

// studentP is the probability that Student's t with n degrees of freedom is beyond ±x, by Simpson's rule.
func studentP(x, n float64) float64 {
	l, _ := math.Lgamma((n + 1) / 2)
	m, _ := math.Lgamma(n / 2)
	density := func(t float64) float64 { return math.Exp(l-m) / math.Sqrt(n*math.Pi) * math.Pow(1+t*t/n, -(n+1)/2) }
	const steps = 20_000
	sum := 0.0
	for i := range steps + 1 {
		w := 2.0
		switch {
		case i == 0 || i == steps:
			w = 1
		case i%2 == 1:
			w = 4
		}
		sum += w * density(x*float64(i)/steps)
	}
	return 1 - 2*sum*x/steps/3
}
