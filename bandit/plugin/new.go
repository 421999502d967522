package plugin

import (
	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/policy"
	"banditsim/posterior"
)

// NewPolicy returns a program as a policy, a bandit.Randomizer if the program knows its propensities. The program is started
// once to learn what it can do, and again with the first call. The policy is an io.Closer.
func NewPolicy(program Program, spec bandit.Spec, protocol bandit.Protocol, s *stream.Stream) (bandit.Policy, error) {
	return newPolicy(program, &probes{}, policy.Setup{Spec: spec, Protocol: protocol, Stream: s})
}

// NewPosterior returns a program as a posterior, a posterior.Spreader if the program knows the deviations of its values. The program
// is started once to learn what it can do, and again with the first call. The posterior is an io.Closer.
func NewPosterior(program Program, setup posterior.Setup) (posterior.Posterior, error) {
	return newPosterior(program, &probes{}, setup)
}

// NewEnvironment returns a program as an environment that draws from a seed of the stream. The program is started once to
// learn its specification, and again with the first call. The environment is an io.Closer.
func NewEnvironment(program Program, s *stream.Stream) (bandit.Environment, error) {
	ready, err := probe(program, hello{Role: RoleEnvironment})
	if err != nil {
		return nil, err
	}
	return newEnvironment(program, ready, s), nil
}
