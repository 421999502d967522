package harness_test

import (
	"context"
	"fmt"
	"os"
	"time"

	"banditsim/bandit/harness"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/results"
	"banditsim/results/compare"
)

// This example runs an experiment without the command line: two policies on the mushroom data set. The trials are
// written to a folder, which is then read.
func ExampleRunner() {
	dir, err := os.MkdirTemp("", "banditsim")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	ctx, catalog := context.Background(), builtin.Default()
	experiment, err := catalog.Preset("quick")
	if err != nil {
		fmt.Println(err)
		return
	}
	experiment.Policies = []string{"Never", "Always"}
	experiment.Seeds = []uint64{1, 2}
	experiment.Protocol.Rounds, experiment.Protocol.BurnIn = 10, 0
	plan, err := experiment.Resolve(ctx, catalog)
	if err != nil {
		fmt.Println(err)
		return
	}
	runner := harness.Runner{Dir: dir, Workers: 2, Now: time.Now}
	if _, err := runner.Run(ctx, plan); err != nil {
		fmt.Println(err)
		return
	}
	set, err := results.Load(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range compare.Totals(set).Policies {
		fmt.Printf("%s: %.1f over %d seeds\n", p.Policy, p.Regret[compare.Expected()].All.Mean, len(p.Seeds))
	}
	// Output:
	// Never: 532.5 over 2 seeds
	// Always: 1402.5 over 2 seeds
}
