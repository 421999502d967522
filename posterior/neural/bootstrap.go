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
	// Counts is the law of how often a reward counts in a network: "poisson" (mean 1) or "double" (twice
	// or not at all, with probability 1/2 each).
	Counts string `json:"counts" enum:"poisson,double"`
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
			return BootstrapOptions{LangevinNetwork{Ensemble().Defaults().NetworkOptions, Ensemble().Defaults().Sampler}, "poisson"}
		},
		New:    BootstrapOptions.New,
		Small:  BootstrapOptions.Small,
		Claims: networkClaims,
		Draws:  true,
	}
}

// New returns the posterior before training.
func (o BootstrapOptions) New(setup posterior.Setup) (posterior.Posterior, error) {
	if err := check.OneOf("counts", o.Counts, "poisson", "double"); err != nil {
		return nil, fmt.Errorf("neural: %w", err)
	}
	n, err := o.network(setup)
	if err != nil {
		return nil, err
	}
	b := &bootstrap{n, o.Counts == "double", setup.Stream.Child("bootstrap")}
	for i := range n.chains {
		b.target(i).counts = make([]float64, o.Buffer)
	}
	return b, nil
}

// Small returns the options with a small network.
func (o BootstrapOptions) Small() BootstrapOptions {
	o.LangevinNetwork = o.LangevinNetwork.Small()
	return o
}

// bootstrap is the posterior that Bootstrap declares.
type bootstrap struct {
	*Network
	double bool
	rand   *stream.Stream // draws the counts
}

func (b *bootstrap) target(chain int) *regression { return b.chains[chain].Target.(*regression) }

// Observe adds a row to the replay buffer, and draws how often it counts in each network.
func (b *bootstrap) Observe(context []float32, arm int, reward float64) error {
	slot := b.buffer.Next()
	if err := b.Network.Observe(context, arm, reward); err != nil {
		return err
	}
	for i := range b.chains {
		count := b.rand.Poisson
		if b.double {
			count = func() int { return 2 * b.rand.IntN(2) }
		}
		b.target(i).counts[slot] = float64(count())
	}
	return nil
}

// MarshalBinary saves the network and the counts.
func (b *bootstrap) MarshalBinary() ([]byte, error) { return state.Save(b.state) }

// UnmarshalBinary restores the state that MarshalBinary saved.
func (b *bootstrap) UnmarshalBinary(saved []byte) error { return state.Restore(saved, b.state) }

func (b *bootstrap) state(c *state.Codec) {
	c.Object(b.Network)
	c.Object(b.rand)
	for i := range b.chains {
		c.Float64s(b.target(i).counts)
	}
}
