package claims

import (
	"fmt"

	"banditsim/bandit/stream"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// checkDecay compares a sampler whose learning rate has decayed with one that was built with that
// rate: bit for bit in drift and noise. Both first do a step that moves nothing, so that whatever
// a sampler allocates once is allocated.
func checkDecay(j *judge, s Sampler) error {
	for _, rounds := range []int{1, 3} {
		const rate, decay = 0.25, 0.5 // exact in floating point
		decayed, err := j.decayed(s, rate, decay, rounds)
		if err != nil {
			return err
		}
		late := rate
		for range rounds {
			late *= decay
		}
		built, err := j.decayed(s, late, 1, 0)
		if err != nil {
			return err
		}
		j.SameBits(fmt.Sprintf("after %d rounds", rounds), decayed, built)
	}
	return nil
}

// decayed returns the path of a sampler after a number of rounds.
func (j *judge) decayed(s Sampler, rate, decay float64, rounds int) ([]float32, error) {
	u := s.setup(rate, 1, 0, 1)
	u.Decay = decay
	if !s.Claims.Density {
		u.Temperature = 0
	}
	g, err := s.run(j, u, own(j))
	if err != nil {
		return nil, err
	}
	if !s.Claims.Particles { // which move without a gradient
		if err := g.rest(s, j, u); err != nil {
			return nil, err
		}
	}
	for r := range rounds {
		starter, ok := g.sampler.(posterior.RoundStarter)
		if !ok {
			return nil, fmt.Errorf("a decay is claimed, but %T is no posterior.RoundStarter", g.sampler)
		}
		starter.StartRound(r, 10)
	}
	return g.walk(runSteps)
}

// rest replaces the sampler by one that has done a step without gradient and noise.
func (g *run) rest(s Sampler, j *judge, u sgmcmc.Setup) error {
	u.Chains, u.Dim, u.V, u.Stream = len(g.chains), runDim, wide(u.V, runDim), j.Rand("other")
	for p := range g.chains {
		u.Noise = append(u.Noise, &pausedNoise{rand: j.Rand("noise", p)})
	}
	sampler, err := s.New(u)
	if err != nil {
		return err
	}
	var targets []posterior.Target
	for p := range g.chains {
		targets = append(targets, g.chains[p].Target)
		g.chains[p].Target = posterior.TargetFunc(runDim, func(grad, x []float32) float64 { clear(grad); return 0 })
	}
	if err := sampler.Step(g.chains); err != nil {
		return err
	}
	for p := range g.chains {
		g.chains[p].Target = targets[p]
	}
	g.sampler = sampler
	return nil
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
