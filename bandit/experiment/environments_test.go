package experiment_test

import (
	"strings"
	"testing"

	"banditsim/bandit/experiment"
	"banditsim/bandit/internal/toytest"
	"banditsim/internal/must"
)

const twoLights = `
name: lights
environments:
  - {environment: light, data: abc}
  - {environment: light, name: blue light, data: abd, set: {colour: blue}, protocol: {rounds: 3, delay.kind: fixed, delay.pulls: 2}}
profile: paper
seeds: 1..3
protocol: {rounds: 8, pulls: 5, burn_in: 12}
policies: [Small, Uniform]
set: {environment.colour: green, protocol.burn_in: 10}
`

// TestEnvironmentsAsAlone checks that an experiment on several environments has the cells, with the same IDs, of
// one experiment on each environment, ordered by seed.
func TestEnvironmentsAsAlone(t *testing.T) {
	c := toytest.Catalog(t)
	e := must.Get(c.ParseFile("f.yaml", []byte(twoLights)))(t)
	plan := toytest.Resolve(t, e, c)
	must.Hold(t, len(plan.Cells) == 12 && len(plan.Environments) == 2 && plan.Environments[1].Label == "blue light",
		"%d cells, environments %+v", len(plan.Cells), plan.Environments)
	first, second := toytest.Toy(t, c), toytest.Toy(t, c)
	set("environment.colour=green", "protocol.burn_in=10")(&first)
	set("environment.colour=green", "protocol.burn_in=10", "protocol.rounds=3", "protocol.delay.kind=fixed", "protocol.delay.pulls=2")(&second)
	first.Data, second.Data = "abc", "abd"
	first.Seeds, second.Seeds = e.Seeds, e.Seeds
	alone := []*experiment.Plan{toytest.Resolve(t, first, c), toytest.Resolve(t, second, c)}
	for i, cell := range plan.Cells {
		seed, env, policy := i/4, i/2%2, i%2
		if want := alone[env].Cells[2*seed+policy]; cell.ID() != want.ID() || cell.FileName() != want.FileName() {
			t.Errorf("cell %d is %s, want %s", i, cell.FileName(), want.FileName())
		}
	}
	must.Equal(t, "label", plan.Cells[2].FullLabel(), "Small on blue light")
}

func TestSelectEnvironments(t *testing.T) {
	c := toytest.Catalog(t)
	e := must.Get(c.ParseFile("f.yaml", []byte(twoLights)))(t)
	must.Get(e.SelectEnvironments([]string{"blue light"}))(t)
	if plan := toytest.Resolve(t, e, c); len(plan.Environments) != 1 || plan.Environments[0].Label != "blue light" || plan.Environments[0].Protocol.Rounds != 3 || plan.Cells[0].EnvironmentOrder != 2 {
		t.Errorf("%+v", plan.Environments)
	}
	err := e.SetData("blue light=xyz")
	must.That(t, err == nil && e.Environments[0].Data == "xyz", "%v, %+v", err, e.Environments)
	must.Fail(t, e.SetData("xyz"), "want NAME=SOURCE with a name of blue light")
	e = toytest.Toy(t, c)
	if _, err := e.SelectEnvironments([]string{"light"}); err != nil || e.Environment != "light" || e.Environments != nil {
		t.Errorf("%v, %+v", err, e)
	}
	must.Refuse(e.SelectEnvironments([]string{"light", ""}))(t, "name 2 of 2 is blank")
	must.Refuse(e.SelectEnvironments([]string{"light", "light"}))(t, "environment light is named twice")
}

func TestEnvironmentErrors(t *testing.T) {
	c := toytest.Catalog(t)
	for _, test := range []struct{ old, new, want string }{
		{"{environment: light, data: abc}", "lihgt", "f.yaml:4:5: there is no environment \"lihgt\" (did you mean light?)"},
		{"profile: paper", "profile: paper\ndata: abc", "f.yaml:7:7: data: an experiment on several environments has data of each"},
		{"name: blue light", "name: light", "light is named twice"},
		{"name: blue light", `name: "blue, light"`, `holds ','`},
		{"colour: blue", "color: blue", "did you mean colour?"},
		{"rounds: 3,", "runds: 3,", "did you mean rounds?"},
		{"rounds: 3,", "rounds: 0,", "protocol.rounds: 0, want 1"},
		{"data: abd, set: {colour: blue}, protocol: {rounds: 3, delay.kind: fixed, delay.pulls: 2}", "data: abc", "light and blue light are the same"},
		{"environment.colour: green", "environment.shade: 1", "no environment of this experiment has this option: unknown key \"shade\""},
		{"profile: paper", "profile: paper\nenvironment: light", "want one of them"},
		{"data: abd", "data: none", "no such data"},
		{"name: lights", "name: lights\nthresholds: [regret(Small on dark) < 3]", "Small on dark"},
		{"name: lights", "name: lights\nthresholds: [regret(Small on light) - regret(Small) < 3]", "want that of both or of none"},
		{"environment: light, name", "name", "environment is missing"},
	} {
		text := strings.Replace(twoLights, test.old, test.new, 1)
		must.Hold(t, text != twoLights, "%q is not in the file", test.old)
		e, err := c.ParseFile("f.yaml", []byte(text))
		if err == nil {
			_, err = e.Resolve(t.Context(), c)
		}
		must.Fail(t, err, test.want)
	}
}
