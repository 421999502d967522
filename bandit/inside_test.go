package bandit

import (
	"fmt"
	"math"
	"testing"

	"banditsim/internal/must"
)

// TestCalibrationByHand: with PIT the share of the predictive law below the reward, p̂ is the share of the PITs up to p.
func TestCalibrationByHand(t *testing.T) {
	for _, c := range []struct {
		name string
		pits []float64
		want float64
	}{
		{"uniform", []float64{0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95}, 0},
		// On the levels: the quantile p itself counts, so that p̂ is p again.
		{"on the levels", []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}, 0},
		// .1² + .2² + .3² + .4² below ½, .5² + .4² + .3² + .2² + .1² from it on: .85/9
		{"one half", []float64{0.5}, math.Sqrt(0.85 / 9)},
		// p̂ = 0 up to .9, but 1: .1² + … + .9² = 2.85
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
