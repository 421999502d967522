package deep

import (
	"context"
	"math"
	"slices"

	"banditsim/bandit/stream"
	"banditsim/nn"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// A study is a method on a seed: what it learns from, and what it has predicted so far. All methods of a seed have the same
// images, and their chains the same starts and batches.
type study struct {
	lesson
	o           UncertaintyOptions
	rand        *stream.Stream
	parallel    posterior.Parallel
	outside     []Outside
	record      UncertaintyRecord
	total       float64     // weight of the models
	in          []float64   // weighted sum of their probabilities of images held out
	out         [][]float64 // of each set outside
	scratch     []float64
	multipliers int // steps of chains
}

// study returns a study before any step.
func (u *Uncertainty) study(seed uint64, parallel posterior.Parallel) (*study, error) {
	r, data := stream.Root(seed).Child("uncertainty"), u.Images.Data
	n := min(u.Options.Train, data.Len()*4/5)
	train, heldOut, err := data.Split(n, r.Child("images"))
	if err != nil {
		return nil, err
	}
	s := &study{o: u.Options, rand: r, parallel: parallel, in: make([]float64, heldOut.Len()*data.Classes)}
	s.lesson = lesson{train: train, heldOut: heldOut, batch: u.Options.Batch, decay: u.Options.Decay}
	for i, o := range u.Outside {
		if u.Options.Outside < o.Data.Len() {
			if o.Data, _, err = o.Data.Split(u.Options.Outside, r.Child("outside", i)); err != nil {
				return nil, err
			}
		}
		s.outside = append(s.outside, o)
		s.out = append(s.out, make([]float64, o.Data.Len()*data.Classes))
	}
	s.net, err = NewNetwork(u.Options.Shape, data, min(u.Options.Batch, n))
	s.record = UncertaintyRecord{Seed: seed, Train: n, HeldOut: heldOut.Len(), Low: 1, High: 1}
	return s, err
}

// run returns the record of a method.
func (s *study) run(ctx context.Context, method string) (UncertaintyRecord, error) {
	if err := uncertaintyMethods[slices.Index(UncertaintyMethods(), method)].predict(s, ctx); err != nil {
		return s.record, err
	}
	s.record.Method = method
	scale(s.in, 1/s.total)
	s.record.Scores = newScores(s.in, s.heldOut.Labels, s.net.Classes)
	for i, o := range s.outside {
		scale(s.out[i], 1/s.total)
		scores := newOutsideScores(s.out[i], s.in, s.net.Classes)
		scores.Set = o.Name
		s.record.Outside = append(s.record.Outside, scores)
	}
	if s.multipliers > 0 {
		s.record.Negative /= float64(s.multipliers)
	}
	return s.record, nil
}

func scale(v []float64, f float64) {
	for i := range v {
		v[i] *= f
	}
}

// add adds the predictions of a model by weight.
func (s *study) add(x []float32, weight float64, dropout *nn.Dropout) {
	if weight == 0 {
		return
	}
	s.total += weight
	s.record.Models++
	s.addTo(s.in, x, s.heldOut, weight, dropout)
	for i, o := range s.outside {
		s.addTo(s.out[i], x, o.Data, weight, dropout)
	}
	if s.record.Models == 1 {
		first := slices.Clone(s.in)
		scale(first, 1/weight)
		s.record.Single = newScores(first, s.heldOut.Labels, s.net.Classes).Accuracy
	}
}

func (s *study) addTo(sum []float64, x []float32, d *Data, weight float64, dropout *nn.Dropout) {
	if cap(s.scratch) < len(sum) {
		s.scratch = make([]float64, len(sum))
	}
	p := s.scratch[:len(sum)]
	s.net.Probabilities(p, x, d, dropout)
	for i, v := range p {
		sum[i] += float64(weight * v)
	}
}

// dynamics returns ε and the friction of the samplers, at a temperature.
func (s *study) dynamics(temperature float64) sgmcmc.SGHMCOptions {
	eps := math.Sqrt(s.o.LearningRate / float64(s.train.Len()))
	return sgmcmc.SGHMCOptions{LearningRate: eps, Decay: 1, Friction: (1 - s.o.Momentum) / eps, Temperature: temperature}
}

// chains returns chains and the setup of their sampler.
func (s *study) chains(n int) ([]posterior.Chain, sgmcmc.Setup, error) {
	return s.start(n, s.rand, s.parallel)
}

// walk counts the gradients and the multipliers of steps. before and after may be nil.
func (s *study) walk(ctx context.Context, sampler posterior.Sampler, chains []posterior.Chain, steps int, before, after func(step int)) error {
	return walk(ctx, sampler, chains, steps, before, func(step int) {
		s.record.Gradients += len(chains)
		for i := range chains {
			m := chains[i].Multiplier
			s.record.Low, s.record.High = min(s.record.Low, m), max(s.record.High, m)
			if m < 0 {
				s.record.Negative++
			}
			s.multipliers++
		}
		if after != nil {
			after(step)
		}
	})
}
