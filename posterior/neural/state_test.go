package neural

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/checktest"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// shrink makes the options of any network small and fast.
func shrink(o *NetworkOptions) {
	small := smallOptions().NetworkOptions
	small.Dropout = o.Dropout
	*o = small
}

// with returns the constructor of a posterior with options.
func with[S any](s Sampler[S], o Options[S]) func(posterior.Setup) (posterior.Posterior, error) {
	return func(setup posterior.Setup) (posterior.Posterior, error) { return s.New(o, setup) }
}

// everySampler builds a small network with each sampler and part that there is.
var everySampler = []struct {
	name  string
	build func(posterior.Setup) (posterior.Posterior, error)
}{
	{"contour", with(PICSGLD(), smallOptions())},
	{"authors' contour", func() func(posterior.Setup) (posterior.Posterior, error) {
		o := smallOptions()
		o.Sampler.Contour.Kind = "authors"
		return with(PICSGLD(), o)
	}()},
	{"falling ω, reduced energy", func() func(posterior.Setup) (posterior.Posterior, error) {
		o := smallOptions()
		o.Sampler.Contour.OmegaExponent, o.Sampler.Contour.OmegaOffset, o.Sampler.Contour.Energy, o.Sampler.Contour.EnergyRefresh = 0.6, 100, "reduced", 7
		return with(PICSGLD(), o)
	}()},
	{"dropout and decay", func() func(posterior.Setup) (posterior.Posterior, error) {
		o := smallOptions()
		o.Sampler.Contour.Kind, o.Dropout.Rate, o.Dropout.TrainSamples, o.Sampler.Decay = "off", 0.5, 2, 0.9
		return with(PICSGLD(), o)
	}()},
	{"cyclical", func() func(posterior.Setup) (posterior.Posterior, error) {
		o := CycSGLD().Defaults()
		shrink(&o.NetworkOptions)
		o.Sampler.LearningRate, o.Sampler.Cycle, o.Sampler.Decay = 1e-4, 7, 0.9
		return with(CycSGLD(), o)
	}()},
	{"replica exchange", func() func(posterior.Setup) (posterior.Posterior, error) {
		o := ReSGLD().Defaults()
		shrink(&o.NetworkOptions)
		o.Sampler.LearningRate, o.Sampler.EstimateEvery, o.Sampler.Temperature, o.Sampler.Correction = 1e-4, 3, 100, 1000
		return with(ReSGLD(), o)
	}()},
	{"SGHMC", func() func(posterior.Setup) (posterior.Posterior, error) {
		o := Over(sgmcmc.SGHMC()).Defaults()
		shrink(&o.NetworkOptions)
		o.Sampler.LearningRate, o.Sampler.Friction = 1e-3, 100
		return with(Over(sgmcmc.SGHMC()), o)
	}()},
	{"prior functions", func() func(posterior.Setup) (posterior.Posterior, error) {
		o := smallOptions()
		o.PriorScale = 3
		return with(PICSGLD(), o)
	}()},
	{"SVGD", func() func(posterior.Setup) (posterior.Posterior, error) {
		o := SVGD().Defaults()
		shrink(&o.NetworkOptions)
		return with(SVGD(), o)
	}()},
}

// TestRestore saves a network after each of its first rounds, before and in training, and goes on
// from there: all that follows is the same bit for bit.
func TestRestore(t *testing.T) {
	for _, k := range everySampler {
		t.Run(k.name, func(t *testing.T) {
			fresh := func() *Network {
				n, err := k.build(posterior.Setup{Dim: smallDim, Arms: smallArms, Rounds: 20, Stream: stream.Root(3)})
				if err != nil {
					t.Fatal(err)
				}
				return n.(*Network)
			}
			const rounds, perRound = 12, 6
			play := func(n *Network, from, to int) (values []float64) {
				for round := from; round < to; round++ {
					values = append(values, predict(t, n, smallContexts(3), posterior.Mean)...)
					values = append(values, predict(t, n, smallContexts(3), posterior.Draw)...)
					for i := range perRound {
						context, arm, reward := smallRow(round*perRound + i)
						if round >= 9 {
							context[0] = 0.5 // the buffer becomes dense
						}
						if err := n.Observe(context, arm, reward); err != nil {
							t.Fatal(err)
						}
					}
					update(t, n, 1)
					d := n.Diagnostics()
					values = append(append(values, d.Theta...), d.WeightESS)
					for _, c := range d.Chains {
						values = append(values, c.Energy, float64(c.Bin), c.MultiplierMin, c.MultiplierMean, c.MultiplierMax)
					}
				}
				return values
			}
			want := play(fresh(), 0, rounds)
			for stop := range rounds {
				first := fresh()
				head := play(first, 0, stop)
				saved, err := first.MarshalBinary()
				if err != nil {
					t.Fatal(err)
				}
				second := fresh()
				if err := second.UnmarshalBinary(saved); err != nil {
					t.Fatal(err)
				}
				got := append(head, play(second, stop, rounds)...)
				checktest.Vector(t, fmt.Sprint("saved after round ", stop), got, want, 0)
			}
		})
	}
}

