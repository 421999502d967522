package plugin

import (
	"errors"

	"banditsim/bandit"
	"banditsim/bandit/plugin/declare"
	"banditsim/bandit/stream"
	"banditsim/datasets"
	"banditsim/policy"
	"banditsim/posterior"
)

// Processes starts the child processes that an experiment declares: one per trial.
type Processes struct {
	Dir string // folder in which children run and from which relative paths start; "" for the working directory of this process
}

var _ declare.Starter = Processes{}

// Identity returns the identity of the program, for which it reads the program's files.
func (p Processes) Identity(d declare.Declaration) (declare.Identity, error) {
	d.Dir = p.Dir
	return d.Identity()
}

// PolicyKind returns the kind of the policies that d declares. Its options are the program's identity.
func (p Processes) PolicyKind(d declare.Declaration, id declare.Identity) policy.Kind[declare.Identity] {
	return policy.Kind[declare.Identity]{
		Name: d.KindName(), Doc: "the child process " + d.Program.String(),
		Defaults: func() declare.Identity { return id }, New: builder(p, d, newPolicy),
	}
}

// PosteriorKind returns the kind of the posteriors that d declares. Its options are the program's identity.
func (p Processes) PosteriorKind(d declare.Declaration, id declare.Identity) posterior.Kind[declare.Identity] {
	return posterior.Kind[declare.Identity]{
		Name: d.KindName(), Doc: "the child process " + d.Program.String(),
		Defaults: func() declare.Identity { return id }, New: builder(p, d, newPosterior),
	}
}

// builder returns the function New of a policy.Kind or posterior.Kind. If a child fails at hello, New returns no error.
// The trial then fails in its first pull, but other trials go on, which an error of New would stop.
func builder[S, P any](p Processes, d declare.Declaration, build func(Program, *probes, S) (P, error)) func(declare.Identity, S) (P, error) {
	known := &probes{}
	d.Dir = p.Dir
	return func(id declare.Identity, s S) (made P, err error) {
		program, err := d.With(id)
		if err != nil {
			return made, err
		}
		if made, err = build(program, known, s); errors.As(err, new(*Error)) {
			err = nil // the methods of made return it
		}
		return made, err
	}
}

// Open returns the world of the environment that d declares. It starts the child once to learn the specification.
func (p Processes) Open(d declare.Declaration, id declare.Identity) (*datasets.World, error) {
	d.Dir = p.Dir
	program, err := d.With(id)
	if err != nil {
		return nil, err
	}
	ready, err := probe(program, hello{Role: RoleEnvironment})
	if err != nil {
		return nil, err
	}
	return &datasets.World{New: func(s *stream.Stream) (bandit.Environment, error) {
		return newEnvironment(program, ready, s), nil
	}}, nil
}
