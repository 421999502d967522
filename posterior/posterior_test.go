package posterior

import (
	"slices"
	"testing"

	"banditsim/internal/must"
)

// box is a target bounded to numbers below 3.
type box struct{ Target }

func (box) Inside(x []float32) bool { return x[0] < 3 }

// TestChainOnABoundedTarget checks that a move out of a bounded target is undone, and that a move inside is kept.
func TestChainOnABoundedTarget(t *testing.T) {
	flat := TargetFunc(2, func(grad, x []float32) float64 { clear(grad); return 0 })
	for _, c := range []struct {
		target Target
		to     float32
		want   []float32
		back   bool
	}{
		{box{flat}, 2, []float32{2, 8}, false},
		{box{flat}, 3, []float32{1, 7}, true},
		{flat, 3, []float32{3, 8}, false},
	} {
		chain := NewChain(c.target, []float32{1, 7})
		chain.Keep()
		chain.X[0], chain.X[1] = c.to, 8
		if back := chain.Refuse(); back != c.back || !slices.Equal(chain.X, c.want) {
			t.Errorf("%T, to %g: taken back %t, at %v; want %t, %v", c.target, c.to, back, chain.X, c.back, c.want)
		}
		must.That(t, chain.Multiplier == 1 && len(chain.Grad) == 2,
			"a new chain has the multiplier %g and a gradient of %d", chain.Multiplier, len(chain.Grad))
	}
}

// TestParallel checks that Do calls f for each index in turn if the Parallel is nil, and that it calls the Parallel otherwise.
func TestParallel(t *testing.T) {
	var calls []int
	Parallel(nil).Do(3, func(i int) { calls = append(calls, i) })
	must.Equal(t, "calls", calls, []int{0, 1, 2})
	given := 0
	Parallel(func(n int, f func(int)) { given = n }).Do(5, nil)
	must.Equal(t, "the Parallel was given", given, 5)
}

func TestPredictValidates(t *testing.T) {
	for how, good := range map[Prediction]bool{Mean: true, Draw: true, -1: false, 2: false} {
		err := how.Validate()
		must.That(t, (err == nil) == good, "%d: error %v", how, err)
	}
}
