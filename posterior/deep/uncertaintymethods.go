package deep

import (
	"context"
	"fmt"
	"math"
	"slices"

	"banditsim/bandit/stream"
	"banditsim/nn"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
	"banditsim/posterior/swag"
)

// An uncertaintyMethod makes a study's predictions.
type uncertaintyMethod struct {
	name    string
	single  bool // one chain of all steps, not P chains
	predict func(s *study, ctx context.Context) error
}

// uncertaintyMethods are the paper's five in the order of its table, then those that are not in it.
var uncertaintyMethods = []uncertaintyMethod{
	{"cycSGHMC", true, (*study).cyclical},
	{"MultiSWAG", true, (*study).multiSWAG},
	{"M-SGD", false, (*study).descent},
	{"reSGHMC", false, (*study).exchange},
	{"ICSGHMC", false, (*study).contour},
	{"SGHMC", false, (*study).plain},
	{"Ensemble", false, (*study).ensemble},
	{"Dropout", true, (*study).dropout},
	{"Laplace", true, (*study).lastLayer},
}

// UncertaintyMethods are the names of the methods.
func UncertaintyMethods() []string {
	var names []string
	for _, m := range uncertaintyMethods {
		names = append(names, m.name)
	}
	return names
}

// LabelUncertainty returns the name of a method as the paper writes it, such as M-SGD×P4 of four chains side by side and
// cycSGHMC×T4 of one with the steps of four.
func LabelUncertainty(name string, o UncertaintyOptions) string {
	i := slices.Index(UncertaintyMethods(), name)
	switch {
	case i < 0:
		return name
	case name == "Ensemble":
		return fmt.Sprintf("%s×P%d", name, o.Members)
	case uncertaintyMethods[i].single:
		return fmt.Sprintf("%s×T%d", name, o.Chains)
	}
	return fmt.Sprintf("%s×P%d", name, o.Chains)
}

// A study is a method on a seed: what it learns from, and what it has predicted so far. All methods of a seed have the same
// images, and their chains the same starts and batches.
type study struct {
	o              UncertaintyOptions
	rand           *stream.Stream
	parallel       posterior.Parallel
	train, heldOut *Data
	outside        []Outside
	net            *Network
	record         UncertaintyRecord
	total          float64     // weight of the models
	in             []float64   // weighted sum of their probabilities of images held out
	out            [][]float64 // of each set outside
	scratch        []float64
	multipliers    int // steps of chains
}

// study returns a study before any step.
func (u *Uncertainty) study(seed uint64, parallel posterior.Parallel) (*study, error) {
	r := stream.Root(seed).Child("uncertainty")
	n := min(u.Options.Train, u.Data.Len()*4/5)
	train, heldOut, err := u.Data.Split(n, r.Child("images"))
	if err != nil {
		return nil, err
	}
	s := &study{o: u.Options, rand: r, parallel: parallel, train: train, heldOut: heldOut, in: make([]float64, heldOut.Len()*u.Data.Classes)}
	for i, o := range u.Outside {
		if u.Options.Outside < o.Data.Len() {
			if o.Data, _, err = o.Data.Split(u.Options.Outside, r.Child("outside", i)); err != nil {
				return nil, err
			}
		}
		s.outside = append(s.outside, o)
		s.out = append(s.out, make([]float64, o.Data.Len()*u.Data.Classes))
	}
	s.net, err = NewNetwork(u.Options.Shape, u.Data, min(u.Options.Batch, n))
	s.record = UncertaintyRecord{Seed: seed, Train: n, HeldOut: heldOut.Len(), Low: 1, High: 1}
	return s, err
}

