package neural

import (
	"banditsim/internal/checktest"
	"banditsim/posterior"
	"context"
	"math"
	"reflect"
	"testing"
)

// TestPresets holds the numbers of docs/algorithms.md.
func TestPresets(t *testing.T) {
	type row struct {
		name            string
		chains, steps   int
		eps, decay, tau float64
		precondition    bool
		omega           float64 // 0: no contour
		dropout         float64
	}
	for i, c := range []row{
		{"pICSGLD", 4, 16, 3e-7, 1, 0.3, true, 0.03, 0},
		{"pCSGLD", 1, 64, 5e-8, 1, 0.3, true, 0.006, 0},
		{"pSGLD", 4, 16, 3e-7, 1, 0.3, true, 0, 0},
		{"Dropout", 4, 16, 1e-6, 1, 0, false, 0, 0.5},
		{"ConstSGD", 4, 16, 1e-6, 1, 0, false, 0, 0},
		{"EpsGreedy", 4, 16, 5e-7, 0.999, 0, true, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := Paper()[i]
			if k.Name != c.name {
				t.Fatalf("kind %d is %s, want %s", i, k.Name, c.name)
			}
			o := k.Defaults()
			equal := func(what string, got, want any) {
				t.Helper()
				if !reflect.DeepEqual(got, want) {
					t.Errorf("%s is %v, want %v", what, got, want)
				}
			}
			// What differs between the six.
			equal("chains", o.Chains, c.chains)
			equal("steps", o.Steps, c.steps)
			equal("ε", o.Sampler.LearningRate, c.eps)
			equal("ε's decay", o.Sampler.Decay, c.decay)
			equal("τ", o.Sampler.Temperature, c.tau)
			equal("preconditioner", o.Sampler.Preconditioner.Kind, map[bool]string{false: "off", true: "rmsprop"}[c.precondition])
			equal("dropout rate", o.Dropout.Rate, c.dropout)
			equal("dropout samples in training", o.Dropout.TrainSamples, 1)
			equal("dropout samples in prediction", o.Dropout.Samples, 5)
			if c.omega == 0 {
				equal("contour", o.Sampler.Contour.Kind, "off")
			} else {
				equal("contour", o.Sampler.Contour.Kind, "paper")
				equal("m", o.Sampler.Contour.Bins, 100)
				equal("Δu", o.Sampler.Contour.Width, 10.0)
				equal("u₀", o.Sampler.Contour.Start, 0.0)
				equal("ζ", o.Sampler.Contour.Zeta, 20.0)
				equal("ω", o.Sampler.Contour.Omega, c.omega)
			}
			// The parts.
			equal("α", o.Sampler.Preconditioner.Alpha, 0.01)
			equal("ρ", o.Sampler.Preconditioner.Rho, 1e-3)
			equal("s", o.Sampler.Preconditioner.Scale, 512.0)
			equal("V from the multiplied gradient", o.Sampler.Preconditioner.Multiplied, false)
			equal("overflow", o.Sampler.Contour.Overflow, "skip")
			equal("field", o.Sampler.Contour.Field, "theta")
			equal("weights", o.Sampler.Contour.Weights, "theta")
			equal("reg", o.Sampler.Contour.WeightRegularizer, 1e-3)
			equal("θ's warm-up", o.Sampler.Contour.ThetaWarmup, 0.1)
			// The network and its data.
			equal("hidden layers", o.Hidden, []int{100, 100})
			equal("batch", o.Batch, 512)
			equal("buffer", o.Buffer, 4096)
			equal("training after", o.TrainAfter, 1024)
			equal("N", o.DataSize, 4096.0)
			equal("λ", o.WeightDecay, 1e-2)
		})
	}
}

// TestPresetsShareNothing: changing one's options does not change another's.
func TestPresetsShareNothing(t *testing.T) {
	a := PSGLD().Defaults()
	a.Hidden[0] = 7
	if b := PSGLD().Defaults(); b.Hidden[0] != 100 {
		t.Errorf("the hidden layer is %d wide, want 100", b.Hidden[0])
	}
}

// TestPCSGLDIsOneChainOfPICSGLD: the presets differ only in the numbers of the table, so that P =
// 1 of ICSGLD is CSGLD.
func TestPCSGLDIsOneChainOfPICSGLD(t *testing.T) {
	one, many := PCSGLD().Defaults(), PICSGLD().Defaults()
	many.Chains, many.Steps, many.Sampler.LearningRate, many.Sampler.Contour.Omega = 1, 64, 5e-8, 0.006
	if !reflect.DeepEqual(one, many) {
		t.Errorf("pCSGLD is %+v, one chain of pICSGLD is %+v", one, many)
	}
}

// TestDecayOfEpsGreedy: ε shrinks once a training round, not in burn-in, and ends at 7.11388e-8
// after the paper's 1,949.
func TestDecayOfEpsGreedy(t *testing.T) {
	o := EpsGreedy().Defaults()
	o.Steps, o.Hidden = 0, nil // only the schedule
	n := newSmall(t, o, 1, 1024)
	update(t, n, 51) // burn-in
	checktest.Near(t, "ε/5e-7 in burn-in", langevin(n).LearningRate/5e-7, 1, 0)
	row, arm, reward := smallRow(0)
	if err := n.Observe(row, arm, reward); err != nil {
		t.Fatal(err)
	}
	update(t, n, 1949)
	checktest.Near(t, "ε/7.11388e-8", langevin(n).LearningRate/7.11388e-8, 1, 1e-6)
}

// TestNoiseFollowsTheDecayedLearningRate, from the first training round on.
func TestNoiseFollowsTheDecayedLearningRate(t *testing.T) {
	o := smallOptions()
	o.Chains, o.Steps, o.Sampler.LearningRate, o.Sampler.Temperature, o.Sampler.Decay = 1, 1, 0.01, 0.5, 0.25
	o.Sampler.Preconditioner.Kind, o.Sampler.Contour.Kind = "off", "off"
	o.DataSize, o.WeightDecay = 1e-30, 0 // no gradient to speak of
	n := newSmall(t, o, 1, 64)
	noise := testNoise(1, 0)
	w := make([]float32, n.model.Dim())
	for round := 1; round <= 3; round++ {
		before := append([]float32(nil), n.chains[0].X...)
		update(t, n, 1)
		noise.Normals(w)
		scale := math.Sqrt(2 * 0.5 * 0.01 * math.Pow(0.25, float64(round)))
		for i, x := range n.chains[0].X {
			checktest.Near(t, "move", float64(x-before[i]), scale*float64(w[i]), 1e-6)
		}
	}
}

// update runs a number of rounds.
func update(t testing.TB, p posterior.Posterior, rounds int) {
	t.Helper()
	for range rounds {
		if err := p.Update(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
}
