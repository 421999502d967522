package builtin_test

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/internal/must"
	"banditsim/internal/report"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/plot"
	"banditsim/results/stats"
)

// A showdownTrial is a row of the showdown's trials.csv.gz, which results/reference/renew wrote. Hashes are shortened to
// hashDigits.
type showdownTrial struct {
	id, sum string
	seed    uint64
	totals  results.Totals
}

const hashDigits = 16

func showdownTrials(t *testing.T) map[string]showdownTrial {
	t.Helper()
	trials := make(map[string]showdownTrial)
	for _, row := range trialsCSV(t, "showdown/trials.csv.gz") {
		number := func(name string) float64 { return must.Get(strconv.ParseFloat(row[name], 64))(t) }
		s := showdownTrial{id: row["trial"], sum: row["sha256"], seed: uint64(number("seed")), totals: results.Totals{
			Rounds: int(number("rounds")), Realised: number("realised"), Expected: number("expected"),
			RealisedAfter: number("realised_after"), ExpectedAfter: number("expected_after"), Mistakes: int(number("mistakes")),
		}}
		if row["failed"] == "true" {
			s.totals.Failure = &results.Failure{Round: s.totals.Rounds + 1}
		}
		trials[s.id] = s
	}
	return trials
}

// showdownSets returns sets like those that results.LoadMixed would read from the files of the trials.
func showdownSets(trials map[string]showdownTrial, plan *experiment.Plan) []*results.Set {
	var sets []*results.Set
	for _, c := range plan.Cells {
		s, ok := trials[c.ID()[:hashDigits]]
		if !ok {
			continue
		}
		i := slices.IndexFunc(sets, func(set *results.Set) bool { return set.Label == c.EnvironmentLabel })
		if i < 0 {
			i = len(sets)
			sets = append(sets, &results.Set{Label: c.EnvironmentLabel, Named: true, Conditions: results.Conditions{Epoch: c.Epoch, Environment: c.Environment, Protocol: c.Protocol}})
		}
		set := sets[i]
		p := set.Find(c.Label)
		if p == nil {
			set.Policies = append(set.Policies, results.PolicyRecords{Label: c.Label, Policy: c.Policy})
			p = &set.Policies[len(set.Policies)-1]
		}
		p.Records = append(p.Records, results.Record{Conditions: &set.Conditions, Policy: &p.Policy, Seed: s.seed, Totals: s.totals})
	}
	slices.SortFunc(sets, func(a, b *results.Set) int { return cmp.Compare(a.Label, b.Label) })
	for _, set := range sets {
		slices.SortFunc(set.Policies, func(a, b results.PolicyRecords) int { return cmp.Compare(a.Label, b.Label) })
		for i := range set.Policies {
			slices.SortFunc(set.Policies[i].Records, func(a, b results.Record) int { return cmp.Compare(a.Seed, b.Seed) })
		}
	}
	return sets
}

