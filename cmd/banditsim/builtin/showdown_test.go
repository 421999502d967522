package builtin_test

import (
	"testing"

	"banditsim/cmd/banditsim/builtin"
)

// Every preset resolves, which builds each policy in each environment; the showdown has what
// docs/showdown.md says.
func TestPresetsResolve(t *testing.T) {
	c := builtin.Default()
	for _, entry := range c.Presets() {
		e, err := c.Preset(entry.Name)
		if err != nil {
			t.Fatal(err)
		}
		e.Seeds = e.Seeds[:1]
		if err != nil {
			t.Fatal(err)
		}
		plan, err := e.Resolve(t.Context(), c)
		if err != nil {
			t.Errorf("%s: %v", entry.Name, err)
			continue
		}
		if entry.Name == "showdown" && (len(plan.Policies) != 39 || len(plan.Environments) != 9 || len(plan.Cells) != 39*9) {
			t.Errorf("%d policies, %d environments, %d trials of a seed", len(plan.Policies), len(plan.Environments), len(plan.Cells))
		}
	}
}
