package stats

import (
	"math"
	"testing"
)

// TestTIntervalOfTwo: two values have an interval, one has none. t(1) at 97.5 % is 12.7062 (Student
// 1908; any table).
func TestTIntervalOfTwo(t *testing.T) {
	var m Moments
	m.Add(1)
	if low, high := m.tInterval(); !math.IsNaN(low) || !math.IsNaN(high) {
		t.Errorf("of one value %g to %g, want none", low, high)
	}
	m.Add(3) // the standard error is 1
	if low, high := m.tInterval(); !(math.Abs(low-(2-12.7062)) < 1e-4) || !(math.Abs(high-(2+12.7062)) < 1e-4) {
		t.Errorf("of 1 and 3 %g to %g, want 2 ± 12.7062", low, high)
	}
}
