package main

import (
	"context"
	"encoding/binary"
	"fmt"

	"banditsim/posterior"
	"banditsim/posterior/neural"
	"banditsim/posterior/sgmcmc"
)

// chains is a neural.Network whose chains are moved by several processes, each of which has a part of them. Every
// process plays the whole trial, with all pulls and rewards, which follow from the seed. They share what the paper's
// do: in each step bins and θ, in each round predictions and weights; and for the record the energies of a
// round's end.
type chains struct {
	network *neural.Network // of all chains; those of other ranks do not move
	sampler *sampler
	link    *link
	arms    int
	outputs [][]float32 // of all chains, at the root
}

// newChains returns the posterior of a rank. It validates the options.
func newChains(o neural.LangevinOptions, setup posterior.Setup, l *link) (*chains, error) {
	if err := o.Validate(); err != nil {
		return nil, fmt.Errorf("nats: %w", err)
	}
	if err := distributable(o, l.ranks); err != nil {
		return nil, fmt.Errorf("nats: %w", err)
	}
	c := &chains{link: l, arms: setup.Arms, outputs: make([][]float32, o.Chains)}
	var err error
	c.network, err = neural.NewNetwork(o.NetworkOptions, setup, func(u sgmcmc.Setup) (posterior.Sampler, error) {
		u.LangevinOptions = o.LangevinOptions
		c.sampler, err = newSampler(u, l)
		return c.sampler, err
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

// distributable returns an error if the chains of these options cannot be shared by so many ranks.
func distributable(o neural.LangevinOptions, ranks int) error {
	switch {
	case ranks > o.Chains:
		return fmt.Errorf("%d ranks share %d chains: want at most a rank for each chain", ranks, o.Chains)
	case o.Contour.Kind == "off":
		return nil
	case o.Contour.Kind != "paper":
		return fmt.Errorf("contour.kind %q: chains in several processes want paper or off", o.Contour.Kind)
	case o.Contour.Weights != "theta":
		return fmt.Errorf("contour.weights %q: chains in several processes want theta, as they share bins and no energies", o.Contour.Weights)
	case o.Contour.Energy != "batch":
		return fmt.Errorf("contour.energy %q: chains in several processes want batch", o.Contour.Energy)
	}
	return nil
}

// part returns the first chain of a rank and the one after its last.
func part(rank, ranks, chains int) (first, end int) {
	return rank * chains / ranks, (rank + 1) * chains / ranks
}

var (
	_ posterior.Posterior   = (*chains)(nil)
	_ posterior.Diagnoser   = (*chains)(nil)
	_ posterior.StepCounter = (*chains)(nil)
)

// Observe adds a row to the replay buffer.
func (c *chains) Observe(context []float32, arm int, reward float64) error {
	return c.network.Observe(context, arm, reward)
}

// Diagnostics returns the state after the last Update: at the root, of all chains.
func (c *chains) Diagnostics() posterior.Diagnostics { return c.network.Diagnostics() }

// Steps returns the number of gradient steps so far, of all chains together.
func (c *chains) Steps() int64 { return c.network.Steps() }

// Update does the gradient steps of a round.
func (c *chains) Update(ctx context.Context) error {
	before, s := c.Steps(), c.sampler
	if err := c.network.Update(ctx); err != nil || c.Steps() == before {
		return err
	}
	weights := make([]float64, len(s.chains))
	s.Langevin.Weights(weights)
	own := make([]float64, 0, 2*(s.end-s.first))
	for p := s.first; p < s.end; p++ {
		own = append(own, s.chains[p].Energy, weights[p])
	}
	_, err := c.link.exchange(roundKind, appendFloats(nil, own), func(parts [][]byte) ([]byte, error) {
		for rank, b := range parts {
			first, end := part(rank, len(parts), len(s.chains))
			theirs := make([]float64, 2*(end-first))
			if err := floats(theirs, b); err != nil {
				return nil, fmt.Errorf("nats: the end of a round of rank %d: %w", rank, err)
			}
			for p := first; p < end; p++ {
				s.chains[p].Energy, s.weights[p] = theirs[2*(p-first)], theirs[2*(p-first)+1]
			}
		}
		return nil, nil
	})
	return err
}

// Predict writes the value of every arm in every context to dst.
func (c *chains) Predict(dst []float64, contexts [][]float32, how posterior.Predict) error {
	if err := how.Validate(); err != nil {
		return err
	}
	var own []byte
	out := make([]float32, len(contexts)*c.arms)
	for p := c.sampler.first; p < c.sampler.end; p++ {
		if err := c.network.Output(out, p, contexts, how); err != nil {
			return err
		}
		own = appendFloat32s(own, out)
	}
	answer, err := c.link.exchange(valuesKind, own, func(parts [][]byte) ([]byte, error) {
		for rank, b := range parts {
			first, end := part(rank, len(parts), len(c.outputs))
			for p := first; p < end; p++ {
				var err error
				c.outputs[p] = make([]float32, len(out))
				if b, err = takeFloat32s(c.outputs[p], b); err != nil {
					return nil, fmt.Errorf("nats: predictions of rank %d: %w", rank, err)
				}
			}
		}
		if err := c.network.Combine(dst, c.outputs, how); err != nil {
			return nil, err
		}
		return appendFloats(nil, dst), nil
	})
	if err != nil {
		return err
	}
	return floats(dst, answer)
}

// sampler is a Langevin sampler that moves the chains of one rank out of all of a trial's.
type sampler struct {
	*sgmcmc.Langevin
	first, end int               // its chains
	contour    *contour          // nil without one
	chains     []posterior.Chain // of the trial
	weights    []float64         // of all chains, at the root
}

var (
	_ posterior.Sampler      = (*sampler)(nil)
	_ posterior.Weigher      = (*sampler)(nil)
	_ posterior.Histogrammer = (*sampler)(nil)
	_ posterior.RoundStarter = (*sampler)(nil)
)

func newSampler(u sgmcmc.Setup, l *link) (*sampler, error) {
	s := &sampler{weights: make([]float64, u.Chains)}
	s.first, s.end = part(l.rank, l.ranks, u.Chains)
	for p := range s.weights {
		s.weights[p] = 1
	}
	own := u
	own.Chains, own.Noise, own.Contour.Kind = s.end-s.first, u.Noise[s.first:s.end], "off"
	var err error
	if s.Langevin, err = sgmcmc.NewLangevin(own); err != nil || u.Contour.Kind == "off" {
		return s, err
	}
	h, err := sgmcmc.NewHistogram(u.Contour, u.Temperature, u.Chains)
	if err != nil {
		return nil, err
	}
	s.contour = &contour{Histogram: h, link: l, first: s.first, bins: make([]int, u.Chains)}
	s.Langevin.Contour = s.contour
	return s, nil
}

// Step moves the chains of this rank.
func (s *sampler) Step(chains []posterior.Chain) error {
	s.chains = chains
	err := s.Langevin.Step(chains[s.first:s.end])
	if s.contour == nil {
		return err
	}
	if s.contour.err != nil {
		return s.contour.err
	}
	for p, j := range s.contour.bins { // for the record: the other ranks' too, at the root
		chains[p].Multiplier = s.contour.Multiplier(j)
	}
	return err
}

// Weights sets the weights that the ranks sent at the end of the last round.
func (s *sampler) Weights(weights []float64) { copy(weights, s.weights) }

// contour is a histogram that the chains of several ranks share. The root's learns by the bins of all; the others follow its θ.
type contour struct {
	*sgmcmc.Histogram // for all chains
	link              *link
	first             int   // chain of this rank
	bins              []int // of all chains at the root, elsewhere of this rank's
	err               error // of Meet
}

var _ sgmcmc.Contour = (*contour)(nil)

// StartRound starts the round of the root's histogram.
func (c *contour) StartRound(ended, rounds int) {
	if c.link.rank == 0 {
		c.Histogram.StartRound(ended, rounds)
	}
}

// Meet sends the bins of this rank's chains and sets their multipliers by the θ that comes back. After an error, which is in
// c.err, it does nothing.
func (c *contour) Meet(multipliers, energies []float64) {
	if c.err != nil {
		return
	}
	var own []byte
	for i, energy := range energies {
		c.bins[c.first+i] = c.Bin(energy)
		own = binary.LittleEndian.AppendUint32(own, uint32(c.bins[c.first+i]))
	}
	theta, _ := c.State()
	var answer []byte
	answer, c.err = c.link.exchange(binsKind, own, func(parts [][]byte) ([]byte, error) {
		for rank, b := range parts {
			first, end := part(rank, len(parts), len(c.bins))
			if len(b) != 4*(end-first) {
				return nil, fmt.Errorf("nats: bins of rank %d: %d bytes, want %d", rank, len(b), 4*(end-first))
			}
			for p := first; p < end; p++ {
				j := binary.LittleEndian.Uint32(b[4*(p-first):])
				if j > uint32(len(theta)) {
					return nil, fmt.Errorf("nats: bins of rank %d: %d, want 0 to %d", rank, j, len(theta))
				}
				c.bins[p] = int(j)
			}
		}
		c.Visit(c.bins)
		return appendFloats(nil, theta), nil
	})
	if c.err == nil && c.link.rank > 0 {
		c.err = c.follow(answer, len(theta))
	}
	for i := range energies {
		multipliers[i] = c.Multiplier(c.bins[c.first+i])
	}
}

// follow sets θ to the root's.
func (c *contour) follow(answer []byte, bins int) error {
	theta := make([]float64, bins)
	if err := floats(theta, answer); err != nil {
		return fmt.Errorf("nats: θ of rank 0: %w", err)
	}
	c.Follow(theta)
	c.Visit(c.bins)
	return nil
}