// TestShowdown checks that the preset has the identities of the committed trials, and that their totals give the committed
// comparison and figures and the rows of the tables in docs/showdown.md.
func TestShowdown(t *testing.T) {
	t.Parallel()
	trials := showdownTrials(t)
	seeds := make(map[uint64]bool)
	for _, s := range trials {
		seeds[s.seed] = true
	}
	plan := presetPlan(t, "showdown", slices.Sorted(maps.Keys(seeds)), nil)
	if len(plan.Policies) != 41 || len(plan.Environments) != 40 || len(plan.Cells) != 41*40*len(seeds) {
		t.Errorf("%d policies, %d environments, %d trials, want what docs/showdown.md says", len(plan.Policies), len(plan.Environments), len(plan.Cells))
	}
	for _, c := range plan.Cells {
		if _, ok := trials[c.ID()[:hashDigits]]; !ok {
			t.Fatalf("%s, seed %d, is not among the committed trials: options, protocol or data have changed", c.FullLabel(), c.Seed)
		}
	}
	must.Equal(t, "trials are committed", len(trials), len(plan.Cells))
	sets := showdownSets(trials, plan)
	across := must.Get(compare.CompareAcross(sets, compare.Expected(), ""))(t)
	var got bytes.Buffer
	must.OK(t, report.Across(across).Render(&got, report.Markdown))
	golden(t, filepath.Join(referenceDir("showdown"), "comparison.md"), got.Bytes())
	o, families, order := plot.DefaultOptions(), builtin.Default().Families(sets), results.Order(sets)
	for name, figure := range map[string]plot.Figure{"ranks.svg": plot.Ranks(across),
		"profile.svg": plot.Profiles(across, families, order, &o), "aggregate.svg": plot.Aggregates(across, families, order, &o)} {
		golden(t, filepath.Join(referenceDir("showdown"), name), must.Get(plot.SVG(figure))(t))
	}
	page := must.Get(os.ReadFile("../../../docs/showdown.md"))(t)
	var known []string // rows that the page may have
	for _, p := range across.Policies {
		known = append(known, fmt.Sprintf("| %s | %.2f | %d | %s | %s |", p.Policy, p.MeanRank, p.Best, words.Percent(float64(p.OfUniform)), words.Percent(float64(p.AboveBest))))
	}
	for _, set := range sets {
		for _, p := range compare.Totals(set).Policies {
			r := p.Regret[compare.Expected()]
			known = append(known, fmt.Sprintf("| %s | %s | %s | %s | %s | %s (seed %d) |", set.Label, p.Policy, r.All,
				words.Percent(float64(r.Percent)), words.Amount(float64(r.Median)), words.Amount(r.Worst.Regret), r.Worst.Seed))
		}
	}
	_, results, _ := strings.Cut(string(page), "\n## Results\n")
	results, _, _ = strings.Cut(results, "\n## ")
	lines := strings.Split(results, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "| ") && !slices.Contains(known, line) && !strings.HasPrefix(line, "| ---") && !strings.HasPrefix(lines[i+1], "| ---") {
			t.Errorf("no trials say %s", line)
		}
	}
	place := make(map[string]int) // by mean rank
	for i, p := range across.Policies {
		place[p.Policy] = i
	}
	differ, alike := 0, len(place) // alike: number of policies, from the first on, of which no two differ
	for _, pair := range across.Pairs {
		if float64(pair.Holm) < stats.Significance {
			differ++
			alike = min(alike, max(place[pair.Policy], place[pair.Other]))
		}
	}
	for _, says := range []string{fmt.Sprintf("of %d pairs of policies %d differ", len(across.Pairs), differ), fmt.Sprintf("Of the first %d by mean rank no two differ", alike)} {
		must.That(t, strings.Contains(string(page), says), "docs/showdown.md does not say: %s", says)
	}
	if testing.Verbose() {
		t.Log(strings.Join(known, "\n"))
	}
}

// TestShowdownTrials runs five policies on one seed in three environments, and compares the trials with the committed
// checksums.
func TestShowdownTrials(t *testing.T) {
	if os.Getenv("BANDITSIM_LONG") == "" {
		t.Skip("a minute: BANDITSIM_LONG=1")
	}
	trials := showdownTrials(t)
	plan := presetPlan(t, "showdown", []uint64{1}, nil)
	plan.Cells = slices.DeleteFunc(plan.Cells, func(c experiment.Cell) bool {
		return !slices.Contains([]string{"LinUCB", "Cover", "kNNUCB", "NeuralTS", "pICSGLD"}, c.Label) ||
			!slices.Contains([]string{"mushroom", "wheel 0.9", "digits"}, c.EnvironmentLabel)
	})
	must.Hold(t, len(plan.Cells) == 15, "%d trials, want 15", len(plan.Cells))
	dir := t.TempDir()
	mustRun(t, dir, 2, plan)
	for _, c := range plan.Cells {
		rec := must.Get(results.ReadRecord(filepath.Join(dir, results.TrialsDir, c.FileName())))(t)
		must.Equal(t, c.FullLabel()+" has SHA-256", fmt.Sprintf("%x", rec.Sum)[:hashDigits], trials[c.ID()[:hashDigits]].sum)
	}
}

// TestPresetsResolve checks that every preset but the showdown resolves, which builds each policy in each environment.
func TestPresetsResolve(t *testing.T) {
	t.Parallel()
	c := builtin.Default()
	for _, entry := range c.Presets() {
		if entry.Name == "showdown" {
			continue
		}
		e := must.Get(c.Preset(entry.Name))(t)
		must.Equal(t, "name in the file of "+entry.Name, e.Name, entry.Name)
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
