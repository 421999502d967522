// Package toytest has small components for tests of experiments: an environment with four contexts, a network that
// trains fast, and a policy that fails.
package toytest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/bandit/stream"
	"banditsim/datasets"
	"banditsim/internal/must"
	"banditsim/policy"
	"banditsim/posterior"
	"banditsim/posterior/neural"
	"banditsim/results"
)

// light is an environment with two arms and four one-hot contexts. The reward of arm 0 is 0. The expected reward of
// arm 1 is +1 in the first two contexts and −1 in the others; its noise is ±1.
type light struct{ r *stream.Stream }

func (l light) Spec() bandit.Spec {
	return bandit.Spec{Dim: 4, Arms: []string{"off", "on"}, IgnoresActions: true, UniformRegret: 0.5}
}

func (l light) Next(r *bandit.Round, o *bandit.Outcome) error {
	r.Row = l.r.IntN(4)
	clear(r.Context)
	r.Context[r.Row] = 1
	o.Reward[0], o.Mean[0] = 0, 0
	o.Mean[1] = 1 - 2*float64(r.Row/2)
	o.Reward[1] = o.Mean[1] + 1 - 2*float64(l.r.IntN(2))
	return nil
}

func (l light) MarshalBinary() ([]byte, error) { return l.r.MarshalBinary() }
func (l light) UnmarshalBinary(b []byte) error { return l.r.UnmarshalBinary(b) }

// LightOptions are the options of the environment light.
type LightOptions struct {
	Colour string `json:"colour"`
}

// A Sulker is a policy that fails in round After, with Err. Hook, if not nil, is called at the end of each round.
type Sulker struct {
	After int
	Err   error
	Hook  func(round int)
}

func (Sulker) Act(bandit.Round) (int, error)          { return 0, nil }
func (Sulker) Learn(bandit.Round, int, float64) error { return nil }
func (Sulker) MarshalBinary() ([]byte, error)         { return nil, nil }
func (Sulker) UnmarshalBinary([]byte) error           { return nil }

func (s Sulker) EndRound(_ context.Context, round int) error {
	if s.Hook != nil {
		s.Hook(round)
	}
	if round == s.After {
		return s.Err
	}
	return nil
}

// SulkerOptions are the options of the policy Sulker.
type SulkerOptions struct {
	After int `json:"after"`
}

// Small returns the options of a network posterior that trains fast.
func Small() neural.LangevinOptions {
	o := neural.PICSGLD().Defaults()
	o.Hidden, o.Chains, o.Steps, o.Batch, o.Buffer, o.TrainAfter = []int{6}, 2, 3, 8, 64, 10
	o.DataSize, o.Sampler.LearningRate = 64, 1e-3
	return o
}

// SmallKind returns a kind of posterior with this name and doc, whose default options are those of Small.
func SmallKind(name, doc string) posterior.Kind[neural.LangevinOptions] {
	return posterior.Kind[neural.LangevinOptions]{Name: name, Doc: doc, Defaults: Small, New: neural.PICSGLD().New, Claims: posterior.Claims{Rounds: 1}}
}

// Catalog returns a catalog with the environment light, the posterior Small, the policies Sulker and Uniform, the
// profiles paper and authors, and the preset toy.
func Catalog(t testing.TB) *experiment.Catalog {
	t.Helper()
	c := &experiment.Catalog{}
	must.OK(t, errors.Join(
		experiment.AddPosterior(c, SmallKind("Small", "a small network")),
		AddPolicy(c, "Uniform", struct{}{},
			func(_ struct{}, s policy.Setup) (bandit.Policy, error) {
				return policy.NewUniform(2, s.Stream.Child("explore")), nil
			}),
		AddPolicy(c, "Sulker", SulkerOptions{After: 3},
			func(o SulkerOptions, s policy.Setup) (bandit.Policy, error) { // wraps EOF, which must not end a trial as EOF itself does
				return Sulker{After: o.After, Err: fmt.Errorf("not again: %w", io.EOF)}, nil
			}),
		experiment.AddEnvironment(c, datasets.Kind[LightOptions]{Name: "light", Doc: "a toy", Defaults: func() LightOptions { return LightOptions{Colour: "red"} },
			Open: func(_ context.Context, o LightOptions, data string) (*datasets.World, error) {
				if data == "none" {
					return nil, errors.New("no such data")
				}
				return &datasets.World{
					Data: results.Data{Name: "other", SHA256: data},
					New:  func(r *stream.Stream) (bandit.Environment, error) { return light{r}, nil },
				}, nil
			}}),
		c.AddProfile(experiment.Profile{Name: "paper"}), c.AddProfile(experiment.Profile{Name: "authors", Settings: []experiment.Setting{{Key: "Small.contour.kind", Value: "authors"}}}),
		c.AddPreset(experiment.Experiment{Name: "toy", Environment: "light", Profile: "paper", Data: "abc",
			Protocol: bandit.Protocol{Rounds: 8, Pulls: 5, BurnIn: 12}, Policies: []string{"Small", "Uniform"}, Seeds: []uint64{1, 2}})))
	return c
}

// Toy returns the preset toy.
func Toy(t testing.TB, c *experiment.Catalog) experiment.Experiment {
	t.Helper()
	return must.Get(c.Preset("toy"))(t)
}

// Set returns a function that adds settings to an experiment, as --set does. It panics if one cannot be parsed.
func Set(settings ...string) func(*experiment.Experiment) {
	return func(e *experiment.Experiment) {
		for _, s := range settings {
			parsed, err := experiment.ParseSetting(s)
			if err != nil {
				panic(err)
			}
			e.Settings = append(e.Settings, parsed)
		}
	}
}

// Resolve returns the plan of an experiment.
func Resolve(t testing.TB, e experiment.Experiment, c *experiment.Catalog) *experiment.Plan {
	t.Helper()
	return must.Get(e.Resolve(t.Context(), c))(t)
}

// AddPolicy registers a policy whose default options are the argument defaults.
func AddPolicy[O any](c *experiment.Catalog, name string, defaults O, build func(O, policy.Setup) (bandit.Policy, error)) error {
	return experiment.AddPolicy(c, policy.Kind[O]{Name: name, Defaults: func() O { return defaults }, New: build})
}
