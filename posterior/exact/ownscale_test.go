package exact

import (
	"encoding"
	"math"
	"slices"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/posterior"
)

// ownScales are the posteriors with the option own_scale on.
func ownScales(t *testing.T) map[string]func() posterior.Posterior {
	setup := func() posterior.Setup { return posterior.Setup{Dim: 3, Arms: 2, Rounds: 10, Stream: stream.Root(7)} }
	return map[string]func() posterior.Posterior{
		"Linear":          own(t, Linear(), func(o *LinearOptions) { o.OwnScale = true }, setup),
		"Linear discount": own(t, Linear(), func(o *LinearOptions) { o.OwnScale, o.Discount = true, 0.99 }, setup),
		"Bag":             own(t, Bag(), func(o *BagOptions) { o.OwnScale = true }, setup),
		"kNN":             own(t, KNN(), func(o *KNNOptions) { o.OwnScale = true }, setup),
		"kernel":          own(t, KernelRegression(), func(o *KernelRegressionOptions) { o.OwnScale = true }, setup),
		"Logistic":        own(t, Logistic(), func(o *LogisticOptions) { o.OwnScale = true }, setup),
		"GP":              own(t, GP(), func(o *GPOptions) { o.OwnScale = true }, setup),
	}
}

func own[O any](t *testing.T, k posterior.Kind[O], set func(*O), setup func() posterior.Setup) func() posterior.Posterior {
	return func() posterior.Posterior {
		o := k.Defaults()
		set(&o)
		p, err := k.New(o, setup())
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
}

// learned returns what a posterior predicts after 150 rewards: the means, draws and deviations of three contexts.
func learned(t *testing.T, p posterior.Posterior, factor, shift float64, restart func() posterior.Posterior) (means, draws, sds []float64) {
	r := stream.Root(3)
	context := func() []float32 {
		c := make([]float32, 3)
		r.Normals(c)
		return c
	}
	for i := range 150 {
		c := context()
		reward := math.Round(256*(2+float64(c[0])-float64(i%2)*float64(c[1]))) / 256 // exact with all factors and shifts
		if err := p.Observe(c, i%2, factor*reward+shift); err != nil {
			t.Fatal(err)
		}
		if i == 70 && restart != nil {
			b, err := p.(encoding.BinaryMarshaler).MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			p = restart()
			if err := p.(encoding.BinaryUnmarshaler).UnmarshalBinary(b); err != nil {
				t.Fatal(err)
			}
		}
	}
	contexts := [][]float32{context(), context(), {40, 40, 40}}
	means, draws, sds = make([]float64, 6), make([]float64, 6), make([]float64, 6)
	for dst, how := range map[*[]float64]posterior.Prediction{&means: posterior.Mean, &draws: posterior.Draw} {
		if err := p.Predict(*dst, contexts, how); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.(posterior.Spreader).Spread(sds, contexts); err != nil {
		t.Fatal(err)
	}
	return means, draws, sds
}

// TestOwnScale: with own_scale, rewards times 2ᵏ give 2ᵏ times the values and deviations, bit for bit; rewards plus a constant,
// the values plus that constant and the same deviations; and a posterior that was saved and restored goes on as it would have.
func TestOwnScale(t *testing.T) {
	for name, build := range ownScales(t) {
		means, draws, sds := learned(t, build(), 1, 0, nil)
		for _, factor := range []float64{1024, 1. / 1024} {
			m, d, s := learned(t, build(), factor, 0, nil)
			for i := range m {
				if m[i] != factor*means[i] || d[i] != factor*draws[i] || s[i] != factor*sds[i] {
					t.Errorf("%s, rewards times %g: %g, a draw %g, deviation %g, want %[2]g times %[6]g, %g, %g", name, factor, m[i], d[i], s[i], means[i], draws[i], sds[i])
				}
			}
		}
		m, d, s := learned(t, build(), 1, -64, nil)
		for i := range m {
			if !(math.Abs(m[i]+64-means[i]) < 1e-9 && math.Abs(d[i]+64-draws[i]) < 1e-9 && math.Abs(s[i]-sds[i]) < 1e-9) {
				t.Errorf("%s, rewards less 64: %g, a draw %g, deviation %g, want %g, %g less 64, %g", name, m[i], d[i], s[i], means[i], draws[i], sds[i])
			}
		}
		m, d, s = learned(t, build(), 1, 0, build)
		if !slices.Equal(m, means) || !slices.Equal(d, draws) || !slices.Equal(s, sds) {
			t.Errorf("%s, saved and restored: %g %g %g, want %g %g %g", name, m, d, s, means, draws, sds)
		}
	}
}

// TestOwnScaleOfLinear compares Linear with own_scale with the regression of rewards less their mean, which it equals, and its noise
// with that of the rewards.
func TestOwnScaleOfLinear(t *testing.T) {
	setup := posterior.Setup{Dim: 2, Arms: 1, Rounds: 1, Stream: stream.Root(1)}
	o := Linear().Defaults()
	centered, err := o.build(setup)
	if err != nil {
		t.Fatal(err)
	}
	o.OwnScale = true
	p, err := o.build(setup)
	if err != nil {
		t.Fatal(err)
	}
	r, x, z := stream.Root(2), make([]float32, 2), make([]float32, 1)
	var contexts [][]float32
	var rewards []float64
	total := 0.0
	const n, noise = 1000, 3.0
	for range n {
		r.Normals(x)
		r.Normals(z)
		contexts, rewards = append(contexts, slices.Clone(x)), append(rewards, 100+0.5*float64(x[0])+noise*float64(z[0]))
		total += rewards[len(rewards)-1]
		if err := p.Observe(x, 0, rewards[len(rewards)-1]); err != nil {
			t.Fatal(err)
		}
	}
	for i, c := range contexts {
		if err := centered.Observe(c, 0, rewards[i]-total/n); err != nil {
			t.Fatal(err)
		}
	}
	var got, want, sd, unit [1]float64
	for _, c := range [][]float32{{1, 2}, {-3, 0.5}} {
		predict(t, p, got[:], [][]float32{c})
		predict(t, centered, want[:], [][]float32{c})
		if !(math.Abs(got[0]-want[0]-total/n) < 1e-9) {
			t.Errorf("value %g, want %g", got[0], want[0]+total/n)
		}
		for dst, s := range map[*[1]float64]posterior.Posterior{&sd: p, &unit: centered} {
			if err := s.(posterior.Spreader).Spread(dst[:], [][]float32{c}); err != nil {
				t.Fatal(err)
			}
		}
		// σ from about the last 270 residuals: its standard error is noise/√540, here times five.
		if ratio := sd[0] / unit[0]; !(math.Abs(ratio-noise) < 5*noise/math.Sqrt(540)) {
			t.Errorf("deviation of %g times that of noise 1, want %g", ratio, noise)
		}
	}
}

func predict(t *testing.T, p posterior.Posterior, dst []float64, contexts [][]float32) {
	t.Helper()
	if err := p.Predict(dst, contexts, posterior.Mean); err != nil {
		t.Fatal(err)
	}
}

// TestOneRewardSoFar: an arm that has given one reward only is predicted to give it again, and with own_scale perhaps another: its draws
// differ.
func TestOneRewardSoFar(t *testing.T) {
	build := ownScales(t)
	for _, name := range []string{"GP", "Logistic"} {
		p := build[name]()
		for i, reward := range []float64{0, 0, 1, 0, 1} {
			if err := p.Observe([]float32{1, 0, float32(i)}, min(i/2, 1), reward); err != nil {
				t.Fatal(err)
			}
		}
		sds := make([]float64, 2)
		if err := p.(posterior.Spreader).Spread(sds, [][]float32{{1, 0, 0}}); err != nil {
			t.Fatal(err)
		}
		if !(sds[0] > 0.05) {
			t.Errorf("%s: after the rewards 0 and 0, of 0 and 1, the value of an arm has the deviation %g", name, sds[0])
		}
	}
}
