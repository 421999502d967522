package neural

import (
	"math"

	"banditsim/internal/state"
)

// extend makes n.Fields also call the function more, which saves or restores what a posterior has besides its network.
func (n *Network) extend(more func(*state.Codec)) {
	n.Fields = func(c *state.Codec) {
		c.Part(n.state)
		more(c)
	}
}

// state saves or restores buffer, chains, sampler and streams between rounds. It fails without n.sampler.MarshalBinary.
func (n *Network) state(c *state.Codec) {
	c.Int("rounds", &n.round, 0, math.MaxInt)
	state.Integer(c, "steps", &n.steps, 0, math.MaxInt)
	c.Part(n.buffer.State)
	c.Object(n.draws)
	for i := range n.chains {
		n.chainState(c, i)
	}
	if n.o.OwnScale {
		n.scale.state(c)
	}
	if n.inputs != nil {
		n.inputs.state(c)
	}
	if n.leverage != nil {
		n.leverage.State(c)
	}
	n.priors.state(c)
	if c.Reading() && n.o.OwnScale && n.buffer.IsDense() && n.inputs.used > 0 {
		n.buffer.Standardize(n.inputs.standardize)
	}
	c.Any("sampler", n.sampler)
}

// SaveChain returns chain i's state, except what the sampler holds. A process that moved the chain sends it to others.
func (n *Network) SaveChain(i int) ([]byte, error) {
	return state.Save(func(c *state.Codec) { n.chainState(c, i) })
}

// RestoreChain restores what SaveChain returned for a network with the same options, setup and pulls.
func (n *Network) RestoreChain(i int, b []byte) error {
	return state.Restore(b, func(c *state.Codec) { n.chainState(c, i) })
}

func (n *Network) chainState(c *state.Codec, i int) {
	chain := &n.chains[i]
	c.Float32s(chain.X)
	c.Float64(&chain.Energy)
	c.Float64(&chain.Multiplier)
	n.ranges[i].state(c)
	n.targets[i].state(c)
}

func (s *multiplierSum) state(c *state.Codec) {
	c.Int("multipliers", &s.n, 0, math.MaxInt)
	c.Float64(&s.low)
	c.Float64(&s.high)
	c.Float64(&s.sum)
}
