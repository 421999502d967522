package builtin_test

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/bandit/harness"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/internal/must"
	"banditsim/internal/resultstest"
	"banditsim/results"
)

// TestRegretOfPoliciesWithoutMemory checks that the regret of uniform, always-eat and never-eat is within 4 standard
// errors of its closed form (docs/algorithms.md).
func TestRegretOfPoliciesWithoutMemory(t *testing.T) {
	t.Parallel()
	const rounds, pulls, seeds = 2000, 20, 5
	edible := 4208. / 8124
	poisonous := 1 - edible
	for _, c := range []struct { // the expected regret is 5 for leaving an edible mushroom and 15 for eating a poisonous one
		policy    string
		eat, want float64 // probability of eating, expected regret of a pull
	}{
		{"Uniform", 0.5, 4.91014},
		{"Always", 1, 7.23043},
		{"Never", 0, 2.58986},
	} {
		e := experiment.Experiment{
			Name: "closed-forms", Environment: "mushroom", Profile: "paper",
			Protocol: bandit.Protocol{Rounds: rounds, Pulls: pulls}, Policies: []string{c.policy}, Seeds: []uint64{1, 2, 3, 4, 5},
		}
		sum := records(t, resolve(t, e, builtin.Default()).Cells)[c.policy].expected
		mean := edible*(1-c.eat)*5 + poisonous*c.eat*15
		squares := edible*(1-c.eat)*25 + poisonous*c.eat*225
		must.That(t, math.Abs(mean-c.want) <= 1e-5, "%s: closed form %.6f, want %.5f", c.policy, mean, c.want)
		const n = rounds * pulls * seeds
		se := math.Sqrt((squares - mean*mean) / n)
		got := sum / n
		t.Logf("%s: %.5f a pull, want %.5f, %+.1f standard errors (n = %d)", c.policy, got, mean, (got-mean)/se, int(n))
		if !(math.Abs(got-mean) <= 4*se) { // at fixed seeds; by chance, 1 in 16,000 exceeds 4
			t.Errorf("%s: %.5f a pull, want %.5f ± %.5f", c.policy, got, mean, se)
		}
	}
}

// TestPoliciesAreDocumented checks that docs/policies.md names every policy, except those that samplers train.
func TestPoliciesAreDocumented(t *testing.T) {
	b := must.Get(os.ReadFile("../../../docs/policies.md"))(t)
	c := builtin.Default()
	networks := map[string]bool{}
	for _, s := range c.Samplers {
		networks[s.Name] = true
	}
	for _, p := range c.Policies() {
		must.That(t, networks[p.Name] || regexp.MustCompile(`\b`+p.Name+`\b`).Match(b),
			"docs/policies.md does not name %s", p.Name)
	}
}

// paperPolicies returns the six policies of the paper.
func paperPolicies(t testing.TB) []string {
	t.Helper()
	e := must.Get(builtin.Default().Preset("quick"))(t)
	return e.Policies
}

func resolve(t testing.TB, e experiment.Experiment, c *experiment.Catalog) *experiment.Plan {
	t.Helper()
	return must.Get(e.Resolve(t.Context(), c))(t)
}

// set returns a function that adds settings, written as for --set, to an experiment.
func set(settings ...string) func(*experiment.Experiment) {
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

func mustRun(t testing.TB, dir string, workers int, plan *experiment.Plan) {
	t.Helper()
	r := harness.Runner{Dir: dir, Workers: workers, Now: time.Now}
	must.Get(r.Run(t.Context(), plan))(t)
}

// TestFamilies checks that every policy has a family, that a variant has the family of its policy, and that a policy that
// is not registered is in "others".
func TestFamilies(t *testing.T) {
	c := builtin.Default()
	for _, p := range c.Policies() {
		must.That(t, p.Family != "", "%s has no family", p.Name)
	}
	set := resultstest.Set(nil)
	for label, name := range map[string]string{"LinUCB shared": "LinUCB", "mine": "Mine", "pSGLD": "pSGLD", "LinTS": "LinTS", "KLUCB": "KLUCB"} {
		set.Policies = append(set.Policies, results.PolicyRecords{Label: label, Policy: results.Policy{Name: name}})
	}
	slices.SortFunc(set.Policies, func(a, b results.PolicyRecords) int { return strings.Compare(a.Label, b.Label) })
	must.Equal(t, "families", fmt.Sprint(c.Families([]*results.Set{set})), "[{stochastic-gradient MCMC [pSGLD]} {linear models [LinTS LinUCB shared]} {no context [KLUCB]} {others [mine]}]")
}
