package neural

import (
	"banditsim/internal/optiontree"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// Options are the options of a posterior over a network, and those of its sampler, of type S. They are one JSON object.
type Options[S any] struct {
	NetworkOptions
	Sampler S `json:",inline"`
}

// LangevinOptions are the options of a posterior that sgmcmc.Langevin samples.
type LangevinOptions = Options[sgmcmc.LangevinOptions]

// MarshalJSON returns the options of the network, then those of the sampler.
func (o Options[S]) MarshalJSON() ([]byte, error) {
	return optiontree.MarshalInline(o.NetworkOptions, o.Sampler)
}

// UnmarshalJSON decodes the output of MarshalJSON. A key that neither network nor sampler has is an error.
func (o *Options[S]) UnmarshalJSON(b []byte) error {
	return optiontree.UnmarshalInline(b, &o.NetworkOptions, &o.Sampler)
}

// A Sampler is a posterior over a network, sampled by a Method of package sgmcmc.
type Sampler[S any] struct {
	posterior.Kind[Options[S]]
	Method sgmcmc.Method[S]
}

// Over returns the posterior over networks that m samples, by default four as in the paper's mushroom experiment.
func Over[S any](m sgmcmc.Method[S]) Sampler[S] {
	return Sampler[S]{Method: m, Kind: posterior.Kind[Options[S]]{
		Name: m.Name, Doc: m.Doc + ": 4 chains",
		Defaults: func() Options[S] { return Options[S]{paperNetwork(), m.Defaults()} },
		Small: func(o Options[S]) Options[S] {
			o.small()
			if m.Small != nil {
				o.Sampler = m.Small(o.Sampler)
			}
			return o
		},
		New: func(o Options[S], setup posterior.Setup) (posterior.Posterior, error) {
			return asPosterior(NewNetwork(o.NetworkOptions, setup, func(u sgmcmc.Setup) (posterior.Sampler, error) { return m.New(o.Sampler, u) }))
		},
		Claims: networkClaims,
	}}
}

// With returns s with doc appended to the description of its method, and with defaults changed by the functions in set.
func (s Sampler[S]) With(doc string, set ...func(*Options[S])) Sampler[S] {
	s.Doc = s.Method.Doc + doc
	for _, f := range set {
		s.Kind = changed(s.Kind, s.Name, s.Doc, f)
	}
	return s
}

// changed returns k with another name and description, and with defaults that the function set has changed.
func changed[O any](k posterior.Kind[O], name, doc string, set func(*O)) posterior.Kind[O] {
	defaults := k.Defaults
	k.Name, k.Doc = name, doc
	k.Defaults = func() O {
		o := defaults()
		set(&o)
		return o
	}
	return k
}

// PICSGLD is sgmcmc.PICSGLD over networks.
func PICSGLD() Sampler[sgmcmc.LangevinOptions] {
	return Over(sgmcmc.PICSGLD()).With(": 4 chains share one energy histogram")
}

// PCSGLD is sgmcmc.PCSGLD over a network, whose one chain takes as many steps as the four chains of PICSGLD together.
func PCSGLD() Sampler[sgmcmc.LangevinOptions] {
	return Over(sgmcmc.PCSGLD()).With(": 1 chain with 4 times the steps", func(o *LangevinOptions) { o.Chains, o.Steps = 1, 64 })
}

// ConstSGD is sgmcmc.ConstSGD over networks.
func ConstSGD() Sampler[sgmcmc.LangevinOptions] { return Over(sgmcmc.ConstSGD()).With(": 4 networks") }

// Dropout is ConstSGD with a mask on the last hidden layer.
func Dropout() posterior.Kind[LangevinOptions] {
	k := changed(ConstSGD().Kind, "Dropout", "Monte Carlo dropout after the last hidden layer: 4 networks", func(o *LangevinOptions) {
		o.Dropout.Rate = 0.5
	})
	k.Claims.Spread = false // draws with masks differ more where predictions are large, whether or not there are data
	return k
}

// EpsGreedy is the posterior of the policy EpsGreedy.
func EpsGreedy() posterior.Kind[LangevinOptions] {
	return changed(ConstSGD().Kind, "EpsGreedy", "RMSProp with a decaying step: 4 networks", func(o *LangevinOptions) {
		o.Sampler.LearningRate, o.Sampler.Decay = 5e-7, 0.999
		o.Sampler.Preconditioner.Kind = "rmsprop"
	})
}

// Paper returns the six posteriors of the paper's mushroom experiment, in the order of its table. All are sampled by
// sgmcmc.Langevin, with different parts of it (docs/algorithms.md).
func Paper() []posterior.Kind[LangevinOptions] {
	return []posterior.Kind[LangevinOptions]{PICSGLD().Kind, PCSGLD().Kind, Over(sgmcmc.PSGLD()).Kind, Dropout(), ConstSGD().Kind, EpsGreedy()}
}
