package builtin_test

import (
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/internal/must"
)

// TestPresetsResolve checks that every preset but the showdown resolves, which builds each policy in each environment.
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

// TestProfileSettings checks that the settings of profiles are valid, which AddProfile does not: each must be an option of
// its policy or, for all., of some policy, and have a value in its range.
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
	set("all.batch=128", "all.contour.bins=150", "all.contour.width=5000", "all.contour.zeta=15000")(&e) // the settings of quick
	must.Get(e.ResolvePolicies(c))(t)
}