func TestRestoreDamaged(t *testing.T) {
	for _, k := range everySampler {
		p, err := k.build(posterior.Setup{Dim: smallDim, Arms: smallArms, Rounds: 20, Stream: stream.Root(3)})
		if err != nil {
			t.Fatal(err)
		}
		n := p.(*Network)
		for i := range 40 {
			context, arm, reward := smallRow(i)
			if err := n.Observe(context, arm, reward); err != nil {
				t.Fatal(err)
			}
		}
		update(t, n, 3)
		saved, err := n.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		for size := 0; size < len(saved); size += 1 + len(saved)/200 {
			if err := n.UnmarshalBinary(saved[:size]); err == nil {
				t.Errorf("%s: %d of %d bytes are taken for all", k.name, size, len(saved))
			}
		}
		if err := n.UnmarshalBinary(append(slices.Clone(saved), 0)); err == nil {
			t.Errorf("%s: a byte too many is not noticed", k.name)
		}
	}
}

// TestSaveChain: two networks that move two chains each, and give them to each other, have the state of one that moves all
// four, if no contour is shared.
func TestSaveChain(t *testing.T) {
	o := Over(sgmcmc.SGLD()).Defaults()
	shrink(&o.NetworkOptions)
	o.Sampler.Preconditioner.Kind, o.Dropout, o.Chains = "rmsprop", DropoutOptions{Rate: 0.3, Samples: 2, TrainSamples: 1}, 4
	samplers := map[*Network]*sgmcmc.Langevin{}
	build := func(chains ...int) *Network {
		var s *sgmcmc.Langevin
		n, err := NewNetwork(o.NetworkOptions, posterior.Setup{Dim: smallDim, Arms: smallArms, Rounds: 20, Stream: stream.Root(3)}, func(u sgmcmc.Setup) (posterior.Sampler, error) {
			u.Parallel = func(_ int, f func(int)) {
				for _, i := range chains {
					f(i)
				}
			}
			var err error
			s, err = sgmcmc.NewLangevin(o.Sampler, u)
			return s, err
		})
		if err != nil {
			t.Fatal(err)
		}
		samplers[n] = s
		return n
	}
	whole, halves := build(0, 1, 2, 3), []*Network{build(0, 1), build(2, 3)}
	for round := range 8 {
		for i := range 6 {
			context, arm, reward := smallRow(6*round + i)
			for _, n := range append(halves, whole) {
				if err := n.Observe(context, arm, reward); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, n := range append(halves, whole) {
			update(t, n, 1)
			if n.Rounds() != round+1 {
				t.Fatalf("%d rounds have ended, want %d", n.Rounds(), round+1)
			}
		}
		for i := range 4 {
			from, to := halves[i/2], halves[1-i/2]
			for _, save := range []func() error{
				func() error { b, err := from.SaveChain(i); return errors.Join(err, to.RestoreChain(i, b)) },
				func() error {
					b, err := samplers[from].SaveChain(i)
					return errors.Join(err, samplers[to].RestoreChain(i, b))
				},
			} {
				if err := save(); err != nil {
					t.Fatal(err)
				}
			}
		}
		want, err := whole.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		for i, n := range halves {
			if got, err := n.MarshalBinary(); err != nil || !slices.Equal(got, want) {
				t.Fatalf("round %d: the state of half %d is not that of the whole: %v", round, i, err)
			}
		}
	}
	if whole.Steps() == 0 {
		t.Error("no step, which tests nothing")
	}
	b, err := whole.SaveChain(1)
	if err == nil {
		err = whole.RestoreChain(1, b[:len(b)-1])
	}
	if err == nil {
		t.Error("a byte too few is not noticed")
	}
}

// TestNoStateIsAnError: a sampler without MarshalBinary works, but cannot be saved.
func TestNoStateIsAnError(t *testing.T) {
	n := newSmall(t, smallOptions(), 1, 64)
	n.sampler = still{}
	update(t, n, 1)
	if _, err := n.MarshalBinary(); err == nil || !strings.Contains(err.Error(), "neural.still cannot be saved") {
		t.Errorf("error %v", err)
	}
}

type still struct{}

func (still) Step([]posterior.Chain) error { return nil }
