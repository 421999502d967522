package stats

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"banditsim/internal/must"
)

func TestEstimate(t *testing.T) {
	// 10, 12, 14, 20: mean 14, squared deviations 16+4+0+36 = 56, variance 56/3.
	e := NewEstimate([]float64{10, 12, 14, 20})
	se := math.Sqrt(56. / 3 / 4)
	must.Near(t, "mean", e.Mean, 14, 1e-12)
	must.Near(t, "standard error", e.StdErr, se, 1e-12)
	must.Near(t, "low", e.Low, 14-3.182446*se, 1e-5) // t with 3 degrees of freedom
	must.Near(t, "high", e.High, 14+3.182446*se, 1e-5)
	must.That(t, e.HasInterval() && e.N == 4, "%+v", e)
	// A large mean does not make a small spread inaccurate.
	e = NewEstimate([]float64{1e9 + 1, 1e9 + 2, 1e9 + 3})
	must.Near(t, "standard error", e.StdErr, 1/math.Sqrt(3), 1e-9)
}

func TestEstimateOfFew(t *testing.T) {
	must.That(t, math.IsNaN(Moments{}.StdDev()), "the standard deviation of no values is not NaN")
	one := NewEstimate([]float64{5})
	must.That(t, one.Mean == 5 && !one.HasInterval() && math.IsNaN(one.StdErr), "of one: %+v", one)
	none := NewEstimate(nil)
	must.That(t, math.IsNaN(none.Mean) && !none.HasInterval(), "of none: %+v", none)
	b, err := json.Marshal([]Estimate{one, none})
	want := `[{"n":1,"mean":5,"standard_error":null,"low":null,"high":null},{"n":0,"mean":null,"standard_error":null,"low":null,"high":null}]`
	must.That(t, err == nil && string(b) == want, "JSON %s, %v, want %s", b, err, want)
}

func TestPValue(t *testing.T) {
	// With two degrees of freedom p = 1 − t/√(t²+2); here t² = 100/(1/3) = 300.
	must.Near(t, "p", NewEstimate([]float64{9, 10, 11}).PValue(), 1-math.Sqrt(300./302), 1e-12)
	// With one degree of freedom p = 1 − (2/π)·atan t; here t = 2/1.
	must.Near(t, "p", NewEstimate([]float64{-1, -3}).PValue(), 1-2/math.Pi*math.Atan(2), 1e-12)
	// R: 2*pt(-2, 10) = 0.07338803.
	must.Near(t, "p", Estimate{N: 11, Mean: 2, StdErr: 1}.PValue(), 0.07338803, 1e-8)
	must.Equal(t, "p of no difference", NewEstimate([]float64{0, 0, 0}).PValue(), 1)
	must.Equal(t, "p of a difference without spread", NewEstimate([]float64{2, 2, 2}).PValue(), 0)
	p := NewEstimate([]float64{2}).PValue()
	must.That(t, math.IsNaN(p), "p of one = %v, want NaN", p)
}

func TestHolm(t *testing.T) {
	nan := math.NaN()
	for _, test := range []struct {
		name    string
		p, want []float64
	}{
		// R: p.adjust(c(.01, .04, .03, .005), "holm")
		{"worked", []float64{.01, .04, .03, .005}, []float64{.03, .06, .06, .02}},
		{"capped", []float64{.6, .9}, []float64{1, 1}},
		{"equal", []float64{.02, .02}, []float64{.04, .04}},
		{"one", []float64{.03}, []float64{.03}},
		{"untested are no part", []float64{nan, .01, .04}, []float64{nan, .02, .04}},
		{"none", nil, nil},
	} {
		got := Holm(test.p)
		if len(got) != len(test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
			continue
		}
		for i, want := range test.want {
			if math.IsNaN(want) && math.IsNaN(got[i]) {
				continue
			}
			must.Near(t, test.name, got[i], want, 1e-12)
		}
	}
}

func TestEstimateText(t *testing.T) {
	nan := math.NaN()
	for _, test := range []struct{ got, want string }{
		{Estimate{3, 5012.4, 1, 4932, 5092}.String(), "5,012 ± 80"},
		{Estimate{3, 5012.44, 1, 5004.14, 5020.74}.String(), "5,012.4 ± 8.3"},
		{Estimate{1, 5012.4, nan, nan, nan}.String(), "5,012"},
		{Estimate{3, 5, 0, 5, 5}.String(), "5.00 ± 0"},
		{Estimate{3, 120, 1, -40, 280}.Interval(), "[−40, 280]"},
		{Estimate{3, 2, 1, -4e-16, 4}.Interval(), "[0, 4.0]"},
		{Estimate{1, 120, nan, nan, nan}.Interval(), "–"},
	} {
		must.That(t, test.got == test.want, "%q, want %q", test.got, test.want)
	}
}

// TestSeedsNeededOfCohen checks the sample sizes of paired t-tests at level .05 with power .8 in Cohen 1988, table 2.4.1
// (and of R's power.t.test, rounded up).
func TestSeedsNeededOfCohen(t *testing.T) {
	for effect, want := range map[float64]int{0.2: 199, 0.5: 34, 0.8: 15} {
		e := Estimate{N: 10, Mean: effect, StdErr: 1 / math.Sqrt(10)}
		must.Equal(t, fmt.Sprintf("effect %v: seeds", effect), e.SeedsNeeded(), want)
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
		must.Equal(t, fmt.Sprint(test.values)+": seeds", NewEstimate(test.values).SeedsNeeded(), test.want)
	}
}

// TestWelchByHand checks the degrees of freedom (v₁ + v₂)²/(v₁²/(n₁ − 1) + v₂²/(n₂ − 1)), where v are squared standard
// errors, in either order of the samples.
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
		must.Near(t, c.name, float64(welch(c.a, c.b)), c.want, 1e-12)
		must.Near(t, c.name+", exchanged", float64(welch(c.b, c.a)), c.want, 1e-12)
	}
}

// TestUnpairedOfStudent checks the samples 1, 2, 3 and 2, 4, 6. Their difference is −2 with standard error √(1/3 + 4/3) and
// 50/17 degrees of freedom.
func TestUnpairedOfStudent(t *testing.T) {
	a, b := NewEstimate([]float64{1, 2, 3}), NewEstimate([]float64{2, 4, 6})
	d, p := Unpaired(a, b)
	must.Near(t, "p", p, 0.2208808405, 1e-9) // by Simpson's rule over the density
	must.Near(t, "difference", d.Mean, -2, 1e-12)
	must.Near(t, "standard error", d.StdErr, math.Sqrt(5./3), 1e-12)
	_, p = Unpaired(Estimate{N: a.N, Mean: d.High - d.Mean, StdErr: a.StdErr}, Estimate{N: b.N, StdErr: b.StdErr})
	must.Near(t, "p at the end of the interval", p, 0.05, 1e-6)
	must.Near(t, "middle of the interval", (d.High+d.Low)/2, -2, 1e-12)
}