// run returns the record of a method.
func (s *study) run(ctx context.Context, m uncertaintyMethod) (UncertaintyRecord, error) {
	if err := m.predict(s, ctx); err != nil {
		return s.record, err
	}
	s.record.Method = m.name
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
		first := append([]float64(nil), s.in...)
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

// start returns chains and the setup of their sampler.
func (s *study) start(n int) ([]posterior.Chain, sgmcmc.Setup, error) {
	u := sgmcmc.Setup{Chains: n, Dim: s.net.Dim(), Stream: s.rand.Child("sampler"), Parallel: s.parallel}
	var chains []posterior.Chain
	for i := range n {
		r := s.rand.Child("chain", i)
		t, err := NewCrossEntropy(s.net, s.train, s.o.Batch, s.o.Decay, r.Child("batches"))
		if err != nil {
			return nil, u, err
		}
		x := make([]float32, s.net.Dim())
		s.net.Init(x, r.Child("start"))
		chains = append(chains, posterior.NewChain(t, x))
		u.Noise = append(u.Noise, r.Child("noise"))
	}
	return chains, u, nil
}

// walk moves chains by a number of steps and calls before and after each with its number, from 0; both may be nil.
func (s *study) walk(ctx context.Context, sampler posterior.Sampler, chains []posterior.Chain, steps int, before, after func(step int)) error {
	for step := range steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		if before != nil {
			before(step)
		}
		if err := sampler.Step(chains); err != nil {
			return fmt.Errorf("step %d: %w", step+1, err)
		}
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
	}
	return nil
}

// descend trains n networks by descent with momentum, whose step falls to 0 by half a cosine.
func (s *study) descend(ctx context.Context, n, steps int, mask float64) ([]posterior.Chain, error) {
	chains, u, err := s.start(n)
	if err != nil {
		return nil, err
	}
	for i := range chains {
		if mask > 0 {
			chains[i].Target.(*CrossEntropy).Dropout = &nn.Dropout{Rate: mask, Samples: 1, Rand: s.rand.Child("chain", i, "dropout")}
		}
	}
	sampler, err := sgmcmc.CycSGHMC().New(sgmcmc.CycSGHMCOptions{SGHMCOptions: s.dynamics(0), Cycle: steps}, u)
	if err != nil {
		return nil, err
	}
	return chains, s.walk(ctx, sampler, chains, steps, nil, nil)
}

func (s *study) descent(ctx context.Context) error {
	return s.members(ctx, s.o.Chains, s.o.Steps)
}

func (s *study) ensemble(ctx context.Context) error {
	return s.members(ctx, s.o.Members, s.o.Chains*s.o.Steps/s.o.Members)
}

func (s *study) members(ctx context.Context, n, steps int) error {
	chains, err := s.descend(ctx, n, steps, 0)
	for i := range chains {
		s.add(chains[i].X, 1, nil)
	}
	return err
}

func (s *study) dropout(ctx context.Context) error {
	chains, err := s.descend(ctx, 1, s.o.Chains*s.o.Steps, s.o.Dropout)
	if err != nil {
		return err
	}
	mask := &nn.Dropout{Rate: s.o.Dropout, Samples: 1, Rand: s.rand.Child("masks")}
	for range s.o.Samples {
		s.add(chains[0].X, 1, mask)
	}
	return nil
}

func (s *study) lastLayer(ctx context.Context) error {
	chains, err := s.descend(ctx, 1, s.o.Chains*s.o.Steps, 0)
	if err != nil {
		return err
	}
	x := chains[0].X
	l, err := newLaplace(s.net, x, s.train, s.o.Decay)
	if err != nil {
		return err
	}
	p := make([]float64, len(s.in))
	s.net.Probabilities(p, x, s.heldOut, nil)
	s.record.Single = newScores(p, s.heldOut.Labels, s.net.Classes).Accuracy
	noise := s.rand.Child("laplace")
	var draws [][]float64
	for range s.o.Samples {
		w := make([]float64, l.dim)
		l.draw(w, noise)
		draws = append(draws, w)
	}
	l.predict(s.in, x, s.heldOut, draws)
	for i, o := range s.outside {
		l.predict(s.out[i], x, o.Data, draws)
	}
	s.total, s.record.Models = 1, len(draws)
	return nil
}

// cycles walks one chain through all cycles and calls held with the step within the part of constant learning rate, from 0,
// and end after each cycle.
func (s *study) cycles(ctx context.Context, held func(step int, x []float32), end func()) error {
	chains, u, err := s.start(1)
	if err != nil {
		return err
	}
	cycle := s.o.cycle()
	sampler, err := sgmcmc.CycSGHMC().New(sgmcmc.CycSGHMCOptions{SGHMCOptions: s.dynamics(s.o.Temperature), Cycle: cycle, Hold: s.o.Hold}, u)
	if err != nil {
		return err
	}
	return s.walk(ctx, sampler, chains, cycle*s.o.Cycles, nil, func(step int) {
		in := step % cycle
		if from := cycle - s.o.held(); in >= from {
			held(in-from, chains[0].X)
		}
		if in == cycle-1 {
			end()
		}
	})
}

