package neural

import (
	"context"
	"math"
	"slices"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/posterior"
)

// learnSigns trains a network at temperature 0 for 60 rounds of twenty rewards of one arm: share·sign(c₀c₁) in a context c of four normal
// numbers, plus noise of deviation 1. It returns the network and the mean squared error of its mean.
func learnSigns(t *testing.T, share float64, change func(*LangevinOptions)) (*Network, float64) {
	t.Helper()
	o := ownScale()
	o.Sampler.Temperature, o.Buffer, o.Sampler.Contour.Kind = 0, 2000, "off"
	change(&o)
	n := newScaled(t, o, 4, 1)
	r := stream.Root(8).Child("signs")
	draw := func() ([]float32, float64) {
		c := make([]float32, 4)
		r.Normals(c)
		if c[0]*c[1] < 0 {
			return c, -share
		}
		return c, share
	}
	var z [1]float32
	for range 60 {
		for range 20 {
			c, mean := draw()
			r.Normals(z[:])
			must.OK(t, n.Observe(c, 0, mean+float64(z[0])))
		}
		must.OK(t, n.Update(context.Background()))
	}
	missed := 0.0
	for range 500 {
		c, mean := draw()
		value := make([]float64, 1)
		must.OK(t, n.Predict(value, [][]float32{c}, posterior.Mean))
		missed += (value[0] - mean) * (value[0] - mean) / 500
	}
	return n, missed
}

// TestAnchor checks that with a strong prior of mean 0 the hidden layers learn nothing, and that with the initial values as prior mean
// they learn.
func TestAnchor(t *testing.T) {
	const strong = 4 // times the weight_decay of the profile general, whose network is wider
	_, plain := learnSigns(t, 2, func(o *LangevinOptions) { o.WeightDecay *= strong })
	_, anchored := learnSigns(t, 2, func(o *LangevinOptions) { o.WeightDecay *= strong; o.Anchor = true })
	t.Logf("misses %.3g of 4 about 0, %.3g about the initial values", plain, anchored)
	must.That(t, plain >= 3.6 && anchored <= 2,
		"misses %g of 4 about 0, want nearly all, and %g about the initial values, want at most 2", plain, anchored)
}

// TestLastDecay checks that rewards of pure noise keep the prior precision of the last layer at its limit, so that less noise is learned,
// and that a function brings the precision to its minimum.
func TestLastDecay(t *testing.T) {
	with := func(o *LangevinOptions) { o.Anchor, o.LastDecayLimit = true, 3 }
	factor := func(n *Network) float64 {
		return n.data[0].lastPrior(n.last().Weights).lambda / (n.o.WeightDecay * float64(n.last().In))
	}
	noise, missed := learnSigns(t, 0, with)
	_, without := learnSigns(t, 0, func(o *LangevinOptions) { o.Anchor = true })
	function, _ := learnSigns(t, 2, with)
	t.Logf("noise: λ × %.3g, misses %.3g, without the option %.3g; a function: λ × %.3g", factor(noise), missed, without, factor(function))
	got := factor(noise)
	must.That(t, math.Abs(got-7.2) <= 1e-9, "of noise λ is %g times the least, want 3·1200/500", got)
	if got := factor(function); got > 1.5 {
		t.Errorf("of a function λ is %g times the least, want about 1", got)
	}
	must.That(t, missed <= 0.7*without, "learns %g of noise, want at most 0.7 of the %g without the option", missed, without)
}

// TestFirstUnits checks that with moment_decay a network predicts the same if a column is in another unit, a power of two, with and
// without an anchor or prior functions.
func TestFirstUnits(t *testing.T) {
	for name, change := range map[string]func(*LangevinOptions){
		"neither": func(*LangevinOptions) {}, "anchor": func(o *LangevinOptions) { o.Anchor = true }, "prior functions": func(o *LangevinOptions) { o.PriorScale = 0.5 },
	} {
		learn := func(unit float32) []float64 {
			o := ownScale()
			o.MomentDecay = true
			change(&o)
			n, r := newScaled(t, o, 3, 1), stream.Root(9)
			for range 10 {
				for range 20 {
					c := make([]float32, 3)
					r.Normals(c)
					reward := float64(c[0])
					c[1] *= unit
					must.OK(t, n.Observe(c, 0, reward))
				}
				must.OK(t, n.Update(context.Background()))
			}
			values := make([]float64, 2)
			must.OK(t, n.Predict(values, [][]float32{{1, unit, 1}, {-1, 0.5 * unit, 0}}, posterior.Mean))
			return values
		}
		got, want := learn(1024), learn(1)
		must.That(t, slices.Equal(got, want), "%s: in another unit %g, want %g", name, got, want)
	}
}
