package experiment_test

import (
	"context"
	"testing"

	"banditsim/bandit/experiment"
	"banditsim/bandit/internal/toytest"
	"banditsim/bandit/plugin/declare"
	"banditsim/internal/must"
	"banditsim/internal/verify"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// still is a posterior that does not learn.
type still struct{}

func (still) Observe([]float32, int, float64) error { return nil }
func (still) Update(context.Context) error          { return nil }
func (still) Predict(dst []float64, _ [][]float32, _ posterior.Prediction) error {
	clear(dst)
	return nil
}

type stillOptions struct{ Size int }

// TestClaims checks that a posterior's claims are verified, with its small options if it has them.
func TestClaims(t *testing.T) {
	c := &experiment.Catalog{}
	size := 0
	kind := posterior.Kind[stillOptions]{
		Name: "Still", Doc: "knows nothing", Defaults: func() stillOptions { return stillOptions{1000} },
		Small: func(stillOptions) stillOptions { return stillOptions{7} },
		New: func(o stillOptions, _ posterior.Setup) (posterior.Posterior, error) {
			size = o.Size
			return still{}, nil
		},
	}
	must.Fail(t, experiment.AddPosterior(c, kind), "Rounds is 0")
	kind.Claims = posterior.Claims{Rounds: 3, Spread: true}
	must.OK(t, experiment.AddPosterior(c, kind))
	p := c.Contracts[0]
	must.That(t, p.Name == "Still" && p.Spread && p.Rounds == 3, "contract %+v", p)
	_, err := p.New(posterior.Setup{})
	must.That(t, err == nil && size == 7, "built with size %d, want the small one, 7; error %v", size, err)
	failed := map[string]bool{}
	for _, r := range verify.Verify(verify.Posterior(p), verify.Options{Grade: verify.Quick, Seed: 1}) {
		if r.Verdict == verify.Fail {
			failed[r.Check] = true
		}
	}
	for _, check := range []string{"shapes", "learning", "spread"} {
		must.That(t, failed[check], "%s has not failed a posterior that knows nothing", check)
	}
}

func TestAddSampler(t *testing.T) {
	c := &experiment.Catalog{}
	good := sgmcmc.SGLD()
	for _, step := range []struct {
		name string
		set  func(*sgmcmc.Method[sgmcmc.LangevinOptions])
		want string // part of the error; empty for none
	}{
		{"the first", func(*sgmcmc.Method[sgmcmc.LangevinOptions]) {}, ""},
		{"the same again", func(*sgmcmc.Method[sgmcmc.LangevinOptions]) {}, `a sampler "SGLD" already`},
		{"no name", func(s *sgmcmc.Method[sgmcmc.LangevinOptions]) { s.Name = "a b" }, "not a name"},
		{"no New", func(s *sgmcmc.Method[sgmcmc.LangevinOptions]) { s.Name, s.New = "Other", nil }, "without New"},
		{"no defaults", func(s *sgmcmc.Method[sgmcmc.LangevinOptions]) { s.Name, s.Defaults = "Other", nil }, "without Defaults"},
		{"no checked options", func(s *sgmcmc.Method[sgmcmc.LangevinOptions]) { s.Name, s.Checked = "Other", nil }, "without Checked"},
		{"no period", func(s *sgmcmc.Method[sgmcmc.LangevinOptions]) { s.Name, s.Claims.Period = "Other", 0 }, "Period is 0"},
		{"no memory", func(s *sgmcmc.Method[sgmcmc.LangevinOptions]) { s.Name, s.Claims.Memory = "Other", nil }, "Memory is nil"},
		{"no step", func(s *sgmcmc.Method[sgmcmc.LangevinOptions]) { s.Name, s.Claims.FineRate = "Other", 0 }, "FineRate is 0"},
	} {
		s := good
		step.set(&s)
		err := experiment.AddMethod(c, s)
		must.Want(t, step.name, err, step.want)
	}
	must.Equal(t, "samplers", len(c.Samplers), 1)
}

// TestWithoutPlugins checks the error of a catalog that cannot start child processes.
func TestWithoutPlugins(t *testing.T) {
	d := declare.Declaration{Program: declare.Program{Name: "Mine", Command: []string{"mine"}}}
	for _, role := range []string{declare.RolePolicy, declare.RolePosterior, declare.RoleEnvironment} {
		d.Role, d.Rule = role, "UCB"
		c := toytest.Catalog(t)
		e := toytest.Toy(t, c)
		if role != declare.RoleEnvironment {
			e.Policies = []string{"Mine"}
		}
		must.OK(t, e.AddPlugin(d))
		if role == declare.RoleEnvironment {
			must.Get(e.SelectEnvironments([]string{"Mine"}))(t)
		}
		must.Refuse(e.Resolve(t.Context(), c))(t, "Mine", "WithPlugins")
	}
}

// TestAddProfile checks that AddProfile rejects unregistered policies, and that options are checked only when a policy
// is resolved.
func TestAddProfile(t *testing.T) {
	c := toytest.Catalog(t)
	add := func(name, key string) error {
		return c.AddProfile(experiment.Profile{Name: name, Settings: []experiment.Setting{{Key: key, Value: "x"}}})
	}
	must.Fail(t, add("a", "Smal.chains"), "did you mean Small?")
	must.OK(t, add("b", "Small.chains"))
	must.Fail(t, add("b", "Small.chains"), `a profile "b" already`)
	e := toytest.Toy(t, c)
	e.Profile = "b"
	must.Refuse(e.Resolve(t.Context(), c))(t, `"x" is not a number`, "profile b")
}