func (s *study) cyclical(ctx context.Context) error {
	return s.cycles(ctx, func(step int, x []float32) {
		if due(step, s.o.held(), s.o.CycleSnapshots) {
			s.add(x, 1, nil)
		}
	}, func() {})
}

func (s *study) multiSWAG(ctx context.Context) error {
	g, err := swag.New(s.net.Dim(), s.o.Rank, math.MaxInt)
	if err != nil {
		return err
	}
	x, noise := make([]float32, s.net.Dim()), s.rand.Child("swag")
	return s.cycles(ctx, func(step int, x []float32) {
		if due(step, s.o.held(), s.o.FitSnapshots) {
			g.Add(x)
		}
	}, func() {
		for range s.o.Draws {
			g.Draw(x, noise)
			s.add(x, 1, nil)
		}
		g.Reset()
	})
}

// anneal walks P chains, with a step that falls twice, and adds the snapshots of the tail by the chains' weights.
func (s *study) anneal(ctx context.Context, chains []posterior.Chain, sampler *sgmcmc.Underdamped, reduce bool, after func()) error {
	weights, tail := make([]float64, len(chains)), s.o.tail()
	return s.walk(ctx, sampler, chains, s.o.Steps, func(step int) {
		if step == s.o.Steps/2 || step == s.o.Steps*3/4 {
			sampler.LearningRate *= s.o.Anneal
		}
		for i := range chains {
			if reduce && step == s.o.Steps-tail {
				chains[i].Target.(*CrossEntropy).ReduceEnergy(s.o.Refresh)
			}
		}
	}, func(step int) {
		after()
		if at := step - (s.o.Steps - tail); at >= 0 && due(at, tail, s.o.Snapshots) {
			sampler.Weights(weights)
			for i := range chains {
				s.add(chains[i].X, weights[i], nil)
			}
		}
	})
}

func (s *study) plain(ctx context.Context) error {
	chains, u, err := s.start(s.o.Chains)
	if err != nil {
		return err
	}
	sampler, err := sgmcmc.SGHMC().New(s.dynamics(s.o.Temperature), u)
	if err != nil {
		return err
	}
	return s.anneal(ctx, chains, sampler.(*sgmcmc.Underdamped), false, func() {})
}

func (s *study) contour(ctx context.Context) error {
	chains, u, err := s.start(s.o.Chains)
	if err != nil {
		return err
	}
	o := sgmcmc.ICSGHMCOptions{SGHMCOptions: s.dynamics(s.o.Temperature), Contour: sgmcmc.DefaultContour()}
	c := &o.Contour
	c.Kind, c.Zeta, c.Bins, c.Width = "paper", s.o.Zeta, s.o.Bins, s.o.Width
	c.Omega, c.OmegaExponent, c.OmegaOffset = s.o.Omega, s.o.OmegaExponent, s.o.OmegaOffset
	sampler, err := sgmcmc.ICSGHMC().New(o, u)
	if err != nil {
		return err
	}
	return s.anneal(ctx, chains, sampler.(*sgmcmc.Underdamped), true, func() {})
}

func (s *study) exchange(ctx context.Context) error {
	chains, u, err := s.start(s.o.Chains)
	if err != nil {
		return err
	}
	o := sgmcmc.ReSGHMC().Defaults()
	o.SGHMCOptions = s.dynamics(s.o.Temperature)
	o.LearningRateFactor, o.TemperatureFactor, o.Correction = s.o.RateFactor, s.o.TemperatureFactor, s.o.Correction
	sampler, err := sgmcmc.ReSGHMC().New(o, u)
	if err != nil {
		return err
	}
	places := make([]*float32, len(chains))
	for i := range chains {
		places[i] = &chains[i].X[0]
	}
	step := 0
	return s.anneal(ctx, chains, sampler.(*sgmcmc.Underdamped), true, func() {
		if step++; step%o.EstimateEvery == 0 {
			s.record.Gradients += o.EstimateSamples
		}
		for i := range chains {
			if place := &chains[i].X[0]; place != places[i] {
				places[i] = place
				s.record.Moves++
			}
		}
	})
}
