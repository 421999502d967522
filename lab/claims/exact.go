package claims

import (
	"encoding"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"banditsim/internal/lists"
	"banditsim/internal/verify"
	"banditsim/internal/worked"
	"banditsim/posterior"
)

// A run is a sampler with a few chains.
type run struct {
	sampler posterior.Sampler
	chains  []posterior.Chain
}

const (
	runDim   = 7
	runSteps = 30
)

// run returns chains on a Gaussian with gradient noise. The role of chain p, roles[p],
// determines its initial position, its gradient noise and its normals. By default chain p has role p, and there
// are as many chains as the sampler requires, or three.
func (s Sampler) run(j *judge, u setup, noise func(role int) posterior.Normals, roles ...int) *run {
	if roles == nil {
		for p := range s.count(3) {
			roles = append(roles, p)
		}
	}
	u.Chains, u.Dim, u.V, u.Stream = len(roles), runDim, wide(u.V, runDim), j.Rand("other")
	u.Noise = lists.Each(roles, noise)
	return s.start(u, func(p int) posterior.Target { return gaussian(1, 0.5)(runDim, j.Rand("gradient", roles[p])) }, func(p int) []float32 {
		x := make([]float32, runDim)
		j.Rand("start", roles[p]).Normals(x)
		return x
	})
}

// start returns the sampler for a setup, with u.Chains chains. Chain p starts at start(p) and has the target target(p).
func (s Sampler) start(u setup, target func(p int) posterior.Target, start func(p int) []float32) *run {
	var g run
	for p := range u.Chains {
		g.chains = append(g.chains, posterior.NewChain(target(p), start(p)))
	}
	g.sampler = verify.Value(s.New(u.LangevinOptions, u.Setup))
	return &g
}

// noise returns the stream of normals of a role.
func (j *judge) noise(role int) posterior.Normals { return j.Rand("noise", role) }

// count returns the number of chains that the sampler requires, or n if any number will do.
func (s Sampler) count(n int) int {
	if s.Claims.Chains > 0 {
		return s.Claims.Chains
	}
	return n
}

// lively returns a setup in which every feature that the sampler claims is on and has an effect.
func (s Sampler) lively() setup {
	temp := 1.0
	if !s.Claims.Density && s.Claims.ZeroTemperature {
		temp = 0
	}
	u := s.setup(0.1, temp, 0, 1)
	if s.Claims.Preconditioner {
		u.Preconditioner.Alpha, u.V = 0.1, nil
	}
	if s.Claims.Contour {
		u.Contour.Zeta = 0.75
	}
	return u
}

// walk performs a number of steps and returns the positions of all chains after each step, concatenated.
func (g *run) walk(steps int) []float32 {
	var path []float32
	for range steps {
		verify.Must(g.sampler.Step(g.chains))
		path = append(path, g.positions()...)
	}
	return path
}

// positions returns the positions of all chains, concatenated.
func (g *run) positions() []float32 { return slices.Concat(g.places()...) }

// places returns the position of each chain.
func (g *run) places() [][]float32 {
	return lists.Each(g.chains, func(c posterior.Chain) []float32 { return c.X })
}

// checkBits checks that equal noise gives equal bits, also for parallel chains, and that each chain has its own noise.
func checkBits(j *judge, s Sampler) {
	path := func(u setup, noise func(chain int) posterior.Normals) []float32 {
		return s.run(j, u, noise).walk(runSteps)
	}
	u := s.lively()
	first := path(u, j.noise)
	j.SameBits("the same noise twice", path(u, j.noise), first)
	side := u
	side.Parallel = verify.SideBySide
	j.SameBits("chains side by side", path(side, j.noise), first)

	if s.Claims.Particles || u.Temperature == 0 {
		return // the sampler draws no noise
	}
	// Other noise for a chain must change its path, but not the first step of the other chains.
	chains, same := s.count(3), 0
	var got, want []float32 // positions after the first step, of the chains whose noise is the same
	for p := range chains {
		other := path(u, func(chain int) posterior.Normals {
			if chain == p {
				return j.Rand("other noise")
			}
			return j.noise(chain)
		})
		last := len(first) - (chains-p)*runDim // in the last step, because a sampler may reject the first move in both runs
		for i := last; i < last+runDim; i++ {
			if other[i] == first[i] {
				same++
			}
		}
		own, after := p*runDim, (p+1)*runDim // chain p is at first[own:after] after the first step
		got = append(append(got, other[:own]...), other[after:chains*runDim]...)
		want = append(append(want, first[:own]...), first[after:chains*runDim]...)
	}
	j.Promise("other noise moves a chain elsewhere", same == 0, "%d of %d coordinates are the same after %d steps with other noise", same, chains*runDim, runSteps)
	j.SameBits("other chains do not use the noise of one", got, want)
	places := map[float32]bool{}
	for p := range chains {
		places[first[p*runDim]] = true
	}
	j.Promise("chains differ", len(places) == chains, "%d chains are in %d places after a step", chains, len(places))
}

