package results_test

import (
	"encoding/json"
	"log"
	"os"
	"path/filepath"

	"banditsim/bandit"
	"banditsim/internal/report"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/plot"
)

// exampleFolder writes six seeds of two policies, one round each.
func exampleFolder() string {
	dir, err := os.MkdirTemp("", "results")
	if err != nil {
		log.Fatal(err)
	}
	trials := filepath.Join(dir, results.TrialsDir)
	if err := os.Mkdir(trials, 0o755); err != nil {
		log.Fatal(err)
	}
	for policy, regret := range map[string][]float64{"Greedy": {40, 45, 50, 41, 44, 50}, "Thompson": {30, 34, 41, 31, 35, 60}} {
		for k, v := range regret {
			w, err := results.Create(trials, results.Identity{
				Epoch:       results.Epoch,
				Policy:      results.Policy{Name: policy, Options: json.RawMessage(`{}`)},
				Environment: results.Environment{Name: "coin", Arms: []string{"heads", "tails"}, UniformRegret: 3},
				Protocol:    bandit.Protocol{Rounds: 1, Pulls: 20},
				Seed:        uint64(k + 1),
			})
			if err != nil {
				log.Fatal(err)
			}
			if err := w.Record(&bandit.RoundRecord{Round: 1, Realised: v + 1, Expected: v, Arms: []int{10, 10}}); err != nil {
				log.Fatal(err)
			}
			if _, err := w.Finish(nil); err != nil {
				log.Fatal(err)
			}
		}
	}
	return dir
}

func Example() {
	dir := exampleFolder()
	defer os.RemoveAll(dir)
	set, err := results.Load(dir)
	if err != nil {
		log.Fatal(err)
	}
	summary, err := compare.Summarize(set)
	if err != nil {
		log.Fatal(err)
	}
	if err := report.Summary(summary).Render(os.Stdout, report.Text); err != nil {
		log.Fatal(err)
	}
	if err := plot.Regret(filepath.Join(dir, "regret.svg"), []*results.Set{set}, plot.DefaultOptions()); err != nil {
		log.Fatal(err)
	}
	// Output:
	// Thompson has the lowest expected regret, 38 ± 12 over 6 seeds (median 34.5, worst 60.0 on seed 6); the difference to the second, Greedy, is 6.5 [−2.0, 15.0]: not significant (p = 0.107, Holm).
	//
	// Cumulative regret, mean ± half of the 95 % t-interval over 6 seeds (1–6)
	// environment coin, no data file · 1 round × 20 pulls
	//
	//  policy    seeds  expected regret  % of uniform  realised regret  failed
	// ─────────────────────────────────────────────────────────────────────────
	//  Thompson      6          38 ± 12        64.2 %          40 ± 12       0
	//  Greedy        6       45.0 ± 4.5        75.0 %       46.0 ± 4.5       0
	//
	// Expected regret by seed:
	// Thompson:  median 34.5,  best 30.0 (seed 1),  worst 60.0 (seed 6)
	// Greedy:    median 44.5,  best 40.0 (seed 1),  worst 50.0 (seed 3)
}
