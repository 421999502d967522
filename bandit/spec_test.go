package bandit

import (
	"strings"
	"testing"
)

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
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}
