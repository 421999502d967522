package sgmcmc

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/posterior"
	"banditsim/posterior/internal/checktest"
)

// complete fills in what a test's options leave out.
func complete(o ContourOptions) ContourOptions {
	d := DefaultContour()
	o.Overflow, o.Field, o.Difference = cmp.Or(o.Overflow, d.Overflow), cmp.Or(o.Field, d.Field), cmp.Or(o.Difference, d.Difference)
	o.Energy, o.EnergyRefresh, o.Weights = cmp.Or(o.Energy, d.Energy), cmp.Or(o.EnergyRefresh, d.EnergyRefresh), cmp.Or(o.Weights, d.Weights)
	return o
}

// must returns v, of a constructor that is given valid options.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func newHistogram(o ContourOptions, temperature float64, chains int) *Histogram {
	return must(NewHistogram(complete(o), temperature, chains))
}

func newAuthorsHistogram(o ContourOptions, temperature float64, chains int) *AuthorsHistogram {
	return must(NewAuthorsHistogram(complete(o), temperature, chains))
}

// refused fails unless err names all that is given.
func refused(t *testing.T, what string, err error, names ...string) {
	t.Helper()
	for _, name := range names {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v, want one that names %q", what, err, name)
		}
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
		{"contour.omega", func(o *ContourOptions) { o.Omega = 1 }},
		{"contour.zeta", func(o *ContourOptions) { o.Zeta = -1 }},
		{"contour.start", func(o *ContourOptions) { o.Start = math.Inf(1) }},
		{"contour.theta_warmup", func(o *ContourOptions) { o.ThetaWarmup = math.NaN() }},
	} {
		o := DefaultContour()
		c.set(&o)
		_, err := NewHistogram(o, 1, 1)
		refused(t, "NewHistogram", err, c.key)
		_, err = NewAuthorsHistogram(o, 1, 1)
		refused(t, "NewAuthorsHistogram", err, c.key)
		l := Plain(1, 0)
		l.Contour, l.Contour.Kind = o, "paper"
		_, err = NewLangevin(l, Setup{Chains: 1})
		refused(t, "NewLangevin", err, c.key)
	}
	o := DefaultContour()
	_, err := NewHistogram(o, math.NaN(), 1)
	refused(t, "NewHistogram", err, "temperature")
	_, err = NewHistogram(o, 1, 0)
	refused(t, "NewHistogram", err, "chains")
	o.Kind = "Paper"
	_, err = o.New(1, 1)
	refused(t, "ContourOptions.New", err, "contour.kind")

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

// refusedBy fails unless the method's constructor names an option of a check that is out of range.
func refusedBy[O any](t *testing.T, m Method[O], o LangevinOptions, key string) {
	t.Helper()
	_, err := m.New(m.Checked(o), Setup{Chains: 2, Stream: stream.Root(1)})
	refused(t, m.Name, err, key)
}

// TestLiteralsRefuse: a sampler written as a literal returns an error from its first step where a
// field is missing or of no use, and moves no chain.
func TestLiteralsRefuse(t *testing.T) {
	for _, c := range []struct {
		name string
		s    posterior.Sampler
	}{
		{"Noise", &Langevin{Schedule: Constant(0.1), Temperature: 1}},
		{"Noise", &Langevin{Schedule: Constant(0.1), Temperature: 1, Noise: flatNoise(1)}},
		{"Noise", &Langevin{Schedule: Constant(0.1), Temperature: 1, Noise: make([]posterior.Normals, 2)}},
		{"Noise", &Underdamped{Schedule: Constant(0.1), Temperature: 1}},
		{"Decay", started(&Langevin{Schedule: Decaying(0.1, 0)})},
		{"Decay", started(&Langevin{Schedule: Decaying(0.1, math.NaN())})},
		{"Decay", started(&Underdamped{Schedule: Decaying(0.1, 0)})},
		{"Decay", started(&Stein{Schedule: Decaying(0.1, 0), Temperature: 1})},
		{"Decay", started(&Langevin{Schedule: Cycles(0.1, 0, 5)})},
		{"preconditioner.scale", &Langevin{Schedule: Constant(0.1), Preconditioner: &RMSProp{Alpha: 0.01, Rho: 1e-3}}},
		{"preconditioner.rho", &Langevin{Schedule: Constant(0.1), Preconditioner: &RMSProp{Alpha: 0.01, Scale: 1}}},
		{"Ladder", exchanging(func(e *Exchange) { e.Ladder = Ladder(3, 1, 2) })},
		{"Ladder[1].Temperature", exchanging(func(e *Exchange) { e.Ladder[1].Temperature = 0 })},
		{"Correction", exchanging(func(e *Exchange) { e.Correction = 0 })},
		{"Every", exchanging(func(e *Exchange) { e.Every = 0 })},
		{"Rand", exchanging(func(e *Exchange) { e.Rand = nil })},
		{"Samples", exchanging(func(e *Exchange) { e.EstimateEvery, e.Samples, e.Smoothing = 1, 1, 1 })},
		{"Smoothing", exchanging(func(e *Exchange) { e.EstimateEvery, e.Samples = 1, 2 })},
	} {
		slope := posterior.TargetFunc(1, func(grad, x []float32) float64 { grad[0] = 1; return float64(x[0]) })
		chains := []posterior.Chain{posterior.NewChain(slope, []float32{1}), posterior.NewChain(slope, []float32{2})}
		refused(t, c.name, c.s.Step(chains), c.name)
		if !slices.Equal(chains[0].X, []float32{1}) || !slices.Equal(chains[1].X, []float32{2}) {
			t.Errorf("%s: the chains moved to %v and %v", c.name, chains[0].X, chains[1].X)
		}
	}
}

// started returns a sampler that was told of a round.
func started(s interface {
	posterior.Sampler
	posterior.RoundStarter
}) posterior.Sampler {
	s.StartRound(0, 1)
	return s
}

// exchanging returns a sampler of two chains with replica exchange.
func exchanging(change func(*Exchange)) posterior.Sampler {
	e := &Exchange{Ladder: Ladder(2, 1, 2), Correction: 1, Every: 1, Rand: stream.Root(1)}
	change(e)
	return &Langevin{Schedule: Constant(0.1), Temperature: 1, Noise: flatNoise(2), Exchange: e}
}

// TestRestoredContourWeighs: a restored contour gives the weights of the saved one before its next
// Meet, and continues with the same bits.
func TestRestoredContourWeighs(t *testing.T) {
	for _, weights := range []string{"theta", "psi"} {
		build := func() *Histogram {
			return newHistogram(ContourOptions{Bins: 4, Width: 1, Zeta: 2, Omega: 0.25, OmegaExponent: 0.5, Weights: weights}, 1, 3)
		}
		a, b := build(), build()
		m, n := make([]float64, 3), make([]float64, 3)
		for k := range 5 {
			a.Meet(m, []float64{0.5, 1.25, 2 + float64(k%2)})
		}
		saved := must(a.MarshalBinary())
		if err := b.UnmarshalBinary(saved); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			a.Weights(m)
			b.Weights(n)
			checktest.Vector(t, weights+": weights", n, m, 0)
			a.Meet(m, []float64{1.75, 0.25, 9})
			b.Meet(n, []float64{1.75, 0.25, 9})
			checktest.Vector(t, weights+": multipliers", n, m, 0)
		}
	}
}
