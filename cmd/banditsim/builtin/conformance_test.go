package builtin_test

import (
	"fmt"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/bandittest"
	"banditsim/bandit/experiment"
	"banditsim/bandit/stream"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/policy"
)

// TestEnvironments checks every environment with its default options, and mushroom with the
// other encoding too.
func TestEnvironments(t *testing.T) {
	check := func(name string, settings ...string) {
		c := builtin.Default()
		e, err := c.Preset("quick")
		if err != nil {
			t.Fatal(err)
		}
		e.Environment, e.Policies = name, []string{"Uniform"}
		if name == "mushroom" {
			e.Data = testData()
		}
		set(settings...)(&e)
		if err := bandittest.Environment(10_000, resolve(t, e, c).World.New); err != nil {
			t.Errorf("%s %v: %v", name, settings, err)
		}
	}
	for _, entry := range builtin.Default().Environments() {
		check(entry.Name)
	}
	check("mushroom", "environment.encoding=ordinal")
}

// TestPolicies checks every policy, shrunk, as it acts in both profiles, and some with the shared
// model.
func TestPolicies(t *testing.T) {
	c := builtin.Default()
	check := func(e experiment.Experiment, how string) {
		for _, cell := range resolve(t, e, c).Cells {
			t.Run(fmt.Sprint(cell.Label, " ", how), func(t *testing.T) {
				err := bandittest.Policy(func(spec bandit.Spec, r *stream.Stream) (bandit.Policy, error) {
					return cell.NewPolicy(policy.Setup{Spec: spec, Protocol: cell.Protocol, Stream: r})
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
	}
	for profile, act := range map[string]string{"paper": "mean", "authors": "sample"} {
		check(shrunk(t, c, profile, act), act)
	}
	e := shrunk(t, c, "paper", "sample")
	e.Policies = []string{"LinTS", "LinUCB", "LinEpsGreedy", "LinSoftmax", "LinSquareCB", "LinETC", "pSGLD"}
	set("all.model=shared")(&e)
	check(e, "shared")
}
