package main

import (
	"encoding"
	"fmt"
	"math"

	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// A sampler is a Langevin sampler that has all chains of the trial but moves only the chains of one rank.
type sampler struct {
	*sgmcmc.Langevin
	first, end int                  // half-open range of this rank's chains
	contour    *contour             // nil if the sampler has no contour
	chains     []posterior.Chain    // all chains of the trial; nil before the first step
	failed     func(error) *failure // chains.failed
}

var (
	_ posterior.Sampler      = (*sampler)(nil)
	_ posterior.Weigher      = (*sampler)(nil)
	_ posterior.Histogrammer = (*sampler)(nil)
	_ posterior.RoundStarter = (*sampler)(nil)
)

// newSampler returns the sampler of this rank for the options and setup of the trial.
func (c *chains) newSampler(o sgmcmc.LangevinOptions, u sgmcmc.Setup) (*sampler, error) {
	s := &sampler{failed: c.failed}
	s.first, s.end = part(c.link.rank, c.link.ranks, u.Chains)
	parallel := u.Parallel
	u.Parallel = func(_ int, f func(int)) { parallel.Do(s.end-s.first, func(i int) { f(s.first + i) }) }
	var err error
	if s.Langevin, err = sgmcmc.NewLangevin(o, u); err != nil || s.Contour == nil {
		return s, err
	}
	h, ok := s.Contour.(histogram)
	if !ok {
		return nil, fmt.Errorf("nats: contour.kind %q: chains in several processes cannot share a %T", o.Contour.Kind, s.Contour)
	}
	s.contour = &contour{histogram: h, link: c.link, first: s.first, end: s.end}
	s.Langevin.Contour = s.contour
	return s, nil
}

// Step moves the chains of this rank. If the chains share a contour (an energy histogram) and a chain of any rank
// diverges, Step returns the same error at all ranks.
func (s *sampler) Step(chains []posterior.Chain) error {
	s.chains = chains
	err := s.Langevin.Step(chains)
	if s.contour == nil {
		return err // chains.Update sends err to the other ranks at the end of the round
	}
	if err != nil { // Meet was not called, but the other ranks wait for the bins of this rank
		_, s.contour.err = s.contour.link.exchange(binsKind, nil, s.failed(err), nil)
	}
	return s.contour.err
}

// A histogram is a contour whose update needs only the bins of the energies, not the energies.
type histogram interface {
	sgmcmc.Contour
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
	posterior.RoundStarter
	// Bin returns the bin of an energy, numbered like the bins that State returns.
	Bin(energy float64) int
	// Visit updates the contour with all chains' bins, and sets the chains' multipliers. theta, if not nil, becomes θ.
	Visit(multipliers []float64, bins []int, theta []float64)
}

var _ histogram = (*sgmcmc.Histogram)(nil)

// A contour is a histogram that all ranks' chains share. The root updates θ with all chains' bins; workers copy it.
type contour struct {
	histogram  // has all chains
	link       *link
	first, end int   // half-open range of this rank's chains
	bins       []int // bins of all chains; at a worker only those of this rank's chains are up to date
	err        error // error of the last Meet
}

// Meet sends the bins of this rank's chains to the root and updates the contour: the root with the bins of all chains,
// a worker with the root's θ. It sets c.err.
func (c *contour) Meet(multipliers, energies []float64) {
	theta, bins := c.State()
	c.bins = append(c.bins[:0], bins...)
	var own []int32
	for p := c.first; p < c.end; p++ {
		c.bins[p] = c.Bin(energies[p])
		own = append(own, int32(c.bins[p]))
	}
	low := min(c.Bin(math.Inf(-1)), c.Bin(math.Inf(1)))
	answer, err := c.link.exchange(binsKind, encode(own), nil, func(parts [][]byte) ([]byte, error) {
		all, err := ofChains[int32](parts, len(c.bins), 1)
		if err != nil {
			return nil, fmt.Errorf("nats: bins %w", err)
		}
		for p, j := range all {
			if c.bins[p] = int(j); c.bins[p] < low || c.bins[p] > len(theta) {
				return nil, fmt.Errorf("nats: the bin of chain %d: %d, want %d to %d", p, j, low, len(theta))
			}
		}
		c.Visit(multipliers, c.bins, nil)
		theta, _ := c.State()
		return encode(theta), nil
	})
	if err == nil && c.link.rank > 0 {
		followed := make([]float64, len(theta))
		if err = decodeAll(followed, answer); err != nil {
			err = c.link.abort(fmt.Errorf("nats: θ of rank 0: %w", err))
		} else {
			c.Visit(multipliers, c.bins, followed)
		}
	}
	c.err = err
}
