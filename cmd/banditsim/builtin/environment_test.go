package builtin_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/internal/must"
	"banditsim/results"
	"banditsim/results/compare"
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

// customers returns a table of six numbers and a class: the one with the highest of three noisy linear scores.
func customers() []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var w [3][6]float64
	for k := range w {
		for j := range w[k] {
			w[k][j] = r.NormFloat64()
		}
	}
	var b bytes.Buffer
	fmt.Fprintln(&b, "a,b,c,d,e,f,class")
	for range 800 {
		var x [6]float64
		for j := range x {
			x[j] = r.NormFloat64()
		}
		best, most := 0, -1e9
		for k := range w {
			score := 1.6 * r.NormFloat64()
			for j := range x {
				score += w[k][j] * x[j]
			}
			if score > most {
				best, most = k, score
			}
		}
		for _, v := range x {
			fmt.Fprintf(&b, "%.4f,", v)
		}
		fmt.Fprintln(&b, best)
	}
	return b.Bytes()
}

// TestEachRowOnce checks, on a table that is linear except for noise, that kNN wins if each row comes ten times, because it
// remembers rows, with a warning in the verdict, and that LinUCB wins if each row comes once, the default.
func TestEachRowOnce(t *testing.T) {
	t.Parallel()
	file := must.File(t, "customers.csv", customers())
	for passes, best := range map[string]string{"": "LinUCB", "10": "kNN"} {
		c := builtin.Default()
		e := must.Get(c.Preset("general"))(t)
		must.Get(e.SelectEnvironments([]string{"table"}))(t)
		e.Data, e.Policies, e.Seeds = file, []string{"LinUCB", "kNN"}, []uint64{1, 2, 3, 4, 5, 6}
		if passes != "" {
			set("environment.passes=" + passes)(&e)
		}
		dir := t.TempDir()
		mustRun(t, dir, 2, resolve(t, e, c))
		loaded := must.Get(results.Load(dir))(t)
		concluded := must.Get(compare.Conclude(loaded))(t)
		verdict := strings.Join(concluded.Sentences, " ")
		must.That(t, strings.HasPrefix(verdict, best+" has the lowest") &&
			strings.Contains(verdict, "significant (p < 0.001, Holm)"), "passes %q: %s", passes, verdict)
		warned := strings.Contains(verdict, "each row came 10 times: this favors policies that remember rows")
		must.Equal(t, fmt.Sprintf("passes %q: %s", passes, verdict), warned, passes == "10")
	}
}
