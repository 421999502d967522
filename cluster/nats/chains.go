package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"banditsim/bandit/diagnostics"
	"banditsim/internal/state"
	"banditsim/posterior"
	"banditsim/posterior/neural"
	"banditsim/posterior/sgmcmc"
)

// chains is a neural.Network with its chains divided among several processes. Each process runs the whole trial with
// all pulls and rewards, which follow from the seed, but moves only its own chains. If the chains share a contour,
// workers send their chains' energy bins to the root (rank 0) in each gradient step, and it sends back θ. In each round
// the processes exchange predictions, and workers send energies to the root, which computes the weights. Before a
// checkpoint workers send their chains' states to the root, so that it equals that of a trial in one process.
type chains struct {
	*neural.Network // has all chains, but moves only those of this rank
	sampler         *sampler
	link            *link
	arms            int
	rounds          int  // rounds of the trial
	chains          int  // total number of chains, over all ranks
	whole           bool // Network has the current states of the other ranks' chains
}

// newChains returns the posterior for the rank of l.
func newChains(o neural.LangevinOptions, setup posterior.Setup, l *link) (*chains, error) {
	if l.ranks > o.Chains {
		return nil, fmt.Errorf("nats: %d ranks share %d chains: want at most a rank for each chain", l.ranks, o.Chains)
	}
	c := &chains{link: l, arms: setup.Arms, rounds: setup.Rounds, chains: o.Chains, whole: true}
	var err error
	c.Network, err = neural.NewNetwork(o.NetworkOptions, setup, func(u sgmcmc.Setup) (posterior.Sampler, error) {
		c.sampler, err = c.newSampler(o.Sampler, u)
		return c.sampler, err
	})
	return c, err
}

var (
	_ posterior.Posterior     = (*chains)(nil)
	_ diagnostics.Reporter    = (*chains)(nil)
	_ diagnostics.StepCounter = (*chains)(nil)
)

// DrawSamples returns an error: it would need the chains of all ranks.
func (c *chains) DrawSamples([]float64, [][]float32) error { return errors.ErrUnsupported }

// MarshalBinary returns the state that a network with all chains in one process would have. It returns an error if the
// chains of other ranks have moved since the last call of gather, which restores them in c.
func (c *chains) MarshalBinary() ([]byte, error) {
	if !c.whole {
		return nil, errors.New("nats: save: the chains of other ranks have moved on")
	}
	return c.Network.MarshalBinary()
}

// Orders of the root to all ranks at the end of a round, as bits of a byte.
const (
	saveState = 1 << iota // send the states of the chains to the root
	endRun
)

// Update does the gradient steps of a round. It then sends energies to the root and follows the orders of the root.
func (c *chains) Update(ctx context.Context) error {
	c.whole = false
	err := c.Network.Update(ctx)
	if c.link.over(err) {
		return err
	}
	s, own := c.sampler, []byte{0}
	if c.link.signals.Err() != nil {
		own[0] = 1 // asks the root to end the run after this round
	}
	for p := s.first; p < min(s.end, len(s.chains)); p++ {
		own = append(own, encode(s.chains[p].Energy)...)
	}
	answer, err := c.link.exchange(roundKind, own, c.failed(err), func(parts [][]byte) ([]byte, error) {
		asked := false
		for rank, b := range parts {
			asked, parts[rank] = asked || b[0] != 0, b[1:]
		}
		energies, err := ofChains[float64](parts, len(s.chains), 1)
		if err != nil {
			return nil, fmt.Errorf("nats: energies %w", err)
		}
		for p, energy := range energies {
			s.chains[p].Energy = energy
		}
		if s.contour != nil {
			if h, ok := s.contour.histogram.(interface{ SetEnergies([]float64) }); ok { // the weights may depend on energies
				h.SetEnergies(energies)
			}
		}
		return []byte{c.next(asked)}, nil
	})
	if err != nil {
		return err
	}
	if answer[0]&saveState != 0 {
		if err := c.gather(); err != nil {
			return err
		}
	}
	if answer[0]&endRun != 0 {
		c.link.cancel(errInterrupted)
	}
	return nil
}

// next returns the root's orders at the end of this round; interrupted reports whether any rank was interrupted.
func (c *chains) next(interrupted bool) (do byte) {
	round, every := c.Rounds(), c.link.checkpoint
	if round == c.rounds {
		return 0
	}
	if interrupted {
		do |= endRun
	}
	if every > 0 && (interrupted || round%every == 0) {
		do |= saveState
	}
	return do
}

// gather sends the states of this rank's chains to the root. At the root it restores the chains of all other ranks.
func (c *chains) gather() error {
	var own []byte
	var err error
	if c.link.rank > 0 {
		own, err = state.Save(c.states(c.link.rank))
	}
	if err != nil {
		return c.link.abort(err)
	}
	parts, err := c.link.transfer(own)
	if err != nil || c.link.rank > 0 {
		return err
	}
	for rank := 1; rank < len(parts); rank++ {
		if err := state.Restore(parts[rank], c.states(rank)); err != nil {
			return c.link.abort(fmt.Errorf("nats: the chains of rank %d: %w", rank, err))
		}
	}
	c.whole = true
	return nil
}

// states returns a function that passes the states of a rank's chains to a codec.
func (c *chains) states(rank int) func(*state.Codec) {
	return func(codec *state.Codec) {
		for p, end := part(rank, c.link.ranks, c.chains); p < end; p++ {
			for _, owner := range []interface {
				SaveChain(int) ([]byte, error)
				RestoreChain(int, []byte) error
			}{c.Network, c.sampler} {
				b, err := owner.SaveChain(p) // if codec is restoring, Blob replaces b by the saved bytes
				codec.Fail(err)
				if codec.Blob(&b); codec.Reading() && codec.Err() == nil {
					codec.Fail(owner.RestoreChain(p, b))
				}
			}
		}
	}
}

// Predict writes the value of every arm in every context to dst.
func (c *chains) Predict(dst []float64, contexts [][]float32, how posterior.Prediction) error {
	if err := how.Validate(); err != nil {
		return err
	}
	var own []byte
	out := make([]float32, len(contexts)*c.arms)
	for p := c.sampler.first; p < c.sampler.end; p++ {
		if err := c.Output(out, p, contexts, how); err != nil {
			return err
		}
		own = append(own, encode(out)...)
	}
	answer, err := c.link.exchange(valuesKind, own, nil, func(parts [][]byte) ([]byte, error) {
		outputs, err := ofChains[float32](parts, c.chains, len(out))
		if err != nil {
			return nil, fmt.Errorf("nats: predictions %w", err)
		}
		if err := c.Combine(dst, slices.Collect(slices.Chunk(outputs, len(out))), how); err != nil {
			return nil, c.failed(err)
		}
		return encode(dst), nil
	})
	if err != nil {
		return err
	}
	if err := decodeAll(dst, answer); err != nil {
		return c.link.abort(fmt.Errorf("nats: predictions of rank 0: %w", err))
	}
	return nil
}

// failed converts an error of this rank's chains to the failure sent to all ranks. It returns nil if err is nil.
func (c *chains) failed(err error) *failure {
	if err == nil {
		return nil
	}
	return &failure{c.Steps(), errors.Is(err, posterior.ErrDiverged), err.Error()}
}
