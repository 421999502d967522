//go:build !windows

package cli_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"banditsim/internal/exit"
	"banditsim/internal/must"
	"banditsim/internal/pool"
	"banditsim/results"
)

// tuneFile is a search with three rungs, whose trials of 30 and of 60 rounds are in two folders.
const tuneFile = `name: search
environment: wheel
profile: paper
seeds: 1..2
protocol: {rounds: 60, pulls: 20, burn_in: 40}
policies: [pSGLD, Uniform]
set: {pSGLD.hidden: [4], pSGLD.batch: 32, pSGLD.steps: 2, pSGLD.chains: 1}
tune:
  seeds: 101..102
  budget: 7
  halving: {eta: 2, rounds: 30, seeds: 1}
  ranges:
    pSGLD: {learning_rate: {log: [1e-8, 1e-3]}, act: {choice: [mean, sample]}}
`

// TestTuneKilled checks that searches that are killed with SIGKILL at random moments and resumed have the files and tables of
// an undisturbed search. It makes 6 kills, or 20 in the long grade.
func TestTuneKilled(t *testing.T) {
	t.Parallel()
	kills := 6
	if os.Getenv(longEnv) != "" {
		kills = 20
	}
	file, dir := must.File(t, "search.yaml", tuneFile), t.TempDir()
	v := &soakVerb{name: "tune", resumes: true, prints: true, args: func(to string) []string {
		return []string{"tune", file, "--out", to, "--write", filepath.Join(to, "tuned.yaml"), "--workers", "2", "--checkpoint", "7"}
	}}
	v.undisturbed, v.took = v.do(t, filepath.Join(dir, "undisturbed"))
	rng := rand.New(rand.NewPCG(1, 2))
	for k := range kills {
		v.kill(t, filepath.Join(dir, fmt.Sprint(k)), rng)
	}
	v.end(t)
	t.Logf("an undisturbed search takes %v and leaves %d files; %d kills, %d midway", v.took, len(v.undisturbed), kills, v.midway)
	must.That(t, v.midway >= kills/3, "the kills have missed what they should have met")
}

const familiesFile = `name: families
environments:
  - environment: linear
  - {environment: linear, name: big, set: {scale: 1000, noise.sd: 300}}
  - {environment: classes, set: {law: twonorm}}
  - environment: logistic
profile: paper
seeds: 1..3
protocol: {rounds: 20, pulls: 10, burn_in: 0}
policies: [LinUCB, LinTS, Uniform]
set: {environment.irrelevant: 6}
tune:
  seeds: 101..104
  environments: [linear, big]
  budget: 24
  halving: {eta: 2, rounds: 20, seeds: 2}
  ranges: {LinUCB: {alpha: {log: [0.01, 100]}}, LinTS: {noise: {log: [0.01, 100]}}}
`

