package compare_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/bandit/harness"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/results"
	"banditsim/results/compare"
)

// An experiment of two policies on ten seeds, its trial files, and from these the curves of regret by round.
func ExampleCurves() {
	dir, err := os.MkdirTemp("", "banditsim")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ctx, catalog := context.Background(), builtin.Default()
	plan, err := experiment.Experiment{
		Name:        "two",
		Environment: "linear",
		Policies:    []string{"LinUCB", "Uniform"},
		Protocol:    bandit.Protocol{Rounds: 20, Pulls: 10},
		Seeds:       []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
	}.Resolve(ctx, catalog)
	if err != nil {
		log.Fatal(err)
	}
	runner := harness.Runner{Dir: dir, Workers: 2, Now: time.Now}
	if _, err := runner.Run(ctx, plan); err != nil {
		log.Fatal(err)
	}
	set, err := results.Load(dir)
	if err != nil {
		log.Fatal(err)
	}
	curves, err := compare.Curves(set, compare.CurveOptions{
		Metric: compare.Expected(), View: compare.Cumulative, Band: compare.TBand, From: 1, To: compare.LastRound, Points: 5,
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range curves {
		fmt.Println(c.Policy)
		for i, round := range c.Rounds {
			fmt.Printf("  up to round %2d: %.1f [%.1f, %.1f]\n", round, c.Regret[i].Mean, c.Regret[i].Low, c.Regret[i].High)
		}
	}
	// Output:
	// LinUCB
	//   up to round  0: 0.0 [0.0, 0.0]
	//   up to round  5: 54.6 [49.2, 60.1]
	//   up to round 10: 69.5 [63.4, 75.6]
	//   up to round 15: 74.7 [67.4, 82.0]
	//   up to round 20: 78.0 [69.6, 86.4]
	// Uniform
	//   up to round  0: 0.0 [0.0, 0.0]
	//   up to round  5: 61.9 [58.6, 65.2]
	//   up to round 10: 119.6 [115.2, 124.1]
	//   up to round 15: 177.4 [168.2, 186.6]
	//   up to round 20: 234.2 [223.7, 244.7]
}
