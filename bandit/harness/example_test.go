package harness_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/bandit/harness"
	"banditsim/bandit/stream"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/policy"
	"banditsim/posterior/exact"
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

// A shop is a custom environment. On average a banner pays 1, and a video 1 plus the first number of the context.
type shop struct{ *stream.Stream }

func (shop) Spec() bandit.Spec { return bandit.Spec{Dim: 2, Arms: []string{"banner", "video"}} }

func (s shop) Next(r *bandit.Round, o *bandit.Outcome) error {
	s.Normals(r.Context)
	r.Row, o.Mean[0], o.Mean[1] = -1, 1, 1+float64(r.Context[0])
	o.Reward[0], o.Reward[1] = o.Mean[0]+s.Float64()-0.5, o.Mean[1]+s.Float64()-0.5
	return nil
}

// This example compares two policies in a custom environment. The trials are kept in memory.
func Example() {
	set, err := harness.Play(context.Background(), experiment.Game{
		Name: "shop", Environment: func(r *stream.Stream) (bandit.Environment, error) { return shop{r}, nil },
		Policies: []experiment.NamedPolicy{
			experiment.WithDefaults(policy.UCBKind(exact.Linear(), 1)), experiment.WithDefaults(policy.GaussianTSKind()),
		},
		Protocol: bandit.Protocol{Rounds: 100, Pulls: 10}, Seeds: []uint64{1, 2, 3, 4, 5, 6, 7, 8},
	})
	if err != nil {
		log.Fatal(err)
	}
	summary, err := compare.Conclude(set)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(summary.Sentences[0])
	// Output:
	// Linear has the lowest expected regret, 4.4 ± 1.7 over 8 seeds (median 3.50, worst 7.38 on seed 6); the difference to the second, GaussianTS, is 386 [374, 399]: significant (p < 0.001, Holm).
}
