package sgmcmc

import (
	"banditsim/internal/check"
	"banditsim/internal/state"
	"banditsim/posterior"
)

func noiseState(c *state.Codec, noise []posterior.Normals) {
	for _, n := range noise {
		c.Any("noise", n)
	}
}

// vectorState is a vector for each chain; none before the first step.
func vectorState(c *state.Codec, what string, vectors *[][]float32) {
	state.Slice(c, "vectors of "+what, vectors, check.MaxChains, func(v *[]float32) {
		*v = state.Resize(c, "length of a vector of "+what, *v, check.MaxNumbers)
		c.Float32s(*v)
	})
}
