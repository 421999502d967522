package plugin

import (
	"banditsim/bandit"
	"banditsim/bandit/plugin/declare"
	"banditsim/bandit/stream"
	"banditsim/datasets"
	"banditsim/policy"
	"banditsim/posterior"
	"banditsim/results"
)

// Processes starts what an experiment declares, each trial a child process of its own.
type Processes struct {
	Dir string // folder in which children run, from which relative paths start; "" is that of this process
}

var _ declare.Starter = Processes{}

// Identity reads the files of the program.
func (p Processes) Identity(d declare.Declaration) (declare.Identity, error) {
	d.Dir = p.Dir
	return d.Identity()
}

// PolicyKind declares a policy.
func (p Processes) PolicyKind(d declare.Declaration, id declare.Identity) policy.Kind[declare.Identity] {
	var known probes
	d.Dir = p.Dir
	return policy.Kind[declare.Identity]{
		Name: d.KindName(), Doc: "the child process " + d.Program.String(),
		Defaults: func() declare.Identity { return id },
		New: func(id declare.Identity, s policy.Setup) (bandit.Policy, error) {
			program, err := d.With(id)
			if err != nil {
				return nil, err
			}
			return newPolicy(program, &known, s)
		},
	}
}

// PosteriorKind declares a posterior.
func (p Processes) PosteriorKind(d declare.Declaration, id declare.Identity) posterior.Kind[declare.Identity] {
	var known probes
	d.Dir = p.Dir
	return posterior.Kind[declare.Identity]{
		Name: d.KindName(), Doc: "the child process " + d.Program.String(),
		Defaults: func() declare.Identity { return id },
		New: func(id declare.Identity, s posterior.Setup) (posterior.Posterior, error) {
			program, err := d.With(id)
			if err != nil {
				return nil, err
			}
			return newPosterior(program, &known, s)
		},
	}
}

// Open starts the environment once to learn its specification.
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
	return &datasets.World{
		Data: results.Data{},
		New: func(s *stream.Stream) (bandit.Environment, error) {
			return newEnvironment(program, ready, s), nil
		},
	}, nil
}
