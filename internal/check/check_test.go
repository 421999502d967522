package check

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"banditsim/internal/must"
)

// TestChecks checks that ranges include their ends but not NaN and infinities, and that an error has the key,
// the value and the range.
func TestChecks(t *testing.T) {
	nan, inf, small := math.NaN(), math.Inf(1), math.SmallestNonzeroFloat64
	for _, c := range []struct {
		name string
		f    func(v float64) error
		good []float64
		bad  []float64
		want string // parts of the errors
	}{
		{"Within", func(v float64) error { return Within("steps", int(v), 2, 5) }, []float64{2, 3, 5}, []float64{1, 6, -3}, "want 2 to 5"},
		{"Finite", func(v float64) error { return Finite("steps", v) }, []float64{0, -1, -Most, Most}, []float64{nan, inf, -inf, 1.1 * Most, -1.1 * Most}, "want a number from -1e+15 to 1e+15"},
		{"NotNegative", func(v float64) error { return NotNegative("steps", v) }, []float64{0, 1, Least, Most}, []float64{-Least, -1, small, 1.1 * Most, nan, inf, -inf}, "want 0 or a number from 1e-30 to 1e+15"},
		{"Positive", func(v float64) error { return Positive("steps", v) }, []float64{Least, 1, Most}, []float64{0, -1, small, 1.1 * Most, nan, inf, -inf}, "want a number from 1e-30 to 1e+15"},
	} {
		for _, v := range c.good {
			must.Want(t, fmt.Sprintf("%s of %g", c.name, v), c.f(v), "")
		}
		for _, v := range c.bad {
			err := c.f(v)
			must.Want(t, fmt.Sprintf("%s of %g", c.name, v), err, c.want)
			must.That(t, strings.HasPrefix(fmt.Sprint(err), "steps: "), "%s of %g: error %v, want one with the key", c.name, v, err)
		}
	}
	must.OK(t, OneOf("kind", "b", "a", "b"))
	must.Fail(t, OneOf("kind", "B", "a", "b"), `kind: "B", want one of a, b`)
}

// TestParseFloat checks that a number that float64 cannot hold is an error rather than 0 or infinity.
func TestParseFloat(t *testing.T) {
	for text, want := range map[string]float64{"0": 0, "-0.000e5": 0, "0e-999": 0, "1e-300": 1e-300, "5e-324": 5e-324, "-2.5E3": -2500, "1e308": 1e308} {
		must.Equal(t, text, must.Get(ParseFloat(text))(t), want)
	}
	for text, want := range map[string]string{"1e400": "too large", "-1e400": "too large", "1e-400": "too near to 0", "-0.001E-400": "too near to 0", "": "not a number", "x": "not a number", "NaN": "not a number", "Inf": "not a number", "1e": "not a number"} {
		must.Refuse(ParseFloat(text))(t, want)
	}
}
