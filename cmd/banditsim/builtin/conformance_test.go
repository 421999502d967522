package builtin_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/bandittest"
	"banditsim/bandit/experiment"
	"banditsim/bandit/stream"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/internal/checktest"
	"banditsim/internal/must"
	"banditsim/internal/reportcard"
	"banditsim/internal/verify"
	"banditsim/policy"
)

// TestEnvironments checks every environment with its default options, and mushroom with the other encoding too.
func TestEnvironments(t *testing.T) {
	t.Parallel()
	check := func(name string, settings ...string) {
		c := builtin.Default()
		e := must.Get(c.Preset("quick"))(t)
		e.Environment, e.Policies = name, []string{"Uniform"}
		pulls := 2000
		switch name {
		case "mushroom":
			pulls = 10_000
		case "table":
			e.Data = filepath.Join(t.TempDir(), "small.csv")
			must.OK(t, os.WriteFile(e.Data, []byte("x,colour,class\n1,red,a\n2,,b\n4,blue,c\n7,red,b\n"), 0o666))
		}
		set(settings...)(&e)
		err := bandittest.Environment(pulls, resolve(t, e, c).Environments[0].World.New)
		must.That(t, err == nil, "%s %v: %v", name, settings, err)
	}
	for _, entry := range builtin.Default().Environments() {
		check(entry.Name)
	}
	check("mushroom", "environment.encoding=ordinal")
}

// TestEnvironmentsPage checks that docs/environments.md has a row for every environment, with its uniform regret.
func TestEnvironmentsPage(t *testing.T) {
	page := must.Get(os.ReadFile("../../../docs/environments.md"))(t)
	c := builtin.Default()
	for _, entry := range c.Environments() {
		_, row, ok := strings.Cut(string(page), "\n| `"+entry.Name+"` |")
		row, _, _ = strings.Cut(row, "\n")
		if !ok {
			t.Errorf("%s has no row", entry.Name)
			continue
		}
		e := experiment.Experiment{
			Name: "page", Environment: entry.Name, Profile: "paper", Protocol: bandit.Protocol{Rounds: 1, Pulls: 1},
			Policies: []string{"Uniform"}, Seeds: []uint64{1},
		}
		want := map[string]string{"mushroom": "4.91014", "table": "of the file"}[entry.Name] // 4.91014 is for the mushrooms of UCI
		if want == "" {
			want = fmt.Sprintf("%v", float64(resolve(t, e, c).Cells[0].Environment.UniformRegret))
		}
		must.That(t, strings.HasSuffix(row, want+" |"), "%s: the row does not have the uniform regret %s", entry.Name, want)
	}
}

// TestPolicies checks every policy, with small sizes, under the profiles paper and authors and with explore, and some
// policies with the shared model.
func TestPolicies(t *testing.T) {
	t.Parallel()
	c := builtin.Default()
	check := func(e experiment.Experiment, how string) {
		for _, cell := range resolve(t, e, c).Cells {
			t.Run(fmt.Sprint(cell.Label, " ", how), func(t *testing.T) {
				must.OK(t, bandittest.Policy(func(spec bandit.Spec, r *stream.Stream) (bandit.Policy, error) {
					return cell.NewPolicy(policy.Setup{Spec: spec, Protocol: cell.Protocol, Stream: r})
				}))
			})
		}
	}
	for profile, act := range map[string]string{"paper": "mean", "authors": "sample"} {
		e := shrunk(t, c, profile, act)
		set("all.sweep=12")(&e)
		check(e, act)
	}
	exploring := shrunk(t, c, "paper", "sample")
	exploring.Policies = slices.DeleteFunc(exploring.Policies, func(name string) bool { return name == "LinETC" }) // explore is a number of pulls there
	set("all.explore=0.1")(&exploring)
	check(exploring, "explore")
	e := shrunk(t, c, "paper", "sample")
	e.Policies = []string{"LinTS", "LinUCB", "LinEpsGreedy", "LinSoftmax", "LinSquareCB", "LinETC", "pSGLD"}
	set("all.model=shared")(&e)
	check(e, "shared")
}

// TestContracts checks the contract of every posterior.
func TestContracts(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a posterior has one goroutine, and the same bytes with every instruction set (TestGoldenTrials)")
	}
	c := builtin.Default()
	must.Equal(t, "contracts, one for each posterior", len(c.Contracts), len(c.Posteriors()))
	for _, p := range c.Contracts {
		t.Run(p.Name, func(t *testing.T) { checktest.Checks(t, verify.Posterior(p)) })
	}
}

// TestContractSoak checks the contract of every posterior with 200 seeds, to find false alarms. Package lab/claims has
// the same test for samplers.
func TestContractSoak(t *testing.T) {
	if os.Getenv("BANDITSIM_LONG") == "" {
		t.Skip("many minutes: BANDITSIM_LONG=1")
	}
	const from, seeds = 1000, 200
	var parts []reportcard.Part
	for _, p := range builtin.Default().Contracts {
		parts = append(parts, reportcard.Part{Name: p.Name, Checks: verify.Posterior(p)})
	}
	promises, failures := 0, 0
	for seed := uint64(from); seed < from+seeds; seed++ {
		card := must.Get(reportcard.Run(t.Context(), parts, verify.Options{Grade: verify.Quick, Seed: seed}, runtime.GOMAXPROCS(0), nil))(t)
		for _, part := range card.Cards {
			for _, r := range part.Results {
				promises += r.Numbers
				if r.Verdict == verify.Fail {
					failures++
					t.Errorf("%s, seed %d: %+v", part.Name, seed, r)
				}
			}
		}
	}
	t.Logf("%d contracts, %d seeds, %d failures, %d numbers", len(parts), seeds, failures, promises)
}
