package builtin_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"banditsim/cmd/banditsim/builtin"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/stats"
)

// A trialRow is a row of the trials.csv of results/reference/interaction or images.
type trialRow struct {
	environment, policy string
	seed                uint64
	expected            float64 // regret of all rounds
	stopped             bool    // see stopped
	id, sum             string
}

// stopped reports whether a policy has settled on an arm that is not the best: in the last 600 pulls 99 % are of one
// arm, and their regret is more than a tenth of that of acting uniformly.
func stopped(rec results.Record) (bool, error) {
	const last = 30 // rounds, of 20 pulls each
	var arms []int
	pulls, regret := 0, 0.0
	for r, err := range rec.Rounds() {
		if err != nil {
			return false, err
		}
		if r.Round <= rec.Totals.Rounds-last {
			continue
		}
		arms = append(arms, make([]int, len(r.Arms)-len(arms))...)
		for a, n := range r.Arms {
			arms[a] += n
			pulls += n
		}
		regret += r.Expected
	}
	uniform := float64(rec.Environment.UniformRegret) * float64(pulls)
	return float64(slices.Max(arms)) >= 0.99*float64(pulls) && regret > uniform/10, nil
}

// trialRows reads the rows of a folder of results/reference. With -update they are first written from those of the folder of a
// run, which an environment variable names, such as BANDITSIM_RUN_INTERACTION.
func trialRows(t *testing.T, name string) []trialRow {
	t.Helper()
	path := filepath.Join(referenceDir(name), "trials.csv")
	if dir := os.Getenv("BANDITSIM_RUN_" + strings.ToUpper(name)); *update && dir != "" {
		writeTrialRows(t, dir, path)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var trials []trialRow
	for _, row := range rows[1:] {
		seed, err := strconv.ParseUint(row[2], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		regret, err := strconv.ParseFloat(row[3], 64)
		if err != nil {
			t.Fatal(err)
		}
		trials = append(trials, trialRow{environment: row[0], policy: row[1], seed: seed, expected: regret,
			stopped: row[4] == "true", id: row[5], sum: row[6]})
	}
	return trials
}

// writeTrialRows writes the rows of a run's folder, but for seeds that not every policy has finished.
func writeTrialRows(t *testing.T, dir, path string) {
	t.Helper()
	sets, err := results.LoadMixed(dir)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	b.WriteString("environment,policy,seed,expected,stopped,trial,sha256\n")
	for _, set := range sets {
		finished := map[uint64]int{}
		for _, p := range set.Policies {
			for _, rec := range p.Records {
				finished[rec.Seed]++
			}
		}
		for _, p := range set.Policies {
			for _, rec := range p.Records {
				if finished[rec.Seed] < len(set.Policies) {
					continue
				}
				stop, err := stopped(rec)
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(&b, "%s,%s,%d,%s,%t,%s,%x\n", set.Label, p.Label, rec.Seed, words.Exact(rec.Totals.Expected), stop, rec.ID(), rec.Sum)
			}
		}
	}
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestInteraction: the experiment has the identities of the committed trials, and the table of docs/samplers.md is
// that of their rows.
func TestInteraction(t *testing.T) {
	t.Parallel()
	trials := trialRows(t, "interaction")
	e, err := builtin.Default().ReadFile(filepath.Join(referenceDir("interaction"), "experiment.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range resolve(t, e, builtin.Default()).Cells {
		if !slices.ContainsFunc(trials, func(r trialRow) bool { return r.id == c.ID() }) {
			t.Fatalf("%s, seed %d, is not among the committed trials: options, protocol or data have changed", c.FullLabel(), c.Seed)
		}
	}
	if len(trials) != 600 {
		t.Errorf("%d trials are committed, want 600", len(trials))
	}
	page, err := os.ReadFile("../../../docs/samplers.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, environment := range e.Environments {
		baseline := regretsOf(trials, environment.Name, "pICSGLD")
		for _, policy := range e.Policies {
			regrets := regretsOf(trials, environment.Name, policy)
			var stops int
			var differences []float64
			for _, r := range trials {
				if r.environment == environment.Name && r.policy == policy && r.stopped {
					stops++
				}
			}
			for i, v := range regrets {
				differences = append(differences, v-baseline[i])
			}
			against := "–"
			if policy != "pICSGLD" {
				d := stats.NewEstimate(differences)
				against = d.MeanText() + " " + d.Interval()
			}
			low, high := stats.ClopperPearson(stops, len(regrets))
			row := fmt.Sprintf("| %s | %s | %s | %s | %s | %d %% [%.0f, %.0f] | %s |", environment.Name, policy, stats.NewEstimate(regrets),
				words.Amount(stats.Median(regrets)), words.Amount(slices.Max(regrets)), stops*100/len(regrets), 100*low, 100*high, against)
			if !bytes.Contains(page, []byte(row+"\n")) {
				t.Errorf("docs/samplers.md has no row %s", row)
			}
		}
	}
}

// regretsOf returns the regrets of a policy by seed.
func regretsOf(trials []trialRow, environment, policy string) []float64 {
	var rows []trialRow
	for _, r := range trials {
		if r.environment == environment && r.policy == policy {
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, func(a, b trialRow) int { return int(a.seed) - int(b.seed) })
	var regrets []float64
	for _, r := range rows {
		regrets = append(regrets, r.expected)
	}
	return regrets
}

// TestInteractionTrial runs one trial again and compares it with the committed sum.
func TestInteractionTrial(t *testing.T) {
	if os.Getenv("BANDITSIM_LONG") == "" {
		t.Skip("seconds: BANDITSIM_LONG=1")
	}
	e, err := builtin.Default().ReadFile(filepath.Join(referenceDir("interaction"), "experiment.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	e.Environments, e.Policies, e.Seeds = e.Environments[3:], []string{"pICSGLD"}, []uint64{601}
	dir := t.TempDir()
	plan := resolve(t, e, builtin.Default())
	mustRun(t, dir, 1, plan)
	rec, err := results.ReadRecord(filepath.Join(dir, results.TrialsDir, plan.Cells[0].FileName()))
	if err != nil {
		t.Fatal(err)
	}
	rows := trialRows(t, "interaction")
	i := slices.IndexFunc(rows, func(r trialRow) bool { return r.id == rec.ID() })
	if i < 0 {
		t.Fatalf("trial %s is not among the %d committed ones: options, protocol or data have changed", rec.ID(), len(rows))
	}
	if got := fmt.Sprintf("%x", rec.Sum); got != rows[i].sum {
		t.Errorf("the trial has SHA-256 %s, want %s", got, rows[i].sum)
	}
}
