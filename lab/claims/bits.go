package claims

import (
	"banditsim/bandit/stream"
	"banditsim/internal/verify"
	"banditsim/posterior"
)

// run is a few chains of a sampler on a target with gradient noise, with all randomness from one
// stream.
type run struct {
	sampler posterior.Sampler
	chains  []posterior.Chain
}

const (
	runDim   = 7
	runSteps = 30
)

// run returns chains with roles: role i has the start, the gradient noise and the noise(i) of
// chain i, whatever its position. Without roles there are as many chains as few, in order.
func (s Sampler) run(j *judge, u setup, noise func(role int) *stream.Stream, roles ...int) *run {
	if roles == nil {
		for p := range s.few() {
			roles = append(roles, p)
		}
	}
	u.Chains, u.Dim, u.V, u.Stream = len(roles), runDim, wide(u.V, runDim), j.Rand("other")
	for _, role := range roles {
		u.Noise = append(u.Noise, noise(role))
	}
	return s.start(u, func(p int) posterior.Target { return gaussian(1, 0.5)(runDim, j.Rand("gradient", roles[p])) }, func(p int) []float32 {
		x := make([]float32, runDim)
		j.Rand("start", roles[p]).Normals(x)
		return x
	})
}

// start returns the sampler of a setup, with u.Chains chains that start at start(p) on target(p).
func (s Sampler) start(u setup, target func(p int) posterior.Target, start func(p int) []float32) *run {
	var g run
	for p := range u.Chains {
		g.chains = append(g.chains, posterior.NewChain(target(p), start(p)))
	}
	var err error
	g.sampler, err = s.build(u)
	verify.Must(err)
	return &g
}

// own returns the noise of each role.
func own(j *judge) func(role int) *stream.Stream {
	return func(role int) *stream.Stream { return j.Rand("noise", role) }
}

// few returns the number of chains for checks in which any will do.
func (s Sampler) few() int {
	if s.Claims.Chains > 0 {
		return s.Claims.Chains
	}
	return 3
}

// lively returns a setup in which every part that the sampler claims has an effect.
func (s Sampler) lively(j *judge) setup {
	eps, temp := 0.1, 1.0
	if !s.Claims.Density && s.Claims.ZeroTemperature {
		temp = 0
	}
	u := s.setup(eps, temp, 0, 1)
	if s.Claims.Preconditioner {
		u.Preconditioner.Alpha, u.V = 0.1, nil
	}
	if s.Claims.Contour {
		u.Contour.Zeta = 0.75
	}
	return u
}

// walk does steps and returns all positions after each.
func (g *run) walk(steps int) []float32 {
	var path []float32
	for range steps {
		verify.Must(g.sampler.Step(g.chains))
		for _, c := range g.chains {
			path = append(path, c.X...)
		}
	}
	return path
}

// checkBits: steps depend on the given noise and on nothing else.
func checkBits(j *judge, s Sampler) {
	path := func(u setup, noise func(chain int) *stream.Stream) []float32 {
		return s.run(j, u, noise).walk(runSteps)
	}
	u := s.lively(j)
	first := path(u, own(j))
	again := path(u, own(j))
	j.SameBits("the same noise twice", again, first)

	u.Parallel = verify.SideBySide
	parallel := path(u, own(j))
	j.SameBits("chains side by side", parallel, first)
	u.Parallel = nil

	if s.Claims.Particles || u.Temperature == 0 {
		return // no noise
	}
	// Other noise for the last chain must move it elsewhere. If chains do not interact, the
	// others must not change.
	chains := s.few()
	other := path(u, func(chain int) *stream.Stream {
		if chain == chains-1 {
			return j.Rand("other noise")
		}
		return own(j)(chain)
	})
	same := 0
	for i := len(first) - runDim; i < len(first); i++ { // after the last step: some samplers reject moves, the first with either noise
		if other[i] == first[i] {
			same++
		}
	}
	j.Promise("other noise moves a chain elsewhere", same == 0, "%d of %d coordinates are the same after %d steps with other noise", same, runDim, runSteps)
	at := (chains - 1) * runDim // offset of the last chain after the first step
	j.SameBits("other chains do not use the noise of one", other[:at], first[:at])
	for p := range chains {
		for q := range p {
			if first[p*runDim] == first[q*runDim] {
				j.Promise("chains differ", false, "chains %d and %d are in the same place after a step", q+1, p+1)
				return
			}
		}
	}
	j.Promise("chains differ", true, "")
}
