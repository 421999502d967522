package neural

import (
	"encoding"
	"errors"
	"fmt"
	"slices"
	"testing"

	"banditsim/bandit/diagnostics"
	"banditsim/bandit/stream"
	"banditsim/internal/checktest"
	"banditsim/internal/moments"
	"banditsim/internal/must"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// shrink makes the options of any network small and fast.
func shrink(o *NetworkOptions) {
	small := smallOptions().NetworkOptions
	small.Dropout = o.Dropout
	*o = small
}

// scaled changes the options of a trained network to own_scale and prior functions.
func scaled(o *langevinNetwork) {
	o.OwnScale, o.PriorScale, o.TrainAfter, o.LearningRate = true, 1, 20, 0.1
	o.Preconditioner.Rho, o.Preconditioner.Scale = 0.01, 1
}

// builder returns a constructor of the posterior with the small defaults, changed by set.
func builder[O any](k posterior.Kind[O], set func(*O)) func(posterior.Setup) (posterior.Posterior, error) {
	o := k.SmallDefaults()
	set(&o)
	return func(s posterior.Setup) (posterior.Posterior, error) { return k.New(o, s) }
}

// over is builder for a sampler over a small network.
func over[S any](m sgmcmc.Method[S], set func(*Options[S])) func(posterior.Setup) (posterior.Posterior, error) {
	return builder(Over(m).Kind, func(o *Options[S]) {
		shrink(&o.NetworkOptions)
		set(o)
	})
}

func contour(set func(*LangevinOptions)) func(posterior.Setup) (posterior.Posterior, error) {
	return builder(PICSGLD().Kind, func(o *LangevinOptions) {
		*o = smallOptions()
		set(o)
	})
}

// everyPosterior has constructors of small networks, with every sampler and every part.
var everyPosterior = map[string]func(posterior.Setup) (posterior.Posterior, error){
	"contour":          contour(func(*LangevinOptions) {}),
	"weights Ψ^ζ":      contour(func(o *LangevinOptions) { o.Sampler.Contour.Weights = "psi" }),
	"authors' contour": contour(func(o *LangevinOptions) { o.Sampler.Contour.Kind = "authors" }),
	"falling ω, reduced energy": contour(func(o *LangevinOptions) {
		o.Sampler.Contour.OmegaExponent, o.Sampler.Contour.OmegaOffset, o.Sampler.Contour.Energy, o.Sampler.Contour.EnergyRefresh = 0.6, 100, "reduced", 7
	}),
	"dropout and decay": contour(func(o *LangevinOptions) {
		o.Sampler.Contour.Kind, o.Dropout.Rate, o.Dropout.TrainSamples, o.Sampler.Decay = "off", 0.5, 2, 0.9
	}),
	"prior functions": contour(func(o *LangevinOptions) { o.PriorScale = 3 }),
	"own scale": contour(func(o *LangevinOptions) {
		*o = ownScale()
		o.PriorScale, o.TrainAfter = 1, 19
	}),
	"own scale, ranks": contour(func(o *LangevinOptions) {
		*o = ownScale()
		o.RankTails, o.MomentDecay, o.TrainAfter, o.Anchor, o.LastDecayLimit = 1, true, 19, true, 3
	}),
	"cyclical": over(sgmcmc.CycSGLD(), func(o *Options[sgmcmc.CyclicalOptions]) {
		o.Sampler.LearningRate, o.Sampler.Cycle, o.Sampler.Decay = 1e-4, 7, 0.9
	}),
	"replica exchange": over(sgmcmc.ReSGLD(), func(o *Options[sgmcmc.ExchangeOptions]) {
		o.Sampler.LearningRate, o.Sampler.EstimateEvery, o.Sampler.Temperature, o.Sampler.Correction = 1e-4, 3, 100, 1000
	}),
	"SGHMC": over(sgmcmc.SGHMC(), func(o *Options[sgmcmc.SGHMCOptions]) { o.Sampler.LearningRate, o.Sampler.Friction = 1e-3, 100 }),
	"SGNHT": over(sgmcmc.SGNHT(), func(o *Options[sgmcmc.SGHMCOptions]) { o.Sampler.LearningRate, o.Sampler.Friction = 1e-3, 100 }),
	"SVGD":  over(sgmcmc.SVGD(), func(*Options[sgmcmc.SVGDOptions]) {}),
	"Ensemble++": builder(EnsemblePlusPlus(), func(o *ensemblePlusPlusOptions) {
		o.Chains = 2
		scaled(&o.langevinNetwork)
	}),
	"EnsemblePlus":    builder(EnsemblePlus(), func(o *bootstrapOptions) { scaled(&o.langevinNetwork) }),
	"NeuralLinear":    builder(NeuralLinear(), func(o *lastLayerOptions) { scaled(&o.langevinNetwork) }),
	"NeuralGradient":  builder(Gradient(), func(o *gradientOptions) { o.TrainAfter = 20 }),
	"ParamNoise":      builder(ParamNoise(), func(o *paramNoiseOptions) { o.TrainAfter = 20 }),
	"BayesByBackprop": builder(BayesByBackprop(), func(o *bayesByBackpropOptions) { o.TrainAfter = 20 }),
	"SWAG":            builder(SWAG(), func(o *swagOptions) { scaled(&o.langevinNetwork) }),
	"LMCTS":           builder(LMCTS(), func(*lmcOptions) {}),
}

// saver is a posterior that can be saved.
type saver interface {
	posterior.Posterior
	diagnostics.Reporter
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

func built(t *testing.T, build func(posterior.Setup) (posterior.Posterior, error)) saver {
	t.Helper()
	return must.Get(build(smallSetup(stream.Root(3))))(t).(saver)
}

// TestDrawSamples checks that the values of samples have the deviation of Predict's draws, and differ if those do.
func TestDrawSamples(t *testing.T) {
	const draws = 400
	for name, build := range everyPosterior {
		p := built(t, build)
		observeSmall(t, p, 0, 40)
		update(t, p, 3)
		contexts := smallContexts(1)
		n := len(predict(t, p, contexts, posterior.Mean))
		var single []float64
		for range draws {
			single = append(single, predict(t, p, contexts, posterior.Draw)...)
		}
		samples := make([]float64, draws*n)
		must.OK(t, p.(posterior.SampleDrawer).DrawSamples(samples, contexts))
		for arm := range n {
			var of [2]moments.Running
			for i := arm; i < len(samples); i += n {
				of[0].Add(single[i])
				of[1].Add(samples[i])
			}
			// a deviation of normal values has a relative standard error of 1/√(2·draws) = 3.5 %
			must.That(t, of[0].Squares == 0 || of[1].Squares > 0.5*of[0].Squares, "%s, arm %d: samples have a deviation of %g, draws of %g",
				name, arm, of[1].SD(), of[0].SD())
		}
		must.OK(t, p.(posterior.SampleDrawer).DrawSamples(nil, nil))
	}
}

// TestRestore checks that a posterior that is saved after a round, before or in training, and restored, gives the same bits from then on.
func TestRestore(t *testing.T) {
	for name, build := range everyPosterior {
		const rounds, perRound = 12, 6
		play := func(p saver, from, to int) (values []float64) {
			for round := from; round < to; round++ {
				values = append(values, predict(t, p, smallContexts(3), posterior.Mean)...)
				values = append(values, predict(t, p, smallContexts(3), posterior.Draw)...)
				for i := range perRound {
					context, arm, reward := smallRow(round*perRound + i)
					if round >= 9 {
						context[0] = 0.5 // the buffer becomes dense
					}
					must.OK(t, p.Observe(context, arm, reward))
				}
				update(t, p, 1)
				d := p.Diagnostics()
				values = append(append(values, d.Theta...), d.WeightESS)
				for _, c := range d.Chains {
					values = append(values, c.Energy, float64(c.Bin), c.MultiplierMin, c.MultiplierMean, c.MultiplierMax)
				}
			}
			return values
		}
		want := play(built(t, build), 0, rounds)
		for stop := range rounds {
			first, second := built(t, build), built(t, build)
			head := play(first, 0, stop)
			must.OK(t, second.UnmarshalBinary(must.Get(first.MarshalBinary())(t)))
			checktest.Vector(t, fmt.Sprint(name, ": saved after round ", stop), append(head, play(second, stop, rounds)...), want, 0)
		}
	}
}

func TestRestoreDamaged(t *testing.T) {
	for name, build := range everyPosterior {
		n := built(t, build)
		observeSmall(t, n, 0, 40)
		update(t, n, 3)
		saved := must.Get(n.MarshalBinary())(t)
		for size := 0; size < len(saved); size += 1 + len(saved)/100 {
			must.That(t, n.UnmarshalBinary(saved[:size]) != nil, "%s: %d of %d bytes are taken for all", name, size, len(saved))
		}
		err := n.UnmarshalBinary(append(slices.Clone(saved), 0))
		must.That(t, err != nil, "%s: a byte too many is not noticed", name)
	}
}

// TestSaveChain checks that, without a contour, two networks that move two chains each, and exchange them by SaveChain
// and RestoreChain, have the state of one network that moves all four chains.
func TestSaveChain(t *testing.T) {
	o := Over(sgmcmc.SGLD()).Defaults()
	shrink(&o.NetworkOptions)
	o.Sampler.Preconditioner.Kind, o.Dropout, o.Chains = "rmsprop", DropoutOptions{Rate: 0.3, Samples: 2, TrainSamples: 1}, 4
	build := func(chains ...int) *Network {
		return must.Get(NewNetwork(o.NetworkOptions, smallSetup(stream.Root(3)), func(u sgmcmc.Setup) (posterior.Sampler, error) {
			u.Parallel = func(_ int, f func(int)) {
				for _, i := range chains {
					f(i)
				}
			}
			return sgmcmc.NewLangevin(o.Sampler, u)
		}))(t)
	}
	whole, halves := build(0, 1, 2, 3), []*Network{build(0, 1), build(2, 3)}
	for round := range 8 {
		for _, n := range append(halves, whole) {
			observeSmall(t, n, 6*round, 6*round+6)
			update(t, n, 1)
			if n.Rounds() != round+1 {
				t.Fatalf("%d rounds have ended, want %d", n.Rounds(), round+1)
			}
		}
		for i := range 4 {
			from, to := halves[i/2], halves[1-i/2]
			must.OK(t, to.RestoreChain(i, must.Get(from.SaveChain(i))(t)))
			must.OK(t, langevin(to).RestoreChain(i, must.Get(langevin(from).SaveChain(i))(t)))
		}
		want := must.Get(whole.MarshalBinary())(t)
		for i, n := range halves {
			if got, err := n.MarshalBinary(); err != nil || !slices.Equal(got, want) {
				t.Fatalf("round %d: the state of half %d is not that of the whole: %v", round, i, err)
			}
		}
	}
	must.That(t, whole.Steps() != 0, "no step, which tests nothing")
	b, err := whole.SaveChain(1)
	if err = errors.Join(err, whole.RestoreChain(1, b[:len(b)-1])); err == nil {
		t.Error("a byte too few is not noticed")
	}
}

// TestNoStateIsAnError checks that a network whose sampler has no MarshalBinary works, but returns an error when it is saved.
func TestNoStateIsAnError(t *testing.T) {
	n := newSmall(t, smallOptions(), 1, 64)
	n.sampler = still{}
	update(t, n, 1)
	must.Refuse(n.MarshalBinary())(t, "neural.still cannot be saved")
}

type still struct{}

func (still) Step([]posterior.Chain) error { return nil }
