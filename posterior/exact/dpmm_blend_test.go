package exact

import (
	"fmt"
	"math"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/must"
)

// blends returns DPMM with the option linear.
func blends(t *testing.T, dim, arms int, groups []int) *blend {
	t.Helper()
	o := DPMM().Defaults()
	o.Linear = true
	return grouped(t, o, dim, arms, groups).(*blend)
}

// TestBlend: rewards that are linear in contexts of one cluster are predicted by the regression, those of clusters by the mixture.
func TestBlend(t *testing.T) {
	for _, c := range []struct {
		name    string
		reward  func(c []float32, kind int) float64
		linear  bool
		largest float64 // root mean square error
	}{
		{"linear", func(c []float32, _ int) float64 { return float64(c[8]) }, true, 0.2},
		{"clusters", func(_ []float32, kind int) float64 { return []float64{2, -1, 7}[kind] }, false, 0.4},
	} {
		b, r := blends(t, len(animalGroups), 1, animalGroups), stream.Root(2)
		for i := range 300 {
			x := animals(r, i%3)
			if c.linear {
				x = animals(r, 0)
			}
			must.OK(t, b.Observe(x, 0, c.reward(x, i%3)))
			if i%20 == 19 {
				must.OK(t, b.Update(t.Context()))
			}
		}
		if w := b.weight(); !(w > 0.99) == c.linear || !(w < 0.1) != c.linear {
			t.Errorf("%s: the regression has the weight %g", c.name, w)
		}
		squares := 0.0
		for i := range 60 {
			x := animals(r, i%3)
			if c.linear {
				x = animals(r, 0)
			}
			value, _ := predict(t, b, 1, x)
			e := value[0] - c.reward(x, i%3)
			squares += e * e / 60
		}
		if !(math.Sqrt(squares) < c.largest) {
			t.Errorf("%s: root mean square error %g, want below %g", c.name, math.Sqrt(squares), c.largest)
		}
	}
}

// TestBlendSpread: Spread is the standard deviation of the draws, of Predict and of DrawSamples, where both models count.
func TestBlendSpread(t *testing.T) {
	b, r := blends(t, 2, 1, nil), stream.Root(3)
	for range 9 {
		x := []float32{float32(r.Float64()), float32(r.Float64())}
		must.OK(t, b.Observe(x, 0, float64(x[0])+r.Float64()))
	}
	if w := b.weight(); !(w > 0.1 && w < 0.9) {
		t.Fatalf("the regression has the weight %g, want both models to count", w)
	}
	contexts := [][]float32{{0.5, 0.9}}
	checkDraws(t, b, 1, contexts, draws(b, contexts))
	checkDraws(t, b, 1, contexts, func(dst []float64) error { return b.DrawSamples(dst, contexts) })
}

// TestNormalGain compares E[max(0, v)] with the formula by math.Erfc.
func TestNormalGain(t *testing.T) {
	for _, z := range []float64{-30, -7.9, -3, -0.5, 0, 0.2, 2, 6, 9} {
		for _, sd := range []float64{0.5, 4} {
			want := sd * (math.Exp(-z*z/2)/math.Sqrt(2*math.Pi) + z*math.Erfc(-z/math.Sqrt2)/2)
			must.Near(t, fmt.Sprint("mean ", z*sd, ", deviation ", sd), normalGain(z*sd, sd), want, 1e-13*sd)
		}
	}
	must.Near(t, "without deviation", normalGain(3, 0), 3, 0)
}
