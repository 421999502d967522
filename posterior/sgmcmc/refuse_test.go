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

// complete fills in what a test's options leave out.
func complete(o ContourOptions) ContourOptions {
	d := DefaultContour()
	o.Overflow, o.Field, o.Difference = cmp.Or(o.Overflow, d.Overflow), cmp.Or(o.Field, d.Field), cmp.Or(o.Difference, d.Difference)
	o.Energy, o.EnergyRefresh, o.Weights = cmp.Or(o.Energy, d.Energy), cmp.Or(o.EnergyRefresh, d.EnergyRefresh), cmp.Or(o.Weights, d.Weights)
	return o
}

// valid returns v, of a constructor that is given valid options.
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

// refused fails unless err names all that is given.
func refused(t *testing.T, what string, err error, names ...string) {
	t.Helper()
	for _, name := range names {
		must.Fail(t, err, name)
	}
}

// TestConstructorsRefuse: what an experiment file refuses, a constructor refuses by the same name.
func TestConstructorsRefuse(t *testing.T) {
	for _, c := range []struct {
		key string
		set func(*ContourOptions)
	}{
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
	} {
		o := DefaultContour()
		c.set(&o)
		_, err := NewHistogram(o, 1, 1)
		refused(t, "NewHistogram", err, c.key)
		_, err = newAuthors(o, 1, 1)
		refused(t, "authors", err, c.key)
		l := Plain(1, 0)
		l.Contour, l.Contour.Kind = o, "paper"
		_, err = NewLangevin(l, Setup{Chains: 1})
		refused(t, "NewLangevin", err, c.key)
	}
	// More bins than a line of a trial file holds are for what keeps no trials.
	many := Plain(1, 0)
	many.Contour.Kind, many.Contour.Bins = "paper", maxTrialBins+1
	_, err := NewLangevin(many, Setup{Chains: 1})
	refused(t, "NewLangevin", err, "contour.bins")
	if _, err := NewHistogram(many.Contour, 1, 1); err != nil {
		t.Errorf("NewHistogram of %d bins: %v", maxTrialBins+1, err)
	}

	o := DefaultContour()
	_, err = NewHistogram(o, math.NaN(), 1)
	refused(t, "NewHistogram", err, "temperature")
	_, err = NewHistogram(o, 1, 0)
	refused(t, "NewHistogram", err, "chains")
	many.Contour.Kind = "Paper"
	_, err = NewLangevin(many, Setup{Chains: 1})
	refused(t, "NewLangevin", err, "contour.kind")

	for _, c := range []struct {
		key string
		set func(*LangevinOptions)
	}{
		{"learning_rate", func(u *LangevinOptions) { u.LearningRate = math.NaN() }},
		{"learning_rate_decay", func(u *LangevinOptions) { u.Decay = 0 }},
		{"temperature", func(u *LangevinOptions) { u.Temperature = -1 }},
	} {
		o := Plain(0.1, 1)
		c.set(&o)
		_, err := NewLangevin(o, Setup{Chains: 1})
		refused(t, "NewLangevin", err, c.key)
		refusedBy(t, CycSGLD(), o, c.key)
		refusedBy(t, ReSGLD(), o, c.key)
		refusedBy(t, SGHMC(), o, c.key)
		refusedBy(t, SGNHT(), o, c.key)
		refusedBy(t, ICSGHMC(), o, c.key)
		refusedBy(t, SVGD(), o, c.key)
		refusedBy(t, MALA(), o, c.key)
	}
	for _, c := range []struct {
		key string
		set func(*PreconditionerOptions)
	}{
		{"preconditioner.kind", func(o *PreconditionerOptions) { o.Kind = "" }},
		{"preconditioner.alpha", func(o *PreconditionerOptions) { o.Alpha = math.NaN() }},
		{"preconditioner.rho", func(o *PreconditionerOptions) { o.Rho = 0 }},
		{"preconditioner.scale", func(o *PreconditionerOptions) { o.Scale = 0 }},
	} {
		o := PSGLD().Defaults()
		c.set(&o.Preconditioner)
		_, err := NewLangevin(o, Setup{Chains: 1})
		refused(t, "NewLangevin", err, c.key)
	}
	for _, c := range []struct {
		key string
		set func(*exchangeArguments)
	}{
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
		_, err := NewExchange(e.ExchangeOptions, e.ladder, e.variance, e.smoothing, e.setup)
		refused(t, "NewExchange", err, c.key)
	}
	u := Setup{Chains: 1}
	cyclical, sghmc, svgd := CycSGLD().Defaults(), SGHMC().Checked(Plain(0.1, 1)), SVGD().Defaults()
	cyclical.Cycle = 0
	_, err = CycSGLD().New(cyclical, u)
	refused(t, "CycSGLD", err, "cycle")
	sghmc.Friction = 11
	_, err = SGHMC().New(sghmc, u)
	refused(t, "SGHMC", err, "friction", "1.1")
	svgd.Smoothing = 1
	_, err = SVGD().New(svgd, u)
	refused(t, "SVGD", err, "smoothing")
	svgd.Smoothing, svgd.Rho = 0.9, 0
	_, err = SVGD().New(svgd, u)
	refused(t, "SVGD", err, "rho")
	reduced := ICSGLD().Defaults()
	reduced.Contour.Energy = "reduced"
	_, err = ICSGLD().New(reduced, u)
	refused(t, "ICSGLD", err, "contour.energy")
}

// exchangeArguments are those of NewExchange.
type exchangeArguments struct {
	ExchangeOptions
	ladder              []Rung
	variance, smoothing float64
	setup               Setup
}

// refusedBy fails unless the method's constructor names an option of a check that is out of range.
func refusedBy[O any](t *testing.T, m Method[O], o LangevinOptions, key string) {
	t.Helper()
	_, err := m.New(m.Checked(o), Setup{Chains: 2, Stream: stream.Root(1)})
	refused(t, m.Name, err, key)
}

// TestLiteralsRefuse: a sampler written as a literal, and one that lacks noise, return an error from their first step, and move no
// chain.
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
		refused(t, c.name, c.s.Step(chains), c.name)
		if !slices.Equal(chains[0].X, []float32{1}) || !slices.Equal(chains[1].X, []float32{2}) {
			t.Errorf("%s: the chains moved to %v and %v", c.name, chains[0].X, chains[1].X)
		}
	}
}
