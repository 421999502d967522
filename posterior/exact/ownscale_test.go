package exact

import (
	"encoding"
	"math"
	"slices"
	"strings"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/lists"
	"banditsim/internal/must"
	"banditsim/posterior"
)

// ownScales returns constructors of posteriors with the option own_scale.
func ownScales(t *testing.T) map[string]func() posterior.Posterior {
	return map[string]func() posterior.Posterior{
		"Linear":          own(t, Linear(), func(o *LinearOptions) { o.OwnScale = true }),
		"Linear discount": own(t, Linear(), func(o *LinearOptions) { o.OwnScale, o.Discount = true, 0.99 }),
		"Bag":             own(t, Bag(), func(o *BagOptions) { o.OwnScale = true }),
		"kNN":             own(t, KNN(), func(o *KNNOptions) { o.OwnScale = true }),
		"kernel":          own(t, KernelRegression(), func(o *KernelRegressionOptions) { o.OwnScale = true }),
		"kNN, columns":    own(t, KNN(), func(o *KNNOptions) { o.OwnScale, o.Standardize = true, true }),
		"kernel, columns": own(t, KernelRegression(), func(o *KernelRegressionOptions) { o.OwnScale, o.Standardize = true, true }),
		"GP, columns":     own(t, GP(), func(o *GPOptions) { o.OwnScale, o.Standardize = true, true }),
		"Logistic":        own(t, Logistic(), func(o *LogisticOptions) { o.OwnScale = true }),
		"VITS":            own(t, VITS(), func(o *vitsOptions) { o.OwnScale = true }),
		"GP":              own(t, GP(), func(o *GPOptions) { o.OwnScale = true }),
	}
}

func own[O any](t *testing.T, k posterior.Kind[O], set func(*O)) func() posterior.Posterior {
	return func() posterior.Posterior { return changed(t, k, 3, 2, set) }
}

// learned returns the means, draws and standard deviations that p predicts in three contexts after 150 rewards.
func learned(t *testing.T, p posterior.Posterior, factor, shift float64, restart func() posterior.Posterior) (means, draws, sds []float64) {
	r := stream.Root(3)
	context := func() []float32 {
		c := make([]float32, 3)
		r.Normals(c)
		return c
	}
	for i := range 150 {
		c := context()
		reward := math.Round(256*(2+float64(c[0])-float64(i%2)*float64(c[1]))) / 256 // a multiple of 1/256, so that factor*reward + shift is exact
		must.OK(t, p.Observe(c, i%2, factor*reward+shift))
		if i%10 == 9 {
			update(t, p, 1)
		}
		if i == 70 && restart != nil {
			b := must.Get(p.(encoding.BinaryMarshaler).MarshalBinary())(t)
			p = restart()
			must.OK(t, p.(encoding.BinaryUnmarshaler).UnmarshalBinary(b))
		}
	}
	contexts := [][]float32{context(), context(), {40, 40, 40}}
	draws = make([]float64, 6)
	must.OK(t, p.Predict(draws, contexts, posterior.Draw))
	means, sds = predict(t, p, 2, contexts...)
	return means, draws, sds
}

// TestOwnScale checks that, with own_scale, scaling rewards by a power of two scales values and deviations by the same factor, bit for
// bit; that a constant added to rewards is added to values only; and that saving and restoring changes nothing.
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
			must.Near(t, name+", rewards less 64: mean", m[i], means[i]-64, 1e-9)
			must.Near(t, name+", rewards less 64: draw", d[i], draws[i]-64, 1e-9)
			must.Near(t, name+", rewards less 64: deviation", s[i], sds[i], 1e-9)
		}
		m, d, s = learned(t, build(), 1, 0, build)
		must.That(t, slices.Equal(m, means) && slices.Equal(d, draws) && slices.Equal(s, sds),
			"%s, saved and restored: %g %g %g, want %g %g %g", name, m, d, s, means, draws, sds)
	}
}

// TestOwnScaleOfLinear checks that Linear with own_scale equals the regression of centered rewards, and that the noise it learns is that
// of the rewards.
func TestOwnScaleOfLinear(t *testing.T) {
	o := Linear().Defaults()
	centered := build(t, Linear(), o, 2, 1)
	o.OwnScale = true
	p := build(t, Linear(), o, 2, 1)
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
		must.OK(t, p.Observe(x, 0, rewards[len(rewards)-1]))
	}
	for i, c := range contexts {
		must.OK(t, centered.Observe(c, 0, rewards[i]-total/n))
	}
	for _, c := range [][]float32{{1, 2}, {-3, 0.5}} {
		got, sd := predict(t, p, 1, c)
		want, unit := predict(t, centered, 1, c)
		must.Near(t, "value", got[0], want[0]+total/n, 1e-9)
		// σ is estimated from about the last 270 residuals, with the standard error noise/√540: five of these.
		must.Near(t, "deviation over that of noise 1", sd[0]/unit[0], noise, 5*noise/math.Sqrt(540))
	}
}

// TestOneRewardSoFar checks that, with own_scale, an arm whose rewards so far are equal has a positive deviation if other arms have given
// other rewards.
func TestOneRewardSoFar(t *testing.T) {
	build := ownScales(t)
	for _, name := range []string{"GP", "Logistic"} {
		p := build[name]()
		for i, reward := range []float64{0, 0, 1, 0, 1} {
			must.OK(t, p.Observe([]float32{1, 0, float32(i)}, min(i/2, 1), reward))
		}
		if _, sds := predict(t, p, 2, []float32{1, 0, 0}); !(sds[0] > 0.05) {
			t.Errorf("%s: after the rewards 0 and 0, of 0 and 1, the value of an arm has the deviation %g", name, sds[0])
		}
	}
}

// inUnits is a posterior whose contexts have their columns converted to other units.
type inUnits struct {
	posterior.Posterior
	units []float32
}

func (p inUnits) of(context []float32) []float32 {
	c := slices.Clone(context)
	for j, u := range p.units {
		c[j] *= u
	}
	return c
}

func (p inUnits) Observe(context []float32, arm int, reward float64) error {
	return p.Posterior.Observe(p.of(context), arm, reward)
}

func (p inUnits) Predict(dst []float64, contexts [][]float32, how posterior.Prediction) error {
	return p.Posterior.Predict(dst, lists.Each(contexts, p.of), how)
}

func (p inUnits) Spread(dst []float64, contexts [][]float32) error {
	return p.Posterior.(posterior.Spreader).Spread(dst, lists.Each(contexts, p.of))
}

// TestStandardize checks that, with standardize, columns in other units (powers of two) give the same values and samples bit for bit, and
// different ones without it.
func TestStandardize(t *testing.T) {
	for name, build := range ownScales(t) {
		standardized := strings.HasSuffix(name, ", columns")
		if !standardized && name != "kNN" && name != "kernel" && name != "GP" {
			continue
		}
		joint := func(units ...float32) (all []float64) {
			p := inUnits{build(), units}
			means, draws, sds := learned(t, p, 1, 0, nil)
			samples := make([]float64, 6)
			contexts := [][]float32{{1, 0.5, 1}, {-1, 2, 0}, {0.25, 1, 0}}
			must.OK(t, p.Posterior.(posterior.SampleDrawer).DrawSamples(samples, lists.Each(contexts, p.of)))
			return slices.Concat(means, draws, sds, samples)
		}
		got, want := joint(1024, 1./64, 1), joint(1, 1, 1)
		must.That(t, slices.Equal(got, want) == standardized, "%s: in other units %v, in the first %v", name, got, want)
	}
}
