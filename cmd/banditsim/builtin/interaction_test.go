package builtin_test

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"banditsim/cmd/banditsim/builtin"
	"banditsim/internal/lists"
	"banditsim/internal/must"
	"banditsim/internal/words"
	"banditsim/results/stats"
)

// A trialRow is a row of the trials.csv of results/reference/interaction or images.
type trialRow struct {
	environment, policy string
	seed                uint64
	expected            float64 // regret of all rounds
	stopped             bool    // 99 % of the last 600 pulls are of one arm, with a regret above a tenth of the uniform policy's
	id, sum             string
}

// trialsCSV returns the rows of a CSV file in results/reference as maps from column to value.
func trialsCSV(t *testing.T, name string) (rows []map[string]string) {
	t.Helper()
	b := must.Get(os.ReadFile(referenceDir(name)))(t)
	if strings.HasSuffix(name, ".gz") {
		b = must.Get(io.ReadAll(must.Get(gzip.NewReader(bytes.NewReader(b)))(t)))(t)
	}
	records := must.Get(csv.NewReader(bytes.NewReader(b)).ReadAll())(t)
	for _, record := range records[1:] {
		row := make(map[string]string)
		for i, value := range record {
			row[records[0][i]] = value
		}
		rows = append(rows, row)
	}
	return rows
}

// trialRows returns the rows of results/reference/interaction or images.
func trialRows(t *testing.T, name string) (trials []trialRow) {
	t.Helper()
	for _, row := range trialsCSV(t, name+"/trials.csv") {
		seed := must.Get(strconv.ParseUint(row["seed"], 10, 64))(t)
		regret := must.Get(strconv.ParseFloat(row["expected"], 64))(t)
		trials = append(trials, trialRow{environment: row["environment"], policy: row["policy"], seed: seed, expected: regret,
			stopped: row["stopped"] == "true", id: row["trial"], sum: row["sha256"]})
	}
	return trials
}

// TestInteraction checks that the experiment has the identities of the committed trials, and that these give the table in
// docs/samplers.md.
func TestInteraction(t *testing.T) {
	t.Parallel()
	trials := trialRows(t, "interaction")
	e := must.Get(builtin.Default().ReadFile(filepath.Join(referenceDir("interaction"), "experiment.yaml")))(t)
	for _, c := range resolve(t, e, builtin.Default()).Cells {
		id := c.ID()
		if !slices.ContainsFunc(trials, func(r trialRow) bool { return r.id == id }) {
			t.Fatalf("%s, seed %d, is not among the committed trials: options, protocol or data have changed", c.FullLabel(), c.Seed)
		}
	}
	must.Equal(t, "trials are committed", len(trials), 600)
	page := must.Get(os.ReadFile("../../../docs/samplers.md"))(t)
	for _, environment := range e.Environments {
		for _, policy := range e.Policies {
			regrets := regretsOf(trials, environment.Name, policy)
			var stops int
			for _, r := range trials {
				if r.environment == environment.Name && r.policy == policy && r.stopped {
					stops++
				}
			}
			low, high := stats.ClopperPearson(stops, len(regrets))
			row := fmt.Sprintf("| %s | %s | %s | %s | %s | %d %% [%.0f, %.0f] | %s |", environment.Name, policy, stats.NewEstimate(regrets),
				words.Amount(stats.Median(regrets)), words.Amount(slices.Max(regrets)), stops*100/len(regrets), 100*low, 100*high, less(trials, environment.Name, policy, "pICSGLD"))
			must.That(t, bytes.Contains(page, []byte(row+"\n")), "docs/samplers.md has no row %s", row)
		}
	}
}

// regretsOf returns the regrets of a policy in the order of seeds.
func regretsOf(trials []trialRow, environment, policy string) []float64 {
	var rows []trialRow
	for _, r := range trials {
		if r.environment == environment && r.policy == policy {
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, func(a, b trialRow) int { return int(a.seed) - int(b.seed) })
	return lists.Each(rows, func(r trialRow) float64 { return r.expected })
}

// less returns the regret of a policy minus that of another on the same seeds, as mean and interval, or – if both are the
// same policy.
func less(trials []trialRow, environment, policy, other string) string {
	if policy == other {
		return "–"
	}
	differences := regretsOf(trials, environment, policy)
	for i, v := range regretsOf(trials, environment, other) {
		differences[i] -= v
	}
	d := stats.NewEstimate(differences)
	return d.MeanText() + " " + d.Interval()
}