// TestTuneFamilies checks a search over two of four environments: it has trials only on these and its own seeds, as many for
// each policy, within the budget; the best configuration has the lowest mean percentage of the uniform policy's regret, though
// regrets differ by a factor of 1,000; it is judged on the other two environments and the held-out seeds; and a run of the
// file that it writes finds these trials.
func TestTuneFamilies(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, out, found := must.File(t, "families.yaml", familiesFile), filepath.Join(dir, "o"), filepath.Join(dir, "found.yaml")
	stdout, _ := exits(t, exit.OK, "tune", file, "--dry-run")
	must.Contain(t, stdout, "search  on linear, big", "judged  on classes, logistic", "a budget of 24", "then    30 trials")
	stdout, _ = exits(t, exit.OK, "tune", file, "--out", out, "--write", found, "--quiet")
	must.Contain(t, stdout, "% of uniform on each environment")

	shares, trials := map[string][]float64{}, map[string]int{} // by label of the policy, and by its name
	for _, set := range must.Get(results.LoadMixed(filepath.Join(out, "rounds-20")))(t) {
		must.That(t, slices.Contains([]string{"linear", "big"}, set.Label), "the search has trials on %s", set.Label)
		uniform, _ := set.Conditions.UniformRegret()
		for _, p := range set.Policies {
			sum := 0.0
			for _, rec := range p.Records {
				trials[p.Policy.Name]++
				sum += rec.Totals.Expected / uniform
				must.That(t, rec.Seed >= 101 && rec.Seed <= 104, "the search has seed %d", rec.Seed)
			}
			if len(p.Records) == 4 { // it reached the last rung
				shares[p.Label] = append(shares[p.Label], 100*sum/4)
			}
		}
	}
	must.That(t, trials["LinUCB"] == trials["LinTS"] && trials["LinUCB"] <= 24 && trials["LinUCB"] >= 20 &&
		trials["Uniform"] <= 0, "trials %v, of a budget of 24", trials)
	for _, policy := range []string{"LinUCB", "LinTS"} {
		best, lowest := "", math.Inf(1)
		for label, by := range shares {
			if len(by) != 2 {
				t.Fatalf("%s: %v", label, by)
			}
			if mean := (by[0] + by[1]) / 2; strings.HasPrefix(label, policy) && mean < lowest {
				best, lowest = strings.TrimPrefix(label, policy+" "), mean
			}
			if best == policy {
				best = "untuned"
			}
		}
		row := regexp.MustCompile(fmt.Sprintf(`(?m)^ %s +%s +%.1f ±`, policy, best, lowest))
		must.That(t, best != "" && row.MatchString(stdout),
			"%s: the lowest is %s with %.1f %%, not in\n%s", policy, best, lowest, stdout)
	}
	held := must.Get(results.LoadMixed(filepath.Join(out, "held-out")))(t)
	must.That(t, len(held) == 2 && held[0].Label == "classes" && held[1].Label == "logistic" &&
		held[0].Policies[0].Records[0].Seed == 1, "judged on %d environments", len(held))
	seen := filepath.Join(dir, "seen")
	exits(t, exit.OK, "run", found, "--out", seen, "--quiet", "--seeds", "101")
	stdout, _ = exits(t, exit.OK, "report", seen, "--cost")
	must.That(t, strings.Count(stdout, "chosen with 1 seed of these in view (101)") == 2*2 && !strings.Contains(stdout, "Uniform: its options"), "%s", stdout)
	stdout, _ = exits(t, exit.OK, "run", found, "--out", filepath.Join(out, "held-out"), "--quiet")
	must.Contain(t, stdout, "(0 run now, ")
	for wrong, change := range map[string][2]string{
		`there is no "wheel" among`:          {"[linear, big]", "[wheel]"},
		"names big twice":                    {"[linear, big]", "[big, big]"},
		"tune.environments is empty":         {"[linear, big]", "[]"},
		"want the same of all environments":  {"environment: logistic", "{environment: logistic, protocol: {rounds: 30}}"},
		"uniformly on rings is not known":    {"{environment: classes, set: {law: twonorm}}", "{environment: classes, name: rings, set: {law: ringnorm}}"},
		"want at least 12: that is what 2 c": {"budget: 24", "budget: 3"},
	} {
		other := must.File(t, "wrong.yaml", strings.Replace(familiesFile, change[0], change[1], 1))
		_, stderr := exits(t, exit.CodeUsage, "tune", other, "--dry-run")
		must.That(t, strings.Contains(stderr, wrong), "%s: %s\nwant %q", change[1], stderr, wrong)
	}
}

// TestTuneMinutes checks that the processor time in the sidecars of a search by minutes is near the budget, and that the same
// command adds no trials.
func TestTuneMinutes(t *testing.T) {
	t.Parallel()
	if !pool.HasMeter() {
		t.Skip("no clock of processor time")
	}
	const budget = 0.005
	dir := t.TempDir()
	text := strings.NewReplacer("budget: 24", fmt.Sprintf("budget: {minutes: %g}", budget), "  halving: {eta: 2, rounds: 20, seeds: 2}\n", "").Replace(familiesFile)
	file, out := must.File(t, "minutes.yaml", text), filepath.Join(dir, "o")
	first, _ := exits(t, exit.OK, "tune", file, "--out", out, "--quiet")
	must.Contain(t, first, "depends on the machine", "tuned less untuned, % of uniform")
	search := filepath.Join(out, "rounds-20")
	spent, trials := map[string]float64{}, 0
	for _, set := range must.Get(results.LoadMixed(search))(t) {
		for _, p := range set.Policies {
			for _, rec := range p.Records {
				trials++
				spent[p.Policy.Name] += must.Get(rec.Sidecar())(t).ProcessorTime() / 60
			}
		}
	}
	for _, policy := range []string{"LinUCB", "LinTS"} {
		if s := spent[policy]; math.Abs(s-budget) > 0.2*budget { // a single garbage collection is 5 % of so short a time
			t.Errorf("%s: %g minutes, want %g", policy, s, budget)
		}
		row := regexp.MustCompile(fmt.Sprintf(`(?m)^ %s .* %.3g$`, policy, spent[policy]))
		must.That(t, row.MatchString(first), "%s: no row ends with %.3g:\n%s", policy, spent[policy], first)
	}
	again, _ := exits(t, exit.OK, "tune", file, "--out", out, "--quiet")
	must.Equal(t, "the second search", again, first)
	must.Equal(t, "trials", len(must.Get(filepath.Glob(filepath.Join(search, results.TrialsDir, "*.jsonl")))(t)), trials)
	other := must.File(t, "wrong.yaml", strings.Replace(familiesFile, "budget: 24", "budget: {minutes: 1}", 1))
	_, stderr := exits(t, exit.CodeUsage, "tune", other, "--dry-run")
	must.Contain(t, stderr, "tune.halving: a budget in minutes")
}
