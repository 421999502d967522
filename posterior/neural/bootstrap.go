package neural

import (
	"fmt"

	"banditsim/bandit/stream"
	"banditsim/internal/check"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// BootstrapOptions are the options of Bootstrap.
type BootstrapOptions struct {
	LangevinNetwork
	// Counts is the distribution of the number of times that a reward counts in a network: "poisson" (mean 1),
	// "double" (0 or 2, with equal probability) or "once".
	Counts string `json:"counts" enum:"poisson,double,once"`
	// Noise is the standard deviation of the normal noise added to a reward, drawn once per network when the reward is
	// observed. It is in units of reward; with own_scale in units of the rewards' noise.
	Noise float64 `json:"noise,omitzero"`
}

// Bootstrap is the online bootstrap of networks: those of Ensemble, in each of which a reward counts a
// random number of times, drawn once when it is observed: from the Poisson distribution with mean 1 (Oza
// and Russell, AISTATS 2001), or twice or not at all (double-or-nothing: Owen and Eckles, Annals of Applied
// Statistics 6, 2012; bandits: Eckles and Kaptein 2014; networks: Osband et al., NeurIPS 2016). With nᵢ
// the count of row i in the network, its energy is Û(x) = (N/n) Σ nᵢ(f_x(cᵢ)[aᵢ] − rᵢ)².
func Bootstrap() posterior.Kind[BootstrapOptions] {
	return posterior.Kind[BootstrapOptions]{
		Name: "Bootstrap", Doc: "online bootstrap of networks: 10, in each of which a reward counts a random number of times",
		Defaults: func() BootstrapOptions {
			return BootstrapOptions{LangevinNetwork{Ensemble().Defaults().NetworkOptions, Ensemble().Defaults().Sampler}, "poisson", 0}
		},
		New:    BootstrapOptions.build,
		Small:  small((*BootstrapOptions).makeSmall),
		Claims: networkClaims,
		Draws:  true,
	}
}

// build validates the options and returns the posterior before training.
func (o BootstrapOptions) build(setup posterior.Setup) (posterior.Posterior, error) {
	if err := check.First(check.OneOf("counts", o.Counts, "poisson", "double", "once"), check.NotNegative("noise", o.Noise)); err != nil {
		return nil, fmt.Errorf("neural: %w", err)
	}
	b := &bootstrap{o: o, rand: setup.Stream.Child("bootstrap"), noise: setup.Stream.Child("noise"), normal: make([]float32, o.Chains)}
	var err error
	b.Network, err = newNetwork(o.NetworkOptions, setup, o.sampler, func(_ int, r *regression, x []float32) (chainTarget, []float32) {
		if o.Counts != "once" {
			r.counts = make([]float64, o.Buffer)
		}
		if o.Noise > 0 {
			r.noise = make([]float64, o.Buffer)
		}
		b.regressions = append(b.regressions, r)
		return r, x
	})
	if err != nil {
		return nil, err
	}
	return b, nil
}

// bootstrap is the posterior that Bootstrap declares.
type bootstrap struct {
	*Network
	o           BootstrapOptions
	regressions []*regression  // targets of the chains
	rand        *stream.Stream // draws the counts
	noise       *stream.Stream
	normal      []float32 // the noise of a reward, chain by chain
}

// Observe adds a row to the replay buffer, and draws how often it counts in each network, and its noise there.
func (b *bootstrap) Observe(context []float32, arm int, reward float64) error {
	slot := b.buffer.Next()
	if err := b.Network.Observe(context, arm, reward); err != nil {
		return err
	}
	if b.o.Noise > 0 {
		b.noise.Normals(b.normal)
	}
	for i, t := range b.regressions {
		switch b.o.Counts {
		case "poisson":
			t.counts[slot] = float64(b.rand.Poisson())
		case "double":
			t.counts[slot] = float64(2 * b.rand.IntN(2))
		}
		if b.o.Noise > 0 {
			t.noise[slot] = b.o.Noise * float64(b.normal[i])
		}
	}
	return nil
}

// MarshalBinary saves the network, the counts and the noise.
func (b *bootstrap) MarshalBinary() ([]byte, error) { return state.Save(b.state) }

// UnmarshalBinary restores the state that MarshalBinary saved.
func (b *bootstrap) UnmarshalBinary(saved []byte) error { return state.Restore(saved, b.state) }

func (b *bootstrap) state(c *state.Codec) {
	c.Object(b.Network)
	c.Object(b.rand)
	if b.o.Noise > 0 {
		c.Object(b.noise)
	}
	for _, t := range b.regressions {
		c.Float64s(t.counts)
		c.Float64s(t.noise)
	}
}
