package simulation

import (
	"math"
	"testing"
)

func check(t *testing.T, name string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %.8g, want %.8g to %.2g", name, got, want, tolerance)
	}
}
