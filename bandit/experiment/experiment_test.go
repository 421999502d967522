package experiment_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/bandit/internal/toytest"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/datasets"
	"banditsim/internal/must"
	"banditsim/policy"
	"banditsim/posterior/neural"
	"banditsim/results"
)

// set returns a function that adds settings to an experiment as the command line does.
var set = toytest.Set

// TestResolveRefuses checks errors without a file; TestFileErrorsPointAtThePlace checks those about a file.
func TestResolveRefuses(t *testing.T) {
	c := toytest.Catalog(t)
	for _, test := range []struct {
		name   string
		change func(e *experiment.Experiment)
		want   string
	}{
		{"no seeds", func(e *experiment.Experiment) { e.Seeds = nil }, "at least one seed"},
		{"seed twice", func(e *experiment.Experiment) { e.Seeds = []uint64{1, 2, 1} }, "seed 1 occurs twice"},
		{"no policies", func(e *experiment.Experiment) { e.Policies = nil }, "at least one seed and one policy"},
		{"policy twice", func(e *experiment.Experiment) { e.Policies = []string{"Small", "Small"} }, "named twice"},
		{"policy not in it", set("Sulker.after=3"), `"Sulker"`},
		{"unknown key below", set("Small.contour.zta=3"), "did you mean zeta?"},
		{"below a leaf", set("Small.chains.x=3"), "has no options of its own"},
		{"number out of range", set("Small.temperature=1e999"), "does not fit 64 bits: it is too large"},
		{"a blank policy", func(e *experiment.Experiment) { e.Policies = []string{"Small", ""} }, `no policy ""`},
		{"two values", set("protocol.rounds=1 2"), "is not a number"},
		{"no digit before the point", set("protocol.rounds=.5"), `".5" is not a number such as 0.5 or 1e-3`},
		{"text in a list", set(`Small.hidden=["a"]`), "is not"},
		{"two values refused: the first is named", set("Small.chains=0", "Small.temperature=-1"), "--set Small.chains=0: policy Small: neural: chains: 0"},
		{"one refused between two that are not", set("Small.chains=3", "Small.temperature=-1", "Small.steps=4"), "--set Small.temperature=-1: policy"},
		{"value refused by the policy", set("Small.act=dream"), "want one of mean, sample"},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := toytest.Toy(t, c)
			test.change(&e)
			must.Refuse(e.Resolve(t.Context(), c))(t, test.want)
		})
	}
}

func TestSettingsReachTheOptions(t *testing.T) {
	c := toytest.Catalog(t)
	e := toytest.Toy(t, c)
	set("all.act=sample", "Small.hidden=7,8", "Small.posterior.contour.zeta=3", "Small.temperature=1e-9",
		"protocol.pulls=4", "environment.colour=green", "Small.preconditioner.multiplied=true")(&e)
	plan := toytest.Resolve(t, e, c)
	var o policy.ThompsonOptions[neural.LangevinOptions]
	must.OK(t, json.Unmarshal(plan.Cells[0].Policy.Options, &o))
	p := o.Posterior
	must.That(t, o.Act == "sample" && fmt.Sprint(p.Hidden) == "[7 8]" && p.Sampler.Contour.Zeta == 3 &&
		p.Sampler.Temperature == 1e-9 && p.Sampler.Preconditioner.Multiplied, "options %+v", o)
	must.That(t, plan.Environments[0].Protocol.Pulls == 4 && string(plan.Cells[0].Environment.Options) == `{"colour":"green"}`,
		"protocol %+v, environment %s", plan.Environments[0].Protocol, plan.Cells[0].Environment.Options)
}

