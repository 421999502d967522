package claims

import (
	"fmt"
	"slices"

	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
	"banditsim/posterior/verify"
	"banditsim/posterior/verify/worked"
)

// checkHand follows the steps of the sampler that were worked out by hand.
func checkHand(j *judge, s Sampler) {
	for _, c := range s.worked() {
		j.Together(c.Name, func() { j.follow(s, &c) })
	}
}

func (j *judge) follow(s Sampler, c *worked.Case) {
	u := setup{c.Options, sgmcmc.Setup{Theta: c.Theta}}
	u.Chains, u.Dim, u.Stream = len(c.Start), len(c.Start[0]), j.Rand(c.Name)
	for p := range c.Start {
		u.Noise = append(u.Noise, &script{chain: p, lines: c.Noise})
	}
	g := s.start(u, c.Target, func(p int) []float32 { return narrow(c.Start[p]) })
	sampler, chains := g.sampler, g.chains
	for k, want := range c.After {
		verify.Must(sampler.Step(chains))
		for p, x := range want.X {
			for i, v := range x {
				j.Near(fmt.Sprintf("x%d of chain %d after step %d", i+1, p+1, k+1), float64(chains[p].X[i]), v, c.Tolerance)
			}
		}
		for p, m := range want.Multipliers {
			j.Near(fmt.Sprintf("multiplier of chain %d at step %d", p+1, k+1), chains[p].Multiplier, m, min(c.Tolerance, 1e-9))
		}
		if want.Theta == nil && want.Bins == nil {
			continue
		}
		theta, bins := histogram(sampler)
		for i, v := range want.Theta {
			j.Near(fmt.Sprintf("θ(%d) after step %d", i+1, k+1), theta[i], v, min(c.Tolerance, 1e-10))
		}
		if want.Bins != nil {
			j.Promise(fmt.Sprintf("bins at step %d", k+1), slices.Equal(bins, want.Bins), "%v, want %v", bins, want.Bins)
		}
	}
}

// histogram returns θ and the bins of a sampler with a contour.
func histogram(s posterior.Sampler) (theta []float64, bins []int) {
	h, ok := s.(posterior.Histogrammer)
	if !ok {
		verify.Failf("a contour is claimed, but %T is no posterior.Histogrammer", s)
	}
	theta, bins = h.Histogram()
	if theta == nil {
		verify.Failf("a contour is claimed, but Histogram of %T has no θ", s)
	}
	return theta, bins
}

// A script is a source of normals that returns given ones, one vector per call, and then zeros.
type script struct {
	chain int
	lines [][][]float64 // by step, then by chain
}

func (s *script) Normals(dst []float32) {
	clear(dst)
	if len(s.lines) > 0 {
		for i, v := range s.lines[0][s.chain] {
			dst[i] = float32(v)
		}
		s.lines = s.lines[1:]
	}
}

func narrow(x []float64) []float32 {
	y := make([]float32, len(x))
	for i, v := range x {
		y[i] = float32(v)
	}
	return y
}
