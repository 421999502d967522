package simulation

import (
	"slices"

	"banditsim/bandit/stream"
	"banditsim/lab/density"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// Settings from the ICSGLD paper's appendix ('Simulations of multi-modal distributions') or, where the appendix
// gives no value, from the authors' program.
const (
	cycles      = 10   // cycles of cycSGLD
	cyclePeak   = 1e-2 // ε at the start of a cycle
	cycleKeep   = 9e-3 // samples of cycSGLD count if ε is below this value
	populations = 5    // independent runs of SVGD
	particles   = 100  // particles of each population
)

// LandscapeContour returns the contour for the landscape: 100 energy bins of width .125 from −5, ζ = .75 and τ = 1.
func LandscapeContour() density.Contour {
	return density.Contour{Bins: 100, Width: 0.125, Start: -5, Zeta: 0.75, Temperature: 1}
}

// A method is one of the samplers that the experiment on 25 modes compares.
type method struct {
	name      string
	doc       string
	parallel  int  // number of chains or populations; LandscapeOptions.Steps·5 steps are divided among the chains
	particles bool // the method moves populations of particles, for LandscapeOptions.Steps/particlesPart steps
	prerun    bool // the initial θ comes from a run of SGLD, see func prerun
	build     func(b *builder) *walk
}

// methods are in the order of the paper's figure. The last three, variants of CSGLD and ICSGLD, are not in the paper.
var methods = []method{
	{name: sgmcmc.SGLD().Name, doc: "five chains", parallel: 5, build: (*builder).sgld},
	{name: sgmcmc.CycSGLD().Name, doc: sgmcmc.CycSGLD().Doc + ", one chain", parallel: 1, build: (*builder).cyclical},
	{name: sgmcmc.SVGD().Name, doc: "five times 100 particles", parallel: populations, particles: true, build: (*builder).svgd},
	{name: sgmcmc.ReSGLD().Name, doc: sgmcmc.ReSGLD().Doc + ", five chains", parallel: 5, build: (*builder).exchange},
	{name: sgmcmc.CSGLD().Name, doc: "one chain", parallel: 1, prerun: true, build: onContour([]float32{0, 0})},
	{name: sgmcmc.ICSGLD().Name, doc: "five chains", parallel: 5, prerun: true, build: onContour(starts...)},
	{name: sgmcmc.CSGLD().Name + "-flat", doc: "CSGLD, θ starts flat", parallel: 1, build: onContour([]float32{0, 0})},
	{name: sgmcmc.ICSGLD().Name + "-flat", doc: "ICSGLD, θ starts flat", parallel: 5, build: onContour(starts...)},
	{name: sgmcmc.CSGLD().Name + "-authors", doc: "CSGLD with field θ^ζ, forward difference, start (2, 2)", parallel: 1, prerun: true, build: func(b *builder) *walk {
		o := contourOptions()
		o.Field, o.Difference = "theta^zeta", "forward"
		return b.contour(o, [][]float32{{2, 2}})
	}},
}

// starts are the initial positions of methods with five chains.
var starts = [][]float32{{0, 1}, {0, -1}, {0, 0}, {1, 0}, {-1, 0}}

// onContour returns a build function for chains with the contour of CSGLD and ICSGLD, from the given starts.
func onContour(from ...[]float32) func(b *builder) *walk {
	return func(b *builder) *walk { return b.contour(contourOptions(), from) }
}

// contourOptions returns the contour of CSGLD and ICSGLD on the landscape.
func contourOptions() sgmcmc.ContourOptions {
	o := optionsOf(LandscapeContour())
	o.Omega, o.OmegaExponent, o.OmegaOffset = 3e-3, 0.6, 100
	return o
}

// optionsOf returns options for a sampler's contour with the bins and ζ of c.
func optionsOf(c density.Contour) sgmcmc.ContourOptions {
	o := sgmcmc.DefaultContour()
	o.Kind, o.Bins, o.Width, o.Start, o.Zeta = "paper", c.Bins, c.Width, c.Start, c.Zeta
	o.Overflow, o.Weights = "lastbin", "psi"
	return o
}

// A builder has the inputs of method.build for one run, and the landscapes that it has made for the chains.
type builder struct {
	rand       *stream.Stream
	steps      int       // steps of the run
	rate       float64   // ε of SGLD and the contour samplers, and the step size of SVGD
	noise      float64   // standard deviation of the noise of energy and gradient
	theta      []float64 // θ of the prerun; nil for a flat start
	landscapes []*density.Landscape
}

// evaluations returns the number of evaluations of the gradient so far.
func (b *builder) evaluations() (n int) {
	for _, l := range b.landscapes {
		n += l.Evaluations
	}
	return n
}

// target returns a new landscape, whose noise is drawn from a child of r.
func (b *builder) target(r *stream.Stream) posterior.Target {
	l := density.NewLandscape(b.noise, r.Child("gradient"))
	b.landscapes = append(b.landscapes, l)
	return l
}

func (b *builder) langevin(o sgmcmc.LangevinOptions, from [][]float32) (*sgmcmc.Langevin, []posterior.Chain) {
	return b.chains(from, func(u sgmcmc.Setup) (*sgmcmc.Langevin, error) { return sgmcmc.NewLangevin(o, u) })
}

// chains returns the sampler that build makes, and chains for it at the given starts.
func (b *builder) chains(from [][]float32, build func(sgmcmc.Setup) (*sgmcmc.Langevin, error)) (*sgmcmc.Langevin, []posterior.Chain) {
	u := sgmcmc.Setup{Chains: len(from), Stream: b.rand, Theta: b.theta}
	var chains []posterior.Chain
	for i, start := range from {
		r := b.rand.Child("chain", i)
		chains = append(chains, posterior.NewChain(b.target(r), slices.Clone(start)))
		u.Noise = append(u.Noise, density.NewBuffered(r.Child("noise")))
	}
	s, err := build(u)
	if err != nil {
		panic(err) // cannot happen: options are valid, and prerun makes θ positive
	}
	return s, chains
}

func (b *builder) sgld() *walk { return newWalk(b.langevin(sgmcmc.Plain(b.rate, 1), starts)) }

func (b *builder) cyclical() *walk {
	o := sgmcmc.CyclicalOptions{LangevinOptions: sgmcmc.Plain(cyclePeak, 1), Cycle: max(b.steps/cycles, 1)}
	s, chains := b.chains([][]float32{{0, 0}}, func(u sgmcmc.Setup) (*sgmcmc.Langevin, error) {
		s, err := sgmcmc.CycSGLD().New(o, u)
		return s.(*sgmcmc.Langevin), err
	})
	w := newWalk(s, chains)
	w.keep = func() bool { return s.LearningRate < cycleKeep }
	return w
}

// exchange builds reSGLD with learning rates .001 … .005 and temperatures 1 … 5. The variance of the energy's noise is
// estimated every 100 steps. Its moving average starts at 30, and gives each new estimate the weight ω = 3e-3.
func (b *builder) exchange() *walk {
	o := sgmcmc.ExchangeOptions{LangevinOptions: sgmcmc.Plain(1e-3, 1), LadderOptions: sgmcmc.LadderOptions{Correction: 1, SwapEvery: 1, EstimateEvery: 100, EstimateSamples: 10}}
	var ladder []sgmcmc.Rung
	for i := range starts {
		ladder = append(ladder, sgmcmc.Rung{Rate: float64(i + 1), Temperature: float64(i + 1)})
	}
	w := newWalk(b.chains(starts, func(u sgmcmc.Setup) (*sgmcmc.Langevin, error) {
		return sgmcmc.NewExchange(o, ladder, 30, 3e-3, u)
	}))
	w.counting = 1
	return w
}

// svgd builds five populations of particles that start uniformly in the box.
func (b *builder) svgd() *walk {
	var c clouds
	var all []posterior.Chain
	for i := range populations {
		r := b.rand.Child("chain", i)
		init, target := r.Child("init"), b.target(r)
		sampler, err := sgmcmc.SVGD().New(sgmcmc.SVGD().Checked(sgmcmc.Plain(b.rate, 1)), sgmcmc.Setup{})
		if err != nil {
			panic(err)
		}
		c = append(c, sampler)
		for range particles {
			x := make([]float32, 2)
			for d := range x {
				x[d] = float32((2*init.Float64() - 1) * density.LandscapeBox)
			}
			all = append(all, posterior.NewChain(target, x))
		}
	}
	w := newWalk(c, all)
	w.counting = 0
	return w
}

func (b *builder) contour(o sgmcmc.ContourOptions, from [][]float32) *walk {
	options := sgmcmc.Plain(b.rate, 1)
	options.Contour = o
	s, chains := b.langevin(options, from)
	h := s.Contour.(*sgmcmc.Histogram)
	w := newWalk(s, chains)
	w.weigh = func(energy float64) float64 { return o.Zeta * h.LogPsi(energy) }
	return w
}

// prerun runs SGLD and returns the initial θ: the share of energies in each bin, plus 1e-4. The energies are of every
// 20th step in the run's last three quarters. All methods of a repeat pass the same r, and so start from the same θ.
func prerun(r *stream.Stream, steps int, rate, noise float64) ([]float64, error) {
	const every, raise = 20, 1e-4
	b := &builder{rand: r.Child("prerun"), noise: noise}
	s, chains := b.langevin(sgmcmc.Plain(rate, 1), [][]float32{{0, 0}})
	theta, n := make([]float64, LandscapeContour().Bins), 0.0
	for k := range steps {
		if err := s.Step(chains); err != nil {
			return nil, err
		}
		if k >= steps/4 && k%every == 0 {
			theta[LandscapeContour().Index(chains[0].Energy)]++
			n++
		}
	}
	for i := range theta {
		theta[i] = theta[i]/max(n, 1) + raise
	}
	return theta, nil
}
