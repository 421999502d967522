package main

import (
	"context"
	"errors"
	"fmt"

	"banditsim/bandit/diagnostics"
	"banditsim/internal/state"
	"banditsim/posterior"
	"banditsim/posterior/neural"
	"banditsim/posterior/sgmcmc"
)

// chains is a neural.Network whose chains are divided among several processes. Every process runs the whole trial with all pulls and
// rewards, which follow from the seed, but moves only its own chains. In each gradient step the processes share bins and θ; in each round
// they share predictions, and the root gets the energies, from which it computes the weights. Before a checkpoint the root gets the
// states of all chains, so that the checkpoint is the same as that of a trial in one process.
type chains struct {
	network *neural.Network // has all chains, but those of other ranks do not move here
	sampler *sampler
	link    *link
	arms    int
	rounds  int         // rounds of the trial
	whole   bool        // all chains of network have the state that they have at their ranks
	outputs [][]float32 // predictions by chain, at the root
}

// newChains returns the posterior of l's rank.
func newChains(o neural.LangevinOptions, setup posterior.Setup, l *link) (*chains, error) {
	if l.ranks > o.Chains {
		return nil, fmt.Errorf("nats: %d ranks share %d chains: want at most a rank for each chain", l.ranks, o.Chains)
	}
	c := &chains{link: l, arms: setup.Arms, rounds: setup.Rounds, whole: true, outputs: make([][]float32, o.Chains)}
	var err error
	c.network, err = neural.NewNetwork(o.NetworkOptions, setup, func(u sgmcmc.Setup) (posterior.Sampler, error) {
		c.sampler, err = c.newSampler(o.Sampler, u)
		return c.sampler, err
	})
	return c, err
}

// part returns the range of a rank's chains: from first to end − 1.
func part(rank, ranks, chains int) (first, end int) {
	return rank * chains / ranks, (rank + 1) * chains / ranks
}

var (
	_ posterior.Posterior     = (*chains)(nil)
	_ diagnostics.Reporter    = (*chains)(nil)
	_ diagnostics.StepCounter = (*chains)(nil)
)

// Observe adds a row to the replay buffer.
func (c *chains) Observe(x []float32, arm int, reward float64) error {
	return c.network.Observe(x, arm, reward)
}

// Diagnostics returns the diagnostics after the last Update. Only those of the root include all chains.
func (c *chains) Diagnostics() diagnostics.Round { return c.network.Diagnostics() }

// Steps returns the number of gradient steps so far, of all chains together.
func (c *chains) Steps() int64 { return c.network.Steps() }

// MarshalBinary returns the state in the form of a network in one process. It fails unless the root has the states of all chains.
func (c *chains) MarshalBinary() ([]byte, error) {
	if !c.whole {
		return nil, errors.New("nats: save: the chains of other ranks have moved on")
	}
	return c.network.MarshalBinary()
}

// UnmarshalBinary restores the result of MarshalBinary, of this type or of a network in one process.
func (c *chains) UnmarshalBinary(b []byte) error { return c.network.UnmarshalBinary(b) }

// The orders that the root sends to all ranks at the end of a round, as bits of a byte.
const (
	saveState = 1 << iota // send the states of the chains to the root
	endRun
)

// Update does the gradient steps of a round.
func (c *chains) Update(ctx context.Context) error {
	c.whole = false
	err := c.network.Update(ctx)
	if c.link.over(err) {
		return err
	}
	s, own := c.sampler, []byte{0}
	if c.link.signals.Err() != nil {
		own[0] = 1 // this rank is to end the run after a round
	}
	for p := s.first; p < min(s.end, len(s.chains)); p++ {
		own = appendFloats(own, []float64{s.chains[p].Energy})
	}
	answer, err := c.link.exchange(roundKind, own, c.failed(err), func(parts [][]byte) ([]byte, error) {
		asked := false
		for rank, b := range parts {
			first, end := part(rank, len(parts), len(s.chains))
			theirs := make([]float64, end-first)
			if len(b) == 0 {
				return nil, fmt.Errorf("nats: the end of a round of rank %d: nothing", rank)
			}
			if err := floats(theirs, b[1:]); err != nil {
				return nil, fmt.Errorf("nats: the end of a round of rank %d: %w", rank, err)
			}
			for i, energy := range theirs {
				s.chains[first+i].Energy = energy
			}
			asked = asked || b[0] != 0
		}
		s.setEnergies()
		return []byte{c.next(asked)}, nil
	})
	switch {
	case err != nil:
		return err
	case len(answer) != 1:
		return c.link.abort(fmt.Errorf("nats: the end of a round of rank 0: %d bytes, want 1", len(answer)))
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

// next returns the root's orders after this round.
func (c *chains) next(interrupted bool) (do byte) {
	round, every := c.network.Rounds(), c.link.checkpoint
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

// gather sends the states of this rank's chains to the root, which restores those of all others.
func (c *chains) gather() error {
	s := c.sampler
	own, err := state.Save(func(to *state.Codec) {
		for p := s.first; p < s.end && c.link.rank > 0; p++ {
			for _, save := range []func(int) ([]byte, error){c.network.SaveChain, s.SaveChain} {
				b, err := save(p)
				to.Fail(err)
				to.Blob(&b)
			}
		}
	})
	if err != nil {
		return c.link.abort(err)
	}
	parts, err := c.link.transfer(own)
	if err != nil || c.link.rank > 0 {
		return err
	}
	for rank := 1; rank < len(parts); rank++ {
		err := state.Restore(parts[rank], func(from *state.Codec) {
			for p, end := part(rank, len(parts), len(c.outputs)); p < end; p++ {
				for _, restore := range []func(int, []byte) error{c.network.RestoreChain, s.RestoreChain} {
					var b []byte
					if from.Blob(&b); from.Err() == nil {
						from.Fail(restore(p, b))
					}
				}
			}
		})
		if err != nil {
			return c.link.abort(fmt.Errorf("nats: the chains of rank %d: %w", rank, err))
		}
	}
	c.whole = true
	return nil
}

// Predict writes the value of every arm in every context to dst.
func (c *chains) Predict(dst []float64, contexts [][]float32, how posterior.Prediction) error {
	if err := how.Validate(); err != nil {
		return err
	}
	var own []byte
	out := make([]float32, len(contexts)*c.arms)
	for p := c.sampler.first; p < c.sampler.end; p++ {
		if err := c.network.Output(out, p, contexts, how); err != nil {
			return err
		}
		own = appendFloats(own, out)
	}
	answer, err := c.link.exchange(valuesKind, own, nil, func(parts [][]byte) ([]byte, error) {
		for rank, b := range parts {
			first, end := part(rank, len(parts), len(c.outputs))
			for p := first; p < end; p++ {
				var err error
				c.outputs[p] = make([]float32, len(out))
				if b, err = takeFloats(c.outputs[p], b); err != nil {
					return nil, fmt.Errorf("nats: predictions of rank %d: %w", rank, err)
				}
			}
		}
		if err := c.network.Combine(dst, c.outputs, how); err != nil {
			return nil, c.failed(err)
		}
		return appendFloats(nil, dst), nil
	})
	if err != nil {
		return err
	}
	if err := floats(dst, answer); err != nil {
		return c.link.abort(fmt.Errorf("nats: predictions of rank 0: %w", err))
	}
	return nil
}

// failed returns the failure to send to all ranks for an error of this rank's chains; nil if err is nil.
func (c *chains) failed(err error) *failure {
	if err == nil {
		return nil
	}
	return &failure{steps: c.Steps(), diverged: errors.Is(err, posterior.ErrDiverged), text: err.Error()}
}
