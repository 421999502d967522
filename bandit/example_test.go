package bandit_test

import (
	"context"
	"fmt"
	"log"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/datasets/synthetic"
	"banditsim/policy"
)

// A curve is a Recorder that keeps the cumulative expected regret after each round.
type curve []float64

func (c *curve) Record(r *bandit.RoundRecord) error {
	total := r.Expected
	if n := len(*c); n > 0 {
		total += (*c)[n-1]
	}
	*c = append(*c, total)
	return nil
}

// This example runs a trial without files: one environment, one policy and one seed. It prints the cumulative regret by
// round. Package harness runs whole experiments; package results/compare computes their curves over many seeds.
func Example() {
	ctx := context.Background()
	world, err := synthetic.Bernoulli().Open(ctx, synthetic.BernoulliOptions{Means: []float64{0.6, 0.5, 0.4}}, "")
	if err != nil {
		log.Fatal(err)
	}
	draws, own, burnIn := stream.Trial(1)
	env, err := world.New(draws)
	if err != nil {
		log.Fatal(err)
	}
	protocol := bandit.Protocol{Rounds: 6, Pulls: 100, BurnIn: 30}
	setup := policy.Setup{Spec: env.Spec(), Protocol: protocol, Stream: own}
	thompson, err := policy.BetaTSKind().New(policy.BetaTSKind().Defaults(), setup)
	if err != nil {
		log.Fatal(err)
	}
	var regret curve
	trial, err := bandit.NewTrial(env, thompson, protocol, burnIn, &regret)
	if err != nil {
		log.Fatal(err)
	}
	if err := trial.Run(ctx); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("regret up to each round: %.1f\n", []float64(regret))
	// Output: regret up to each round: [9.2 10.4 11.2 13.5 15.1 17.6]
}
