package builtin_test

import (
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/internal/must"
)

// regretShare returns the expected regret of a policy divided by that of the uniform policy, over 4,000 pulls on each of
// 2 seeds.
func regretShare(t *testing.T, environment, policy string, settings ...string) float64 {
	t.Helper()
	e := experiment.Experiment{
		Name: "share", Environment: environment, Profile: "paper", Protocol: bandit.Protocol{Rounds: 200, Pulls: 20},
		Policies: []string{policy}, Seeds: []uint64{1, 2},
	}
	set(settings...)(&e)
	cells := resolve(t, e, builtin.Default()).Cells
	return records(t, cells)[policy].expected / (4000 * float64(len(cells)) * float64(cells[0].Environment.UniformRegret))
}

// TestDelayAndDrift checks that a policy learns from delayed rewards, and that drift increases the regret of a policy that
// does not forget. The bounds are far from the values, whose standard errors are below 0.03.
func TestDelayAndDrift(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ environment, policy, change string }{
		{"linear", "LinUCB", "environment.drift.rate=0.05"},
		{"gaussian", "GaussianTS", ""},
	} {
		still := regretShare(t, c.environment, c.policy)
		for _, delay := range []string{"fixed", "geometric", "batch"} {
			late := regretShare(t, c.environment, c.policy, "protocol.delay.kind="+delay, "protocol.delay.pulls=100")
			t.Logf("%s on %s: %.3f of uniform's regret, %.3f with %s delay", c.policy, c.environment, still, late, delay)
			must.That(t, late < still+0.25 && late < 0.9,
				"%s on %s with %s delay: %.3f of uniform's regret, without %.3f", c.policy, c.environment, delay, late, still)
		}
		drifts := [][]string{{"environment.drift.kind=abrupt", "environment.drift.period=800"}}
		if c.change != "" {
			drifts = append(drifts,
				[]string{"environment.drift.kind=gradual", "environment.drift.period=800"},
				[]string{"environment.drift.kind=random-walk", c.change})
		}
		for _, drift := range drifts {
			moved := regretShare(t, c.environment, c.policy, drift...)
			t.Logf("%s on %s: %.3f of uniform's regret with %s", c.policy, c.environment, moved, drift)
			must.That(t, moved > still+0.1,
				"%s on %s with %s: %.3f of uniform's regret, without %.3f", c.policy, c.environment, drift, moved, still)
		}
	}
}

// TestOracle checks that the oracle's expected regret is 0 in every environment that needs no file.
func TestOracle(t *testing.T) {
	t.Parallel()
	played := 0
	for _, entry := range builtin.Default().Environments() {
		if entry.Name == "mushroom" || entry.Name == "table" {
			continue
		}
		must.Equal(t, entry.Name+": the oracle of uniform's regret", regretShare(t, entry.Name, "Oracle"), 0)
		played++
	}
	must.That(t, played >= 5, "only %d environments were played", played)
}
