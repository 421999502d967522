package neural_test

import (
	"math"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/posterior"
	"banditsim/posterior/neural"
)

func build[O any](t *testing.T, k posterior.Kind[O], o O, dim, arms int) posterior.Posterior {
	t.Helper()
	p, err := k.New(o, posterior.Setup{Dim: dim, Arms: arms, Rounds: 1000, Stream: stream.Root(4)})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func predict(t *testing.T, p posterior.Posterior, arms int, how posterior.Prediction, contexts ...[]float32) []float64 {
	t.Helper()
	v := make([]float64, arms*len(contexts))
	if err := p.Predict(v, contexts, how); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestEnsembleHasTenNetworks: draws have as many different values, and the mean is theirs.
func TestEnsembleHasTenNetworks(t *testing.T) {
	o := neural.Ensemble().Defaults()
	o.Hidden = []int{8}
	p := build(t, neural.Ensemble(), o, 2, 1)
	context := []float32{1, -2}
	seen, sum := map[float64]bool{}, 0.0
	for range 500 { // the chance to miss one of ten is 10·0.9⁵⁰⁰
		v := predict(t, p, 1, posterior.Draw, context)[0]
		if !seen[v] {
			seen[v] = true
			sum += v
		}
	}
	if len(seen) != 10 {
		t.Errorf("draws have %d different values, want 10", len(seen))
	}
	if mean := predict(t, p, 1, posterior.Mean, context)[0]; !(math.Abs(mean-sum/10) < 1e-6) {
		t.Errorf("the mean is %g, that of the networks %g", mean, sum/10)
	}
}

// TestLastLayerNoise: draws of a context have the standard deviation of Spread, which is proportional to the noise.
func TestLastLayerNoise(t *testing.T) {
	const n = 20_000
	context := []float32{1, -2}
	for _, k := range []posterior.Kind[neural.LastLayerOptions]{neural.NeuralLinear(), neural.LastLayerLaplace()} {
		var unit float64
		for _, noise := range []float64{1, 3, 0.25} {
			o := k.SmallDefaults()
			o.Noise = noise
			p := build(t, k, o, 2, 1)
			if err := p.Observe(context, 0, 2); err != nil {
				t.Fatal(err)
			}
			var sd [1]float64
			if err := p.(posterior.Spreader).Spread(sd[:], [][]float32{context}); err != nil {
				t.Fatal(err)
			}
			if noise == 1 {
				unit = sd[0]
			}
			if !(math.Abs(sd[0]-noise*unit) < 1e-9) {
				t.Errorf("%s, noise %g: standard deviation %g, want %g", k.Name, noise, sd[0], noise*unit)
			}
			mean, squares := predict(t, p, 1, posterior.Mean, context)[0], 0.0
			for range n {
				d := predict(t, p, 1, posterior.Draw, context)[0] - mean
				squares += d * d / n
			}
			if got := math.Sqrt(squares); !(math.Abs(got/sd[0]-1) < 5/math.Sqrt(2*n)) {
				t.Errorf("%s, noise %g: draws have the standard deviation %g, want %g", k.Name, noise, got, sd[0])
			}
		}
	}
}

// TestParamNoiseDeviation: the noise adapts until it changes the values of a row and an arm by the deviation, root mean
// square over rows and arms, however many of these there are. The step is by the median of a random sum of squares,
// so that the root mean square ends a little above.
func TestParamNoiseDeviation(t *testing.T) {
	for _, arms := range []int{2, 12} {
		const deviation = 0.3
		o := neural.ParamNoise().Defaults()
		o.Hidden, o.Steps, o.Batch, o.TrainAfter, o.LearningRate = []int{}, 1, 1, 0, 0
		o.Deviation, o.InitialSD = deviation, 0.2
		const dim = 6
		p := build(t, neural.ParamNoise(), o, dim, arms)
		r := stream.Root(5)
		var rows [][]float32
		for i := range 40 {
			c := make([]float32, dim)
			r.Normals(c)
			rows = append(rows, c)
			if err := p.Observe(c, i%arms, 1); err != nil {
				t.Fatal(err)
			}
		}
		for range 600 {
			if err := p.Update(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		mean, squares, n := predict(t, p, arms, posterior.Mean, rows...), 0.0, 0.0
		for range 200 {
			for i, v := range predict(t, p, arms, posterior.Draw, rows...) {
				squares += (v - mean[i]) * (v - mean[i])
				n++
			}
		}
		if got := math.Sqrt(squares / n); !(got > 0.9*deviation && got < 1.3*deviation) {
			t.Errorf("%d arms: draws differ from the means by %g, want about %g", arms, got, deviation)
		}
	}
}
