package check

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// TestChecks: a range ends where it says, NaN and infinities are outside, and an error has the key,
// the value and the range.
func TestChecks(t *testing.T) {
	nan, inf, least := math.NaN(), math.Inf(1), math.SmallestNonzeroFloat64
	for _, c := range []struct {
		name string
		f    func(v float64) error
		good []float64
		bad  []float64
		want string // of the errors
	}{
		{"Within", func(v float64) error { return Within("steps", int(v), 2, 5) }, []float64{2, 3, 5}, []float64{1, 6, -3}, "want 2 to 5"},
		{"Finite", func(v float64) error { return Finite("steps", v) }, []float64{0, -1, math.MaxFloat64}, []float64{nan, inf, -inf}, "want a finite number"},
		{"NotNegative", func(v float64) error { return NotNegative("steps", v) }, []float64{0, 1, least, math.MaxFloat64}, []float64{-least, -1, nan, inf, -inf}, "at least 0"},
		{"Positive", func(v float64) error { return Positive("steps", v) }, []float64{least, 1, math.MaxFloat64}, []float64{0, -1, nan, inf, -inf}, "above 0"},
	} {
		for _, v := range c.good {
			if err := c.f(v); err != nil {
				t.Errorf("%s of %g: %v", c.name, v, err)
			}
		}
		for _, v := range c.bad {
			if err := c.f(v); err == nil || !strings.HasPrefix(err.Error(), "steps: ") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s of %g: error %v, want one with the key and %q", c.name, v, err, c.want)
			}
		}
	}
	if err := OneOf("kind", "b", "a", "b"); err != nil {
		t.Error(err)
	}
	if err := OneOf("kind", "B", "a", "b"); err == nil || err.Error() != `kind: "B", want one of a, b` {
		t.Errorf("error %v", err)
	}
	one, two := errors.New("one"), errors.New("two")
	if err := First(nil, one, two); err != one {
		t.Errorf("First returns %v, want %v", err, one)
	}
	if err := First(nil, nil); err != nil {
		t.Errorf("First returns %v of none", err)
	}
}
