package neural

import (
	"banditsim/bandit/stream"
	"banditsim/internal/check"
	"banditsim/internal/state"
	"banditsim/posterior"
)

type bootstrapOptions struct {
	langevinNetwork
	// Counts is the distribution of the number of times that a network counts a reward: "poisson" (mean 1), "double" (0
	// or 2, with equal probability) or "once".
	Counts string `json:"counts" enum:"poisson,double,once"`
	// Noise is the standard deviation of the normal noise added to a reward, drawn once per network when the reward is
	// observed. It is in units of reward; with own_scale in units of the rewards' noise.
	Noise float64 `json:"noise,omitzero"`
}

// Bootstrap is the online bootstrap of networks. The networks are those of Ensemble, but in each of them a reward
// counts a random number of times, drawn once when the reward is observed: from the Poisson distribution with mean 1
// (Oza and Russell, AISTATS 2001), or twice or not at all (double-or-nothing: Owen and Eckles, Annals of Applied
// Statistics 6, 2012; bandits: Eckles and Kaptein 2014; networks: Osband et al., NeurIPS 2016). If row i counts nᵢ
// times in a network, its energy is Û(x) = (N/n) Σ nᵢ(f_x(cᵢ)[aᵢ] − rᵢ)², in the symbols of type regression.
func Bootstrap() posterior.Kind[bootstrapOptions] {
	k := kind("Bootstrap", "online bootstrap of networks: 10, in each of which a reward counts a random number of times", func() bootstrapOptions {
		return bootstrapOptions{langevinNetwork{Ensemble().Defaults().NetworkOptions, Ensemble().Defaults().Sampler}, "poisson", 0}
	}, bootstrapOptions.build, (*bootstrapOptions).makeSmall)
	k.Claims = networkClaims
	return k
}

func (o bootstrapOptions) build(setup posterior.Setup) (*bootstrap, error) {
	b := &bootstrap{o: o, rand: setup.Stream.Child("bootstrap"), noise: setup.Stream.Child("noise")}
	var err error
	b.Network, err = o.network(setup, func(_ int, r *regression, x []float32) (chainTarget, []float32) {
		if o.Counts != "once" {
			r.counts = make([]float64, o.Buffer)
		}
		if o.Noise > 0 {
			r.noise = make([]float64, o.Buffer)
		}
		return r, x
	}, check.OneOf("counts", o.Counts, "poisson", "double", "once"), check.NotNegative("noise", o.Noise))
	if err != nil {
		return nil, err
	}
	b.normal = make([]float32, o.Chains)
	b.extend(b.state)
	return b, nil
}

type bootstrap struct {
	*Network
	o      bootstrapOptions
	rand   *stream.Stream // draws the counts
	noise  *stream.Stream // draws the noise
	normal []float32      // the noise of a reward, chain by chain
}

// Observe adds a row to the replay buffer. It draws, for each network, the row's count and the noise of its reward.
func (b *bootstrap) Observe(context []float32, arm int, reward float64) error {
	slot := b.buffer.Next
	if err := b.Network.Observe(context, arm, reward); err != nil {
		return err
	}
	if b.o.Noise > 0 {
		b.noise.Normals(b.normal)
	}
	for i, t := range b.data {
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

func (b *bootstrap) state(c *state.Codec) {
	c.Object(b.rand)
	if b.o.Noise > 0 {
		c.Object(b.noise)
	}
	for _, t := range b.data {
		c.Float64s(t.counts)
		c.Float64s(t.noise)
	}
}

// Ensemble is a deep ensemble (Lakshminarayanan, Pritzel and Blundell, NeurIPS 2017): networks with different initial
// parameters, each trained on batches of its own, in steps without noise. A draw is the output of one network.
func Ensemble() posterior.Kind[LangevinOptions] {
	k := changed(EpsGreedy(), "Ensemble", "deep ensemble: 10 networks from different starts", func(o *LangevinOptions) {
		o.Chains, o.Sampler.Decay = 10, 1
	})
	k.Draws = true
	return k
}

// EnsemblePlus is an ensemble of networks with prior functions (ensemble+: Osband, Aslanides and Cassirer, NeurIPS
// 2018; Osband et al., Epistemic neural networks, NeurIPS 2023). The networks are those of Bootstrap. Each has a prior
// function: a random network, whose output times β = prior_scale is added to that of the trained network. Each network
// adds its own noise to the rewards; with counts poisson or double it also resamples them. Where there are rewards, the
// networks agree up to the noise; elsewhere they differ by their prior functions. A draw is the output of one network.
//
// Linear networks are draws of the posterior if the added noise has the standard deviation ν of the rewards' own noise,
// and the weights of the prior functions have the prior variance 2ν²/λ (the first source, lemma 3).
func EnsemblePlus() posterior.Kind[bootstrapOptions] {
	k := changed(Bootstrap(), "EnsemblePlus", "ensemble+: 10 networks with prior functions, each with noise of its own on the rewards", func(o *bootstrapOptions) {
		o.PriorScale, o.Counts, o.Noise = 3, "once", 1
	})
	k.Claims.Spread = false // the noise can make draws differ more near a few rewards than far from all rewards
	return k
}
