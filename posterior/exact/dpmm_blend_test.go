package exact

import (
	"math"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/verify"
	"banditsim/posterior"
)

// blends returns DPMM with the option linear.
func blends(t *testing.T, dim, arms int, groups []int) *blend {
	t.Helper()
	o := DPMM().Defaults()
	o.Linear = true
	p, err := o.build(posterior.Setup{Dim: dim, Arms: arms, Rounds: 1, Groups: groups, Stream: stream.Root(1)})
	if err != nil {
		t.Fatal(err)
	}
	return p.(*blend)
}

func TestBlendContract(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine, and no assembly")
	}
	k := DPMM()
	c := verify.Of(k)
	c.Name += " linear"
	c.New = func(s posterior.Setup) (posterior.Posterior, error) {
		o := k.Defaults()
		o.Linear = true
		return k.New(o, s)
	}
	verify.Test(t, c)
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
			if err := b.Observe(x, 0, c.reward(x, i%3)); err != nil {
				t.Fatal(err)
			}
			if i%20 == 19 {
				if err := b.Update(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		}
		if w := b.weight(); !(w > 0.99) == c.linear || !(w < 0.1) != c.linear {
			t.Errorf("%s: the regression has the weight %g", c.name, w)
		}
		squares, value := 0.0, make([]float64, 1)
		for i := range 60 {
			x := animals(r, i%3)
			if c.linear {
				x = animals(r, 0)
			}
			if err := b.Predict(value, [][]float32{x}, posterior.Mean); err != nil {
				t.Fatal(err)
			}
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
		if err := b.Observe(x, 0, float64(x[0])+r.Float64()); err != nil {
			t.Fatal(err)
		}
	}
	if w := b.weight(); !(w > 0.1 && w < 0.9) {
		t.Fatalf("the regression has the weight %g, want both models to count", w)
	}
	contexts, mean, sd, v := [][]float32{{0.5, 0.9}}, make([]float64, 1), make([]float64, 1), make([]float64, 1)
	if err := b.Predict(mean, contexts, posterior.Mean); err != nil {
		t.Fatal(err)
	}
	if err := b.Spread(sd, contexts); err != nil {
		t.Fatal(err)
	}
	const n = 20_000
	for name, draw := range map[string]func() error{
		"Predict":     func() error { return b.Predict(v, contexts, posterior.Draw) },
		"DrawSamples": func() error { return b.DrawSamples(v, contexts) },
	} {
		sum, squares := 0.0, 0.0
		for range n {
			if err := draw(); err != nil {
				t.Fatal(err)
			}
			sum += v[0] / n
			squares += (v[0] - mean[0]) * (v[0] - mean[0]) / n
		}
		if !(math.Abs(sum-mean[0]) < 6*sd[0]/math.Sqrt(n)) || !(math.Abs(math.Sqrt(squares)/sd[0]-1) < 0.06) {
			t.Errorf("%s: mean %g and deviation %g, want %g and %g", name, sum, math.Sqrt(squares), mean[0], sd[0])
		}
	}
}

// TestNormalGain compares E[max(0, v)] with the formula by math.Erfc.
func TestNormalGain(t *testing.T) {
	for _, z := range []float64{-30, -7.9, -3, -0.5, 0, 0.2, 2, 6, 9} {
		for _, sd := range []float64{0.5, 4} {
			want := sd * (math.Exp(-z*z/2)/math.Sqrt(2*math.Pi) + z*math.Erfc(-z/math.Sqrt2)/2)
			if got := normalGain(z*sd, sd); !(math.Abs(got-want) < 1e-13*sd) {
				t.Errorf("mean %g, deviation %g: %g, want %g", z*sd, sd, got, want)
			}
		}
	}
	if got := normalGain(3, 0); got != 3 {
		t.Errorf("without deviation: %g, want 3", got)
	}
}
