package posterior

import "testing"

// TestO4ConstantSGD: without temperature, the noise of the gradient alone makes
// a spread of (εv/2)s²/(1 − ε/(2s²)).
func TestO4ConstantSGD(t *testing.T) {
	for _, c := range []struct {
		name           string
		s2, eps, noise float64
		variance       float64 // the closed form, worked out by hand
	}{
		{"unit", 1, 0.5, 1, 0.25 / 0.75},
		{"wide", 4, 2, 0.5, 4 * 0.5 / 0.75},
	} {
		t.Run(c.name, func(t *testing.T) { checkAR1(t, c.s2, 0, c.eps, c.noise, c.variance) })
	}
}
