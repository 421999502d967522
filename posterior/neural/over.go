package neural

import (
	"banditsim/internal/optiontree"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// Options are the options of a posterior over a network whose sampler has options of type S. In JSON
// they are one object.
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

// UnmarshalJSON decodes what MarshalJSON returns. A field that is none of both is an error.
func (o *Options[S]) UnmarshalJSON(b []byte) error {
	return optiontree.UnmarshalInline(b, &o.NetworkOptions, &o.Sampler)
}

// A Sampler is a sampler of package sgmcmc as a posterior over a network, and as the subject of the
// checks of what it claims. Both build it by the method's New.
type Sampler[S any] struct {
	posterior.Kind[Options[S]]
	Method sgmcmc.Method[S]
}

// Over returns a sampler as a posterior, by default over four networks of the paper's mushroom experiment.
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
			return asPosterior(o.network(m, setup, nil))
		},
		Claims: networkClaims,
	}}
}

// With returns s with a description that doc completes, and with defaults that each set has changed.
func (s Sampler[S]) With(doc string, set ...func(*Options[S])) Sampler[S] {
	s.Doc = s.Method.Doc + doc
	for _, f := range set {
		s.Kind = changed(s.Kind, s.Name, s.Doc, f)
	}
	return s
}

// changed returns a posterior under another name, with defaults that set has changed.
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

// network returns the network before training, with the sampler that a method makes of the options. V is
// v at the start, if it is not nil.
func (o Options[S]) network(m sgmcmc.Method[S], setup posterior.Setup, v []float32) (*Network, error) {
	return NewNetwork(o.NetworkOptions, setup, func(u sgmcmc.Setup) (posterior.Sampler, error) {
		u.V = v
		return m.New(o.Sampler, u)
	})
}

// A Subject is a sampler as the checks of package claims see it: its options are those of a check,
// whatever their type is.
type Subject struct {
	Name, Doc string
	Claims    sgmcmc.Claims
	// New builds the sampler by the method's New.
	New func(o sgmcmc.LangevinOptions, u sgmcmc.Setup) (posterior.Sampler, error)
	// Network returns the network of the posterior, with that sampler. V is v at the start, if it is not nil.
	Network func(n NetworkOptions, o sgmcmc.LangevinOptions, setup posterior.Setup, v []float32) (*Network, error)
}

// Subject returns the sampler as the subject of checks. It returns an error if the declaration lacks
// something that they need.
func (s Sampler[S]) Subject() (Subject, error) {
	m := s.Method
	return Subject{
		Name: m.Name, Doc: m.Doc, Claims: m.Claims,
		New: func(o sgmcmc.LangevinOptions, u sgmcmc.Setup) (posterior.Sampler, error) {
			return m.New(m.Checked(o), u)
		},
		Network: func(n NetworkOptions, o sgmcmc.LangevinOptions, setup posterior.Setup, v []float32) (*Network, error) {
			return Options[S]{n, m.Checked(o)}.network(m, setup, v)
		},
	}, m.Validate()
}

// PICSGLD is sgmcmc.PICSGLD over networks.
func PICSGLD() Sampler[sgmcmc.LangevinOptions] {
	return Over(sgmcmc.PICSGLD()).With(": 4 chains share one energy histogram")
}

// PCSGLD is sgmcmc.PCSGLD over a network, with the steps of four chains.
func PCSGLD() Sampler[sgmcmc.LangevinOptions] {
	return Over(sgmcmc.PCSGLD()).With(": 1 chain with 4 times the steps", func(o *LangevinOptions) { o.Chains, o.Steps = 1, 64 })
}

// ConstSGD is sgmcmc.ConstSGD over networks. SGLD differs by the noise.
func ConstSGD() Sampler[sgmcmc.LangevinOptions] { return Over(sgmcmc.ConstSGD()).With(": 4 networks") }

// Dropout is ConstSGD with a mask on the last hidden layer.
func Dropout() posterior.Kind[LangevinOptions] {
	k := changed(ConstSGD().Kind, "Dropout", "Monte Carlo dropout after the last hidden layer: 4 networks", func(o *LangevinOptions) {
		o.Dropout.Rate = 0.5
	})
	k.Claims.Spread = false // masks spread a prediction more the larger it is, with or without data
	return k
}

// EpsGreedy is the posterior under the policy of that name.
func EpsGreedy() posterior.Kind[LangevinOptions] {
	return changed(ConstSGD().Kind, "EpsGreedy", "RMSProp with a decaying step: 4 networks", func(o *LangevinOptions) {
		o.Sampler.LearningRate, o.Sampler.Decay = 5e-7, 0.999
		o.Sampler.Preconditioner.Kind = "rmsprop"
	})
}

// Paper returns the six posteriors of the paper's mushroom experiment, in the order of its table. They are Langevin with
// different parts (docs/algorithms.md).
func Paper() []posterior.Kind[LangevinOptions] {
	return []posterior.Kind[LangevinOptions]{PICSGLD().Kind, PCSGLD().Kind, Over(sgmcmc.PSGLD()).Kind, Dropout(), ConstSGD().Kind, EpsGreedy()}
}
