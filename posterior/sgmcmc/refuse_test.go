package sgmcmc

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/posterior"
)

// complete sets empty options to their defaults.
func complete(o ContourOptions) ContourOptions {
	d := DefaultContour()
	o.Overflow, o.Field, o.Difference = cmp.Or(o.Overflow, d.Overflow), cmp.Or(o.Field, d.Field), cmp.Or(o.Difference, d.Difference)
	o.Energy, o.EnergyRefresh, o.Weights = cmp.Or(o.Energy, d.Energy), cmp.Or(o.EnergyRefresh, d.EnergyRefresh), cmp.Or(o.Weights, d.Weights)
	return o
}

// valid returns v, the result of a constructor called with valid options. It panics on an error.
func valid[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func newHistogram(o ContourOptions, temperature float64, chains int) *Histogram {
	return valid(NewHistogram(complete(o), temperature, chains))
}

func newAuthorsHistogram(o ContourOptions, temperature float64, chains int) *authors {
	return valid(newAuthors(complete(o), temperature, chains))
}

// A change puts the option of a key out of range.
type change[O any] struct {
	key string
	set func(*O)
}

// TestConstructorsRefuse checks that a constructor returns an error for each option out of range, which names the option as an experiment
// file does.
func TestConstructorsRefuse(t *testing.T) {
	for _, c := range []change[ContourOptions]{
		{"contour.overflow", func(o *ContourOptions) { o.Overflow = "lastBin" }},
		{"contour.difference", func(o *ContourOptions) { o.Difference = "Forward" }},
		{"contour.field", func(o *ContourOptions) { o.Field = "Theta" }},
		{"contour.weights", func(o *ContourOptions) { o.Weights = "" }},
		{"contour.width", func(o *ContourOptions) { o.Width = 0 }},
		{"contour.width", func(o *ContourOptions) { o.Width = math.NaN() }},
		{"contour.bins", func(o *ContourOptions) { o.Bins = 0 }},
		{"contour.bins", func(o *ContourOptions) { o.Bins = maxBins + 1 }},
		{"contour.omega", func(o *ContourOptions) { o.Omega = 1 }},
		{"contour.zeta", func(o *ContourOptions) { o.Zeta = -1 }},
		{"contour.start", func(o *ContourOptions) { o.Start = math.Inf(1) }},
		{"contour.theta_warmup", func(o *ContourOptions) { o.ThetaWarmup = math.NaN() }},
		{"contour.theta_warmup", func(o *ContourOptions) { o.ThetaWarmup = 10 }},
		{"contour.gain, contour.limit", func(o *ContourOptions) { o.Range, o.Gain = "auto", 0.6 }},
	} {
		o := DefaultContour()
		c.set(&o)
		must.Refuse(NewHistogram(o, 1, 1))(t, c.key)
		must.Refuse(newAuthors(o, 1, 1))(t, c.key)
		l := Plain(1, 0)
		l.Contour, l.Contour.Kind = o, "paper"
		must.Refuse(NewLangevin(l, Setup{Chains: 1}))(t, c.key)
	}
	// A Histogram alone may have more bins than a line of a trial file holds.
	many := Plain(1, 0)
	many.Contour.Kind, many.Contour.Bins = "paper", maxTrialBins+1
	must.Refuse(NewLangevin(many, Setup{Chains: 1}))(t, "contour.bins")
	_, err := NewHistogram(many.Contour, 1, 1)
	must.That(t, err == nil, "NewHistogram of %d bins: %v", maxTrialBins+1, err)

	o := DefaultContour()
	must.Refuse(NewHistogram(o, math.NaN(), 1))(t, "temperature")
	must.Refuse(NewHistogram(o, 1, 0))(t, "chains")
	many.Contour.Kind = "Paper"
	must.Refuse(NewLangevin(many, Setup{Chains: 1}))(t, "contour.kind")

	for _, c := range []change[LangevinOptions]{
		{"learning_rate", func(u *LangevinOptions) { u.LearningRate = math.NaN() }},
		{"learning_rate_decay", func(u *LangevinOptions) { u.Decay = 0 }},
		{"temperature", func(u *LangevinOptions) { u.Temperature = -1 }},
	} {
		o := Plain(0.1, 1)
		c.set(&o)
		must.Refuse(NewLangevin(o, Setup{Chains: 1}))(t, c.key)
		for _, subject := range []func() (Subject, error){
			CycSGLD().Subject, ReSGLD().Subject, SGHMC().Subject, SGNHT().Subject, ICSGHMC().Subject, SVGD().Subject, MALA().Subject,
		} {
			must.Refuse(must.Get(subject())(t).New(o, Setup{Chains: 2, Stream: stream.Root(1)}))(t, c.key)
		}
	}
	for _, c := range []change[PreconditionerOptions]{
		{"preconditioner.kind", func(o *PreconditionerOptions) { o.Kind = "" }},
		{"preconditioner.alpha", func(o *PreconditionerOptions) { o.Alpha = math.NaN() }},
		{"preconditioner.rho", func(o *PreconditionerOptions) { o.Rho = 0 }},
		{"preconditioner.scale", func(o *PreconditionerOptions) { o.Scale = 0 }},
	} {
		o := PSGLD().Defaults()
		c.set(&o.Preconditioner)
		must.Refuse(NewLangevin(o, Setup{Chains: 1}))(t, c.key)
	}
	for _, c := range []change[exchangeArguments]{
		{"temperature", func(e *exchangeArguments) { e.Temperature = 0 }},
		{"correction", func(e *exchangeArguments) { e.Correction = 0 }},
		{"chains", func(e *exchangeArguments) { e.setup.Chains = 1 }},
		{"swap_every", func(e *exchangeArguments) { e.SwapEvery = 0 }},
		{"estimate_every", func(e *exchangeArguments) { e.EstimateEvery = 0 }},
		{"estimate_samples", func(e *exchangeArguments) { e.EstimateSamples = 1 }},
		{"contour.kind", func(e *exchangeArguments) { e.Contour.Kind = "paper" }},
		{"ladder", func(e *exchangeArguments) { e.ladder = Ladder(3, 1, 2) }},
		{"ladder[1].rate", func(e *exchangeArguments) { e.ladder[1].Rate = -1 }},
		{"ladder[1].temperature", func(e *exchangeArguments) { e.ladder[1].Temperature = 0 }},
		{"variance", func(e *exchangeArguments) { e.variance = math.NaN() }},
		{"smoothing", func(e *exchangeArguments) { e.smoothing = 0 }},
		{"smoothing", func(e *exchangeArguments) { e.smoothing = 2 }},
		{"stream", func(e *exchangeArguments) { e.setup.Stream = nil }},
	} {
		e := exchangeArguments{ReSGLD().Defaults(), Ladder(2, 1, 2), 0, 1, Setup{Chains: 2, Stream: stream.Root(1)}}
		must.Get(NewExchange(e.ExchangeOptions, e.ladder, e.variance, e.smoothing, e.setup))(t)
		c.set(&e)
		must.Refuse(NewExchange(e.ExchangeOptions, e.ladder, e.variance, e.smoothing, e.setup))(t, c.key)
	}
	u := Setup{Chains: 1}
	cyclical, sghmc, svgd := CycSGLD().Defaults(), SGHMC().Checked(Plain(0.1, 1)), SVGD().Defaults()
	cyclical.Cycle = 0
	must.Refuse(CycSGLD().New(cyclical, u))(t, "cycle")
	sghmc.Friction = 11
	must.Refuse(SGHMC().New(sghmc, u))(t, "friction", "1.1")
	svgd.Smoothing = 1
	must.Refuse(SVGD().New(svgd, u))(t, "smoothing")
	svgd.Smoothing, svgd.Rho = 0.9, 0
	must.Refuse(SVGD().New(svgd, u))(t, "rho")
	reduced := ICSGLD().Defaults()
	reduced.Contour.Energy = "reduced"
	must.Refuse(ICSGLD().New(reduced, u))(t, "contour.energy")
}

// exchangeArguments are the arguments of NewExchange.
type exchangeArguments struct {
	ExchangeOptions
	ladder              []Rung
	variance, smoothing float64
	setup               Setup
}

// TestLiteralsRefuse checks that the first step of a sampler that is a literal, or that lacks noise, returns an error and moves no chain.
func TestLiteralsRefuse(t *testing.T) {
	o := Plain(0.1, 1)
	for _, c := range []struct {
		name string
		s    posterior.Sampler
	}{
		{"a sampler without options", &Langevin{}},
		{"a sampler without options", &Underdamped{}},
		{"Noise", valid(NewLangevin(o, Setup{Chains: 2}))},
		{"Noise", valid(NewLangevin(o, Setup{Chains: 2, Noise: flatNoise(1)}))},
		{"Noise", valid(NewLangevin(o, Setup{Chains: 2, Noise: make([]posterior.Normals, 2)}))},
		{"Noise", valid(MALA().New(MALA().Checked(o), Setup{Chains: 2}))},
	} {
		slope := posterior.TargetFunc(1, func(grad, x []float32) float64 { grad[0] = 1; return float64(x[0]) })
		chains := []posterior.Chain{posterior.NewChain(slope, []float32{1}), posterior.NewChain(slope, []float32{2})}
		must.Fail(t, c.s.Step(chains), c.name)
		must.That(t, slices.Equal(chains[0].X, []float32{1}) && slices.Equal(chains[1].X, []float32{2}),
			"%s: the chains moved to %v and %v", c.name, chains[0].X, chains[1].X)
	}
}
