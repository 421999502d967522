package stats

import (
	"fmt"
	"math"
	"testing"
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
	closeTo(t, "p", p, 0.2208808405, 1e-9) // by Simpson's rule over the density
	closeTo(t, "difference", d.Mean, -2, 1e-12)
	closeTo(t, "standard error", d.StdErr, math.Sqrt(5./3), 1e-12)
	_, p = Unpaired(Estimate{N: a.N, Mean: d.High - d.Mean, StdErr: a.StdErr}, Estimate{N: b.N, StdErr: b.StdErr})
	closeTo(t, "p at the end of the interval", p, 0.05, 1e-6)
	closeTo(t, "middle of the interval", (d.High+d.Low)/2, -2, 1e-12)
}
