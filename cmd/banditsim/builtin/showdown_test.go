package builtin_test

import (
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/internal/must"
)

// Every preset resolves, which builds each policy in each environment. TestShowdown resolves the showdown.
func TestPresetsResolve(t *testing.T) {
	t.Parallel()
	c := builtin.Default()
	for _, entry := range c.Presets() {
		if entry.Name == "showdown" {
			continue
		}
		e := must.Get(c.Preset(entry.Name))(t)
		e.Seeds = e.Seeds[:1]
		_, err := e.Resolve(t.Context(), c)
		must.That(t, err == nil, "%s: %v", entry.Name, err)
	}
}

// TestProfileSettings: what profiles set are options of the policies that they name with values that these take, of at least one
// policy if they are of all. A profile is applied when a policy under it is resolved, not when it is registered.
func TestProfileSettings(t *testing.T) {
	c := builtin.Default()
	e := experiment.Experiment{Name: "all", Protocol: bandit.Protocol{Rounds: 1, Pulls: 1}, Seeds: []uint64{1}}
	for _, p := range c.Policies() {
		e.Policies = append(e.Policies, p.Name)
	}
	for _, profile := range []string{"paper", "authors", "quick", "general"} {
		e.Profile = profile
		_, err := e.ResolvePolicies(c)
		must.That(t, err == nil, "%s: %v", profile, err)
	}
	e.Profile = "paper"
	set("all.batch=128", "all.contour.bins=150", "all.contour.width=5000", "all.contour.zeta=15000")(&e) // those of quick
	must.Get(e.ResolvePolicies(c))(t)
}
