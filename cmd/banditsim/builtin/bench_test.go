package builtin_test

import (
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/policy"
)

// BenchmarkPull is a pull with its update of policies without a network, on the mushroom contexts.
func BenchmarkPull(b *testing.B) {
	c := builtin.Default()
	e, err := c.Preset("quick")
	if err != nil {
		b.Fatal(err)
	}
	e.Data = "replica"
	e.Policies = []string{"LinUCB", "LinTS", "LinSquareCB", "UCB1", "KLUCB", "BetaTS"}
	plan := resolve(b, e, c)
	env, err := plan.World.New(stream.Root(1))
	if err != nil {
		b.Fatal(err)
	}
	spec := env.Spec()
	const n = 1000
	rounds, outcomes := make([]bandit.Round, n), make([]bandit.Outcome, n)
	for i := range rounds {
		rounds[i] = bandit.Round{T: i + 1, Context: make([]float32, spec.Dim)}
		outcomes[i] = bandit.Outcome{Reward: make([]float64, len(spec.Arms)), Mean: make([]float64, len(spec.Arms))}
		if err := env.Next(&rounds[i], &outcomes[i]); err != nil {
			b.Fatal(err)
		}
	}
	for _, cell := range plan.Cells {
		b.Run(cell.Label, func(b *testing.B) {
			p, err := cell.NewPolicy(policy.Setup{Spec: spec, Protocol: cell.Protocol, Stream: stream.Root(2)})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				r := rounds[i%n]
				arm, err := p.Act(r)
				if err == nil {
					err = p.Learn(r, arm, outcomes[i%n].Reward[arm])
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
