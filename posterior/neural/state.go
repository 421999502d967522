package neural

import (
	"encoding"
	"fmt"
	"math"

	"banditsim/internal/state"
)

var (
	_ encoding.BinaryMarshaler   = (*Network)(nil)
	_ encoding.BinaryUnmarshaler = (*Network)(nil)
)

// saved is the target of a network's chain.
type saved interface {
	save(w *state.Writer)
	restore(r *state.Reader)
}

// MarshalBinary returns the whole state between two rounds: buffer, chains, sampler and streams.
// A sampler without MarshalBinary is an error.
func (n *Network) MarshalBinary() ([]byte, error) {
	var w state.Writer
	w.Int(n.round)
	w.Int(int(n.steps))
	w.Object(n.buffer)
	w.Object(n.draws)
	for i := range n.chains {
		n.saveChain(&w, i)
	}
	if n.scale != nil {
		n.scale.save(&w)
	} else if n.inputs != nil {
		n.inputs.save(&w)
	}
	if n.coverage != nil {
		n.coverage.save(&w)
	}
	w.Any("sampler", n.sampler)
	return w.Bytes()
}

// UnmarshalBinary restores a posterior that was made with the same options and setup. After an
// error the posterior must not be used.
func (n *Network) UnmarshalBinary(b []byte) error {
	r := state.NewReader(b)
	n.round = r.Int("rounds", 0, math.MaxInt)
	n.steps = int64(r.Int("steps", 0, math.MaxInt))
	r.Object(n.buffer)
	r.Object(n.draws)
	for i := range n.chains {
		n.restoreChain(r, i)
	}
	if n.scale != nil {
		n.scale.restore(r)
	} else if n.inputs != nil {
		n.inputs.restore(r)
	}
	if n.coverage != nil {
		n.coverage.restore(r)
	}
	if n.scale != nil && n.buffer.dense != nil && n.scale.inputs.used > 0 {
		n.buffer.standardize(&n.scale.inputs)
	}
	r.Any("sampler", n.sampler)
	if err := r.Close(); err != nil {
		return fmt.Errorf("neural: restore: %w", err)
	}
	return n.buffer.checkArms(n.arms)
}

// SaveChain returns the state of chain i alone, without what the sampler has of it: another process may have moved it.
func (n *Network) SaveChain(i int) ([]byte, error) {
	var w state.Writer
	n.saveChain(&w, i)
	return w.Bytes()
}

// RestoreChain restores what SaveChain returned in another network of the same options, setup and pulls.
func (n *Network) RestoreChain(i int, b []byte) error {
	r := state.NewReader(b)
	n.restoreChain(r, i)
	return r.Close()
}

func (n *Network) saveChain(w *state.Writer, i int) {
	c := &n.chains[i]
	w.Float32s(c.X)
	w.Float64(c.Energy)
	w.Float64(c.Multiplier)
	n.ranges[i].save(w)
	c.Target.(saved).save(w)
}

func (n *Network) restoreChain(r *state.Reader, i int) {
	c := &n.chains[i]
	r.Float32s(c.X)
	c.Energy = r.Float64()
	c.Multiplier = r.Float64()
	n.ranges[i].restore(r)
	c.Target.(saved).restore(r)
}

func (s *multiplierSum) save(w *state.Writer) {
	w.Int(s.n)
	w.Float64(s.low)
	w.Float64(s.high)
	w.Float64(s.sum)
}

func (s *multiplierSum) restore(r *state.Reader) {
	s.n = r.Int("multipliers", 0, math.MaxInt)
	s.low, s.high, s.sum = r.Float64(), r.Float64(), r.Float64()
}

// checkArms returns an error if a row's arm does not exist.
func (b *replay) checkArms(arms int) error {
	for _, s := range b.slots[:b.n] {
		if int(s.arm) >= arms {
			return fmt.Errorf("neural: restore: arm %d, want 0 to %d", s.arm, arms-1)
		}
	}
	return nil
}