// checkRestore saves a sampler before the first step and after several steps, restores the state into a new sampler,
// and compares the following steps. Positions are not part of the sampler's state, and are copied.
func checkRestore(j *judge, s Sampler) {
	fresh := func() *run { return s.run(j, s.lively(), j.noise) }
	for _, steps := range []int{0, 1, 11} {
		a := fresh()
		a.walk(steps)
		m, ok := a.sampler.(encoding.BinaryMarshaler)
		if !ok {
			j.Skip("saved state", fmt.Sprintf("not offered: %T has no MarshalBinary", a.sampler))
			return
		}
		saved, err := m.MarshalBinary()
		if err != nil {
			verify.Failf("after %d steps: save: %w", steps, err)
		}
		b := fresh()
		u, ok := b.sampler.(encoding.BinaryUnmarshaler)
		if !ok {
			verify.Failf("%T has MarshalBinary, but no UnmarshalBinary", b.sampler)
		}
		if err := u.UnmarshalBinary(saved); err != nil {
			verify.Failf("after %d steps: restore: %w", steps, err)
		}
		for p := range b.chains {
			copy(b.chains[p].X, a.chains[p].X)
		}
		// The gradient noise is not part of the state either: both runs get targets with the same noise.
		var ahead [2][]float32
		for i, g := range []*run{a, b} {
			for p := range g.chains {
				g.chains[p].Target = gaussian(1, 0.5)(runDim, j.Rand("later gradient", p))
			}
			ahead[i] = g.walk(runSteps)
		}
		j.SameBits(fmt.Sprintf("going on after %d steps", steps), ahead[1], ahead[0])
	}
}

// checkDecay compares a sampler whose learning rate has decayed with one that was built with the decayed rate: the
// paths must have the same bits. Samplers other than those of particles first do a step that moves no chain: it
// initializes some of their state.
func checkDecay(j *judge, s Sampler) {
	for _, rounds := range []int{1, 3} {
		const rate, decay = 0.25, 0.5 // powers of 2, so that the decayed rate is exact
		late := rate * math.Pow(decay, float64(rounds))
		j.SameBits(fmt.Sprintf("after %d rounds", rounds), j.decayed(s, rate, decay, rounds), j.decayed(s, late, 1, 0))
	}
}

// decayed returns the path of a sampler after the learning rate has decayed for a number of rounds.
func (j *judge) decayed(s Sampler, rate, decay float64, rounds int) []float32 {
	u := s.setup(rate, 1, 0, 1)
	u.Decay = decay
	if !s.Claims.Density {
		u.Temperature = 0
	}
	g := s.run(j, u, j.noise)
	if !s.Claims.Particles { // particles move even without gradient and noise
		g = s.run(j, u, func(role int) posterior.Normals { return paused(j.Rand("noise", role)) })
		chains := slices.Clone(g.chains)
		for p := range g.chains {
			g.chains[p].Target = flat(runDim, nil)
		}
		g.walk(1)
		for p := range g.chains {
			g.chains[p].Target = chains[p].Target
		}
	}
	for r := range rounds {
		starter, ok := g.sampler.(posterior.RoundStarter)
		if !ok {
			verify.Failf("a decay is claimed, but %T is no posterior.RoundStarter", g.sampler)
		}
		starter.StartRound(r, 10)
	}
	return g.walk(runSteps)
}

// checkHostile gives one chain an energy that is NaN, infinite or huge. NaN must be an error that says so and moves no
// chain. With the others, Step must return an error, or keep positions within ±1,000 and the sum of a contour's θ at 1.
func checkHostile(j *judge, s Sampler) {
	// play does one step, in which gradients are 1 and energies 0.5, and returns the run and the positions. In the next
	// step of this run the last chain will have the given energy.
	play := func(energy float64) (g *run, before []float32) {
		g = s.run(j, s.lively(), j.noise)
		last := len(g.chains) - 1
		for p := range g.chains {
			step := 0
			g.chains[p].Target = posterior.TargetFunc(runDim, func(grad, x []float32) float64 {
				for i := range grad {
					grad[i] = 1
				}
				if step++; step == 2+s.Claims.Extra && p == last {
					return energy
				}
				return 0.5
			})
		}
		before = g.walk(1)
		return g, before
	}

	g, before := play(math.NaN())
	err := g.sampler.Step(g.chains)
	j.Promise("an energy that is not a number is an error", err != nil, "Step returns none")
	if err != nil {
		says := strings.Contains(err.Error(), "not a number") || strings.Contains(err.Error(), "NaN")
		j.Promise("the error says so", says, "it reads %q: want 'not a number' or NaN in it", err)
	}
	j.SameBits("no chain has moved", g.positions(), before)

	for _, energy := range []float64{math.Inf(1), math.Inf(-1), math.MaxFloat64} {
		g, _ := play(energy)
		err := errors.Join(g.sampler.Step(g.chains), g.sampler.Step(g.chains)) // an error is also acceptable
		bad := 0
		for _, x := range g.positions() {
			if err == nil && !(math.Abs(float64(x)) <= 1e3) {
				bad++
			}
		}
		j.Promise("an infinite energy does no harm", bad == 0,
			"after an energy of %g %d coordinates are beyond 1,000 or not a number", energy, bad)
		if err == nil && s.Claims.Contour {
			theta, _ := worked.Histogram(g.sampler)
			j.Near("Σθ after an infinite energy", floats.Sum(theta), 1, 1e-12)
		}
	}
}
