package bandit

import (
	"fmt"
	"math"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/must"
)

// TestCalibrationByHand checks calibration for given values of the predictive distribution functions; p̂ is the proportion of values ≤ p.
func TestCalibrationByHand(t *testing.T) {
	for _, c := range []struct {
		name string
		pits []float64
		want float64
	}{
		{"uniform", []float64{0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95}, 0},
		// A value equal to p counts, so that p̂ = p.
		{"on the levels", []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}, 0},
		// p̂ = 0 for p < ½, else 1: .1² + .2² + .3² + .4² and .5² + .4² + .3² + .2² + .1² sum to .85
		{"one half", []float64{0.5}, math.Sqrt(0.85 / 9)},
		// p̂ = 0 for all p: .1² + … + .9² = 2.85
		{"all above", []float64{0.95, 0.99}, math.Sqrt(2.85 / 9)},
		// p̂ = ½ at each level: 2(.4² + .3² + .2² + .1²) = .6
		{"too narrow", []float64{0.01, 0.99}, math.Sqrt(0.6 / 9)},
	} {
		must.Near(t, c.name, calibration(c.pits), c.want, 1e-12)
	}
	for p, z := range map[float64]float64{0.5: 0, 0.9: 1.2815515655446004, 0.025: -1.9599639845400545} { // tables
		must.Near(t, fmt.Sprint("Φ of ", z), normalCDF(z), p, 1e-14)
	}
}

// TestLogSum checks the logarithm of a mean whose terms underflow: all of them, or some.
func TestLogSum(t *testing.T) {
	s := logSum{largest: math.Inf(-1)}
	s.add(math.Inf(-1))
	must.Equal(t, "the logarithm of 0", s.log(1), math.Inf(-1))
	s.add(-2000)
	must.Near(t, "the logarithm of exp(−2000)/2", s.log(2), -2000-math.Ln2, 1e-12)
}

func TestSpecValidate(t *testing.T) {
	arms := []string{"a", "b"}
	for _, c := range []struct {
		name string
		spec Spec
		want string // part of the error; empty for none
	}{
		{"no images", Spec{Dim: 12, Arms: arms}, ""},
		{"images", Spec{Dim: 12, Arms: arms, Shape: []int{2, 3, 2}}, ""},
		{"no contexts", Spec{Arms: arms}, "contexts of length 0, 2 arms"},
		{"bytes", Spec{Dim: 1, Arms: []string{"a", "\xe9"}}, `arms "\xe9", want text in UTF-8`},
		{"one arm", Spec{Dim: 1, Arms: arms[:1]}, "1 arms"},
		{"features", Spec{Dim: 1, Arms: arms, ArmDim: -1}, "features of length -1"},
		{"two numbers", Spec{Dim: 12, Arms: arms, Shape: []int{3, 4}}, "contexts of length 12 with the shape [3 4], want height, width and channels"},
		{"other pixels", Spec{Dim: 12, Arms: arms, Shape: []int{3, 3, 1}}, "shape [3 3 1]"},
		{"negative", Spec{Dim: 12, Arms: arms, Shape: []int{-3, -4, 1}}, "shape [-3 -4 1]"},
		{"empty", Spec{Dim: 12, Arms: arms, Shape: []int{}}, "shape []"},
	} {
		err := c.spec.Validate()
		must.Want(t, c.name, err, c.want)
	}
}

// TestArrivals checks that arms are available from their arrival until they leave, that all are if none would be, and that the
// proportion of periods in which arms are away is right within 5 standard errors, with no change within a period.
func TestArrivals(t *testing.T) {
	a := Arrivals{Arrive: []int{0, 3}, Leave: []int{5, 0, 4}}
	var got []string
	var r Round
	for r.T = 1; r.T <= 6; r.T++ {
		a.Put(&r, 3, nil)
		got = append(got, fmt.Sprint(r.Available))
	}
	want := "[[true false true] [true false true] [true true true] [true true false] [false true false] [false true false]]"
	must.That(t, fmt.Sprint(got) == want, "%v, want %s", got, want)
	r.T = 1
	if (Arrivals{Arrive: []int{9, 9, 9}}).Put(&r, 3, nil); fmt.Sprint(r.Available) != "[true true true]" {
		t.Errorf("no arm is there: %v, want all", r.Available)
	}

	for r.T = 2; r.T <= 99; r.T++ { // the second arm is alone, and so never away
		(Arrivals{Arrive: []int{100}, Leave: []int{0, 0, 2}, Away: 0.9, Period: 1}).Put(&r, 3, stream.Root(1))
		must.That(t, fmt.Sprint(r.Available) == "[false true false]", "pull %d: %v, want the second arm", r.T, r.Available)
	}

	a = Arrivals{Away: 0.3, Period: 10}
	away, last := 0, ""
	const periods = 4000
	for r.T = 1; r.T <= 10*periods; r.T++ {
		a.Put(&r, 8, stream.Root(1)) // the 8 arms are all away, and then put back, in only one of 15,000 periods
		now := fmt.Sprint(r.Available)
		must.Hold(t, r.T%10 == 1 || now == last, "pull %d: %s within a period of %s", r.T, now, last)
		last = now
		for _, there := range r.Available {
			if !there && r.T%10 == 1 {
				away++
			}
		}
	}
	share := float64(away) / (8 * periods)
	must.That(t, share >= 0.3-0.013 && share <= 0.3+0.013, "arms are away in %.3f of the periods, want 0.3", share)

	for want, wrong := range map[string]Arrivals{
		"arm 1 leaves at pull 3, want after it arrived, at pull 3": {Arrive: []int{0, 3}, Leave: []int{0, 3}},
		"protocol.arms.arrive: [-1]":                               {Arrive: []int{-1}},
		"protocol.arms.away: 1, want 0 to 0.9":                     {Away: 1, Period: 1},
		"protocol.arms.period: 0, want 1 to":                       {Away: 0.5},
	} {
		must.Fail(t, wrong.validate(), want)
	}
	must.Fail(t, Arrivals{Leave: []int{0, 0, 9}}.check(2), "protocol.arms.leave: 3 numbers for 2 arms")
}
