package deep

import (
	"context"
	"fmt"
	"math"
	"slices"

	"banditsim/internal/lists"
	"banditsim/internal/swag"
	"banditsim/nn"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// An uncertaintyMethod is a method that makes the predictions of a study.
type uncertaintyMethod struct {
	name    string
	chains  string // "P" for parallel chains, "T" for one chain with as many steps as P chains together
	predict func(s *study, ctx context.Context) error
}

// uncertaintyMethods are the five methods of the paper, in the order of the paper's table, and four others.
var uncertaintyMethods = []uncertaintyMethod{
	{"cycSGHMC", "T", (*study).cyclical},
	{"MultiSWAG", "T", (*study).multiSWAG},
	{"M-SGD", "P", func(s *study, ctx context.Context) error { return s.members(ctx, s.o.Chains, s.o.Steps) }},
	{"reSGHMC", "P", (*study).exchange},
	{"ICSGHMC", "P", (*study).contour},
	{"SGHMC", "P", (*study).plain},
	{"Ensemble", "P", func(s *study, ctx context.Context) error {
		return s.members(ctx, s.o.Members, s.o.Chains*s.o.Steps/s.o.Members)
	}},
	{"Dropout", "T", (*study).dropout},
	{"Laplace", "T", (*study).lastLayer},
}

// UncertaintyMethods are the names of the methods.
func UncertaintyMethods() []string {
	return lists.Each(uncertaintyMethods, func(m uncertaintyMethod) string { return m.name })
}

// LabelUncertainty returns the name of a method in the paper's notation: M-SGD×P4 for four parallel chains, cycSGHMC×T4
// for one chain with as many steps as four chains.
func LabelUncertainty(name string, o UncertaintyOptions) string {
	n := o.Chains
	if name == "Ensemble" {
		n = o.Members
	}
	return fmt.Sprintf("%s×%s%d", name, uncertaintyMethods[slices.Index(UncertaintyMethods(), name)].chains, n)
}

// descend trains n networks by gradient descent with momentum. The learning rate falls to 0 along half a cosine. mask
// is the dropout rate, 0 for none.
func (s *study) descend(ctx context.Context, n, steps int, mask float64) ([]posterior.Chain, error) {
	chains, u := s.start(n, s.rand, s.parallel)
	for i := range chains {
		if mask > 0 {
			chains[i].Target.(*CrossEntropy).Dropout = &nn.Dropout{Rate: mask, Samples: 1, Rand: s.rand.Child("chain", i, "dropout")}
		}
	}
	sampler, err := sgmcmc.CycSGHMC().New(sgmcmc.CycSGHMCOptions{SGHMCOptions: s.dynamics(0), Cycle: steps}, u)
	if err != nil {
		return nil, err
	}
	return chains, s.walk(ctx, sampler, chains, steps, nothing)
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
	p := s.room()[0]
	s.net.Probabilities(p, x, s.heldOut, nil)
	s.record.Single = newScores(p, s.heldOut.Labels, s.net.Classes).Accuracy
	noise := s.rand.Child("laplace")
	var draws [][]float64
	for range s.o.Samples {
		w := make([]float64, l.dim)
		l.draw(w, noise)
		draws = append(draws, w)
	}
	for i, d := range s.images {
		l.predict(s.sums[i], x, d, draws)
	}
	s.total, s.record.Models = 1, len(draws)
	return nil
}

// cycles moves one chain through all cycles. It calls held after each step in the held part of a cycle, with the step's
// index in that part. The part, and with it the cycle, ends with the step s.o.held()−1.
func (s *study) cycles(ctx context.Context, held func(step int, x []float32)) error {
	chains, u := s.start(1, s.rand, s.parallel)
	cycle := s.o.cycle()
	sampler, err := sgmcmc.CycSGHMC().New(sgmcmc.CycSGHMCOptions{SGHMCOptions: s.dynamics(s.o.Temperature), Cycle: cycle, Hold: s.o.Hold}, u)
	if err != nil {
		return err
	}
	return s.walk(ctx, sampler, chains, cycle*s.o.Cycles, func(step int) {
		if at := step%cycle - (cycle - s.o.held()); at >= 0 {
			held(at, chains[0].X)
		}
	})
}

func (s *study) cyclical(ctx context.Context) error {
	return s.cycles(ctx, func(step int, x []float32) {
		if due(step, s.o.held(), s.o.CycleSnapshots) {
			s.add(x, 1, nil)
		}
	})
}

func (s *study) multiSWAG(ctx context.Context) error {
	g, err := swag.New(s.net.Dim(), s.o.Rank, math.MaxInt)
	if err != nil {
		return err
	}
	drawn, noise := make([]float32, s.net.Dim()), s.rand.Child("swag")
	return s.cycles(ctx, func(step int, x []float32) {
		if due(step, s.o.held(), s.o.FitSnapshots) {
			g.Add(x)
		}
		if step < s.o.held()-1 {
			return // the held part goes on
		}
		for range s.o.Draws {
			g.Draw(drawn, noise)
			s.add(drawn, 1, nil)
		}
		g.Reset()
	})
}

// anneal moves P chains of s by method m with options o. The learning rate falls twice. Predictions of the tail's
// snapshots are added with the chains' weights. With reduce, the tail's energies have less variance (see ReduceEnergy).
func anneal[O any](ctx context.Context, s *study, m sgmcmc.Method[O], o O, reduce bool) error {
	chains, u := s.start(s.o.Chains, s.rand, s.parallel)
	built, err := m.New(o, u)
	if err != nil {
		return err
	}
	sampler, weights, tail := built.(*sgmcmc.Underdamped), make([]float64, len(chains)), s.o.tail()
	return s.walk(ctx, sampler, chains, s.o.Steps, func(step int) {
		if at := step - (s.o.Steps - tail); at >= 0 && due(at, tail, s.o.Snapshots) {
			sampler.Weights(weights)
			for i := range chains {
				s.add(chains[i].X, weights[i], nil)
			}
		}
		next := step + 1
		if next == s.o.Steps/2 || next == s.o.Steps*3/4 {
			sampler.LearningRate *= s.o.Anneal
		}
		for i := range chains {
			if reduce && next == s.o.Steps-tail {
				chains[i].Target.(*CrossEntropy).ReduceEnergy(s.o.Refresh)
			}
		}
	})
}

func (s *study) plain(ctx context.Context) error {
	return anneal(ctx, s, sgmcmc.SGHMC(), s.dynamics(s.o.Temperature), false)
}

func (s *study) contour(ctx context.Context) error {
	o := sgmcmc.ICSGHMCOptions{SGHMCOptions: s.dynamics(s.o.Temperature), Contour: s.o.Contour.options()}
	return anneal(ctx, s, sgmcmc.ICSGHMC(), o, true)
}

func (s *study) exchange(ctx context.Context) error {
	o := sgmcmc.ReSGHMC().Defaults()
	o.SGHMCOptions = s.dynamics(s.o.Temperature)
	o.LearningRateFactor, o.TemperatureFactor, o.Correction = s.o.RateFactor, s.o.TemperatureFactor, s.o.Correction
	s.record.Gradients += s.o.Steps / o.EstimateEvery * o.EstimateSamples
	return anneal(ctx, s, sgmcmc.ReSGHMC(), o, true)
}
