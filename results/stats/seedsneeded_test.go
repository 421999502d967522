package stats

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// The sample sizes of paired t-tests at the level .05 with power .8 in Cohen 1988, table 2.4.1
// (as R's power.t.test gives them, rounded up).
func TestSeedsNeededOfCohen(t *testing.T) {
	for effect, want := range map[float64]int{0.2: 199, 0.5: 34, 0.8: 15} {
		e := Estimate{N: 10, Mean: effect, StdErr: 1 / math.Sqrt(10)}
		if got := e.SeedsNeeded(); got != want {
			t.Errorf("effect %v: %d seeds, want %d", effect, got, want)
		}
	}
}

// With so many seeds, or one more if they are only two, a t-test has the power; with two
// fewer it has not.
func TestSeedsNeededHaveThePower(t *testing.T) {
	for _, effect := range []float64{0.05, 0.1, 0.3, 0.7, 1, 1.5, 2, 3, 5, 10} {
		n := Estimate{N: 8, Mean: -effect, StdErr: 1 / math.Sqrt(8)}.SeedsNeeded()
		if n < 2 {
			t.Fatalf("effect %v: %d seeds", effect, n)
		}
		enough := max(n, 3)
		if p := tTestPower(enough, effect); !(p >= Power-0.005) {
			t.Errorf("effect %v: %d seeds have power %v", effect, enough, p)
		}
		if few := n - 2; few >= 2 {
			if p := tTestPower(few, effect); !(p < Power) {
				t.Errorf("effect %v: %d seeds have power %v already", effect, few, p)
			}
		}
	}
}

// tTestPower is the probability that |T| exceeds the critical value, T being noncentral t:
// (Z + √n·effect)/√(V/ν) with V chi-squared, averaged over V by its quantiles.
func tTestPower(n int, effect float64) float64 {
	nu := float64(n - 1)
	critical := studentsT(n - 1).Quantile(1 - Significance/2)
	shift := math.Sqrt(float64(n)) * effect
	const points = 4000
	power := 0.0
	for i := range points {
		s := math.Sqrt(distuv.ChiSquared{K: nu}.Quantile((float64(i)+0.5)/points) / nu)
		power += distuv.UnitNormal.CDF(shift-critical*s) + distuv.UnitNormal.CDF(-shift-critical*s)
	}
	return power / points
}

func TestSeedsNeededWhereNone(t *testing.T) {
	for _, test := range []struct {
		values []float64
		want   int
	}{
		{nil, 0},
		{[]float64{5}, 0},
		{[]float64{1, -1}, 0},
		{[]float64{0, 0, 0}, 0},
		{[]float64{1, -1, 1e-9}, 0}, // more than MaxSeedsNeeded
		{[]float64{4, 4, 4}, 2},     // without spread
	} {
		if got := NewEstimate(test.values).SeedsNeeded(); got != test.want {
			t.Errorf("%s: %d seeds, want %d", fmt.Sprint(test.values), got, test.want)
		}
	}
}

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
