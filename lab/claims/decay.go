package claims

import (
	"fmt"
	"math"

	"banditsim/bandit/stream"
	"banditsim/internal/verify"
	"banditsim/posterior"
)

// checkDecay compares a sampler whose learning rate has decayed with one that was built with that
// rate: bit for bit in drift and noise. Both first do a step that moves nothing, so that whatever
// a sampler allocates once is allocated.
func checkDecay(j *judge, s Sampler) {
	for _, rounds := range []int{1, 3} {
		const rate, decay = 0.25, 0.5 // exact in floating point
		late := rate * math.Pow(decay, float64(rounds))
		j.SameBits(fmt.Sprintf("after %d rounds", rounds), j.decayed(s, rate, decay, rounds), j.decayed(s, late, 1, 0))
	}
}

// decayed returns the path of a sampler after a number of rounds.
func (j *judge) decayed(s Sampler, rate, decay float64, rounds int) []float32 {
	u := s.setup(rate, 1, 0, 1)
	u.Decay = decay
	if !s.Claims.Density {
		u.Temperature = 0
	}
	g := s.run(j, u, own(j))
	if !s.Claims.Particles { // which move without a gradient
		g.rest(s, j, u)
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

// rest replaces the sampler by one that has done a step without gradient and noise.
func (g *run) rest(s Sampler, j *judge, u setup) {
	u.Chains, u.Dim, u.V, u.Stream = len(g.chains), runDim, wide(u.V, runDim), j.Rand("other")
	for p := range g.chains {
		u.Noise = append(u.Noise, &pausedNoise{rand: j.Rand("noise", p)})
	}
	sampler, err := s.build(u)
	verify.Must(err)
	var targets []posterior.Target
	for p := range g.chains {
		targets = append(targets, g.chains[p].Target)
		g.chains[p].Target = posterior.TargetFunc(runDim, func(grad, x []float32) float64 { clear(grad); return 0 })
	}
	verify.Must(sampler.Step(g.chains))
	for p := range g.chains {
		g.chains[p].Target = targets[p]
	}
	g.sampler = sampler
}

// pausedNoise returns zeros once, and then the normals of a stream.
type pausedNoise struct {
	rand  *stream.Stream
	began bool
}

func (n *pausedNoise) Normals(dst []float32) {
	if !n.began {
		n.began = true
		clear(dst)
		return
	}
	n.rand.Normals(dst)
}