func TestNamesAreRegisteredOnce(t *testing.T) {
	c := toytest.Catalog(t)
	light := func(name string) datasets.Kind[toytest.LightOptions] {
		return datasets.Kind[toytest.LightOptions]{Name: name, Defaults: func() (o toytest.LightOptions) { return o }}
	}
	for name, err := range map[string]error{
		"posterior":   experiment.AddPosterior(c, toytest.SmallKind("Small", "")),
		"policy":      experiment.AddPosterior(c, toytest.SmallKind("Uniform", "")),
		"scope":       experiment.AddPosterior(c, toytest.SmallKind("protocol", "")),
		"environment": experiment.AddEnvironment(c, light("light")),
		"preset":      c.AddPreset(experiment.Experiment{Name: "toy"}),
		"comma":       experiment.AddPosterior(c, toytest.SmallKind("Small,Uniform", "")),
		"dot":         experiment.AddPosterior(c, toytest.SmallKind("Small.Net", "")),
		"no name":     experiment.AddPosterior(c, toytest.SmallKind("", "")),
		"blank":       experiment.AddEnvironment(c, light("the light")),
		"file":        c.AddPreset(experiment.Experiment{Name: "toy.yaml"}),
	} {
		must.That(t, err != nil, "%s: registered without an error", name)
	}
	builtin.Default() // panics if the project's own names clash
}

func TestWrongShards(t *testing.T) {
	c := toytest.Catalog(t)
	e := toytest.Toy(t, c)
	e.Seeds = []uint64{1, 2, 3, 4, 5}
	for _, bad := range [][2]int{{0, 3}, {4, 3}, {1, 0}, {-1, 3}, {11, 12}} {
		must.Fail(t, toytest.Resolve(t, e, c).Shard(bad[0], bad[1]), fmt.Sprintf("shard %d/%d", bad[0], bad[1]))
	}
}

// TestNeutralOptions checks that a new field of an options type, if it is zero by default and tagged omitzero
// (omitempty for a list), changes no identity, can be set, and is in the schema.
func TestNeutralOptions(t *testing.T) {
	type inner struct {
		Width int `json:"width"`
	}
	type before struct {
		Level float64 `json:"level"`
		Inner inner   `json:"inner"`
	}
	type newInner struct {
		Width int  `json:"width"`
		Deep  bool `json:"deep,omitzero"`
	}
	type after struct {
		Names []string `json:"names,omitempty"`
		Level float64  `json:"level"`
		Extra newInner `json:"extra,omitzero"`
		Inner newInner `json:"inner"`
	}
	policyOf := func(c *experiment.Catalog, settings ...string) results.Identity {
		t.Helper()
		e := toytest.Toy(t, c)
		e.Policies = []string{"Own"}
		set(settings...)(&e)
		return toytest.Resolve(t, e, c).Cells[0].Identity
	}
	old, c := toytest.Catalog(t), toytest.Catalog(t)
	must.OK(t, errors.Join(
		toytest.AddPolicy(old, "Own", before{Level: 1}, func(before, policy.Setup) (bandit.Policy, error) { return policy.Fixed(0), nil }),
		toytest.AddPolicy(c, "Own", after{Level: 1}, func(after, policy.Setup) (bandit.Policy, error) { return policy.Fixed(0), nil })))
	want := policyOf(old)
	for _, settings := range [][]string{nil, {"Own.inner.deep=false", "Own.extra.width=0"}, {"Own.inner.deep=true", "Own.inner.deep=false"}} {
		if got := policyOf(c, settings...); got.ID() != want.ID() || string(got.Policy.Options) != string(want.Policy.Options) {
			t.Errorf("%q: %s, want %s", settings, got.Policy.Options, want.Policy.Options)
		}
	}
	for setting, want := range map[string]string{
		"Own.inner.deep=true": `{"level":1,"inner":{"width":0,"deep":true}}`,
		"Own.extra.width=3":   `{"level":1,"extra":{"width":3},"inner":{"width":0}}`,
		"Own.names=[\"a\"]":   `{"names":["a"],"level":1,"inner":{"width":0}}`,
	} {
		got := policyOf(c, setting).Policy.Options
		must.That(t, string(got) == want, "%s: %s, want %s", setting, got, want)
	}
	validate := validator(t, c)
	must.OK(t, validate("name: x\nextends: toy\npolicies: [{policy: Own, set: {inner: {deep: true}, extra.width: 3}}]"))
}
