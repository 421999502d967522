package plugin

import (
	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/policy"
	"banditsim/posterior"
)

// NewPolicy returns a program as a policy: a [*Policy], or one that is a bandit.Randomizer as well. The program is started
// once to learn what it can do, and again with the first call. The policy is an io.Closer.
func NewPolicy(program Program, spec bandit.Spec, protocol bandit.Protocol, s *stream.Stream) (bandit.Policy, error) {
	return newPolicy(program, &probes{}, policy.Setup{Spec: spec, Protocol: protocol, Stream: s})
}

// NewPosterior returns a program as a posterior: a [*Posterior], or one that is a posterior.Spreader as well. The program
// is started once to learn what it can do, and again with the first call. The posterior is an io.Closer.
func NewPosterior(program Program, setup posterior.Setup) (posterior.Posterior, error) {
	return newPosterior(program, &probes{}, setup)
}

// NewEnvironment returns a program as an environment that draws from a seed of the stream. The program is started once to
// learn its specification, and again with the first call.
func NewEnvironment(program Program, s *stream.Stream) (*Environment, error) {
	ready, err := probe(program, hello{Role: RoleEnvironment})
	if err != nil {
		return nil, err
	}
	return newEnvironment(program, ready, s), nil
}
