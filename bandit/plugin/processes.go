package plugin

import (
	"context"
	"errors"

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
			made, err := newPolicy(program, &known, s)
			if failed := failedAtHello(err); failed != nil {
				return failed, nil
			}
			return made, err
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
			made, err := newPosterior(program, &known, s)
			if failed := failedAtHello(err); failed != nil {
				return failed, nil
			}
			return made, err
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

// A failed is a policy or a posterior whose child failed at hello: each of its trials fails with that error in its first pull, while
// those of others go on.
type failed struct{ err error }

var (
	_ bandit.Policy       = (*failed)(nil)
	_ posterior.Spreader  = (*failed)(nil)
	_ posterior.Posterior = (*failed)(nil)
)

// failedAtHello returns what stands for the child of an error; nil if there is none, or if no child was started.
func failedAtHello(err error) *failed {
	var e *Error
	if !errors.As(err, &e) {
		return nil
	}
	return &failed{err}
}

// Act returns the error.
func (f *failed) Act(bandit.Round) (int, error) { return 0, f.err }

// Learn returns the error.
func (f *failed) Learn(bandit.Round, int, float64) error { return f.err }

// Observe returns the error.
func (f *failed) Observe([]float32, int, float64) error { return f.err }

// Update returns the error.
func (f *failed) Update(context.Context) error { return f.err }

// Predict returns the error.
func (f *failed) Predict([]float64, [][]float32, posterior.Prediction) error { return f.err }

// Spread returns the error.
func (f *failed) Spread([]float64, [][]float32) error { return f.err }
