package claims

import (
	"math"
	"slices"

	"banditsim/bandit/stream"
	"banditsim/internal/verify"
	"banditsim/lab/density"
	"banditsim/posterior"
)

// An ensemble has many independent copies of one small target, called parts, and the samplers that run on them.
// A sampler that treats coordinates independently gets all parts in one long vector, which is fast. A sampler that
// does not (Claims.Coupled) is built many times, each time with a few parts.
type ensemble struct {
	runs       []*run
	unit       int         // number of coordinates of a part
	weights    [][]float64 // weight of each chain, by sampler
	replicates int         // number of independent replicates: all parts of all chains or, for a coupled sampler, the samplers
}

// Sizes of an ensemble of a coupled sampler.
const (
	coupledUnits      = 16  // number of parts in a vector
	coupledReplicates = 256 // number of vectors, which are independent: enough for reliable standard errors
)

// parts returns the number of parts of an ensemble: n, or a fixed number for a coupled sampler.
func (s Sampler) parts(n int) int {
	if s.Claims.Coupled {
		return coupledReplicates * coupledUnits
	}
	return n
}

// A product returns the target of one chain: n independent copies of a small target, with gradient noise from r.
type product func(n int, r *stream.Stream) posterior.Target

// ensemble returns an ensemble of at least n parts of unit coordinates; start sets x to a part's first position.
func (s Sampler) ensemble(n, unit int, u setup, r *stream.Stream, target product, start func(x []float32)) *ensemble {
	c := &ensemble{unit: unit}
	chains := s.count(1)
	samplers, parts := 1, (n+chains-1)/chains
	c.replicates = chains * parts // each part is a replicate: it has noise of its own, and no coordinate affects another
	if s.Claims.Coupled {
		parts = coupledUnits
		samplers = (n + parts - 1) / parts
		c.replicates = samplers
	}
	u.Chains, u.Dim = chains, parts*unit
	u.V = wide(u.V, u.Dim)
	for i := range samplers {
		own := r.Child("sampler", i)
		u.Stream, u.Noise = own, nil
		for p := range chains {
			u.Noise = append(u.Noise, density.NewBuffered(own.Child("chain", p, "noise")))
		}
		ofChain := func(p int) posterior.Target { return target(parts, own.Child("chain", p, "target")) }
		c.runs = append(c.runs, s.start(u, ofChain, func(int) []float32 {
			x := make([]float32, u.Dim)
			for k := 0; k < len(x); k += unit {
				start(x[k : k+unit])
			}
			return x
		}))
		c.weights = append(c.weights, slices.Repeat([]float64{1}, chains))
	}
	return c
}

// step moves all chains by a number of steps.
func (c *ensemble) step(steps int) {
	for _, g := range c.runs {
		for range steps {
			verify.Must(g.sampler.Step(g.chains))
		}
	}
}

// each calls f for every part of the chains, with the index of the part's replicate. vectors returns the positions or
// the momenta of a run, by chain. If there are several samplers, each leaves out chains with the weight 0. Other
// weights make no difference, because all positive weights in a sampler are equal.
func (c *ensemble) each(vectors func(*run) [][]float32, f func(replicate int, x []float32)) {
	coupled := len(c.runs) > 1
	for i, g := range c.runs {
		if w, ok := g.sampler.(posterior.Weigher); ok && coupled {
			w.Weights(c.weights[i])
		}
		for p, v := range vectors(g) {
			if c.weights[i][p] == 0 {
				continue
			}
			parts := len(v) / c.unit
			for k := range parts {
				replicate := i
				if !coupled {
					replicate = p*parts + k
				}
				f(replicate, v[k*c.unit:(k+1)*c.unit])
			}
		}
	}
}

// warmup returns after how many steps, in whole periods (Claims.Period), the correlation with the start is below 1e-6.
func (s Sampler) warmup(k, eps float64) int {
	return s.periods(14 * s.Claims.Memory(k, eps))
}

// span returns the number of steps over which the given number of coordinates must be averaged to estimate the variance
// with a relative standard error of 0.35 %. An extrapolation from two step sizes needs 2.5 times as many
// steps, or 3.5 times if chains swap positions. The long grade takes four times as many.
func (j *judge) span(s Sampler, coordinates int, k, eps float64) int {
	memories := 160_000.
	switch {
	case s.Claims.Variance == nil && s.Claims.Coupled && s.Claims.Chains > 1:
		memories = 560_000
	case s.Claims.Variance == nil:
		memories = 400_000
	}
	memories *= byGrade(j, 1., 4.)
	return s.periods(float64(memories/float64(coordinates)*s.Claims.Memory(k, eps)) + 200)
}

// periods rounds a number of steps up to whole periods.
func (s Sampler) periods(steps float64) int {
	p := s.Claims.Period
	return int(math.Ceil(steps/float64(p))) * p
}

// normals returns a function that sets vectors to independent normals with standard deviation sd.
func normals(r *stream.Stream, sd float64) func(x []float32) {
	b := density.NewBuffered(r)
	return func(x []float32) {
		b.Normals(x)
		for i := range x {
			x[i] *= float32(sd)
		}
	}
}
