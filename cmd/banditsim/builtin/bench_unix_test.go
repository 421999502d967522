//go:build unix

package builtin_test

import (
	"syscall"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/internal/must"
	"banditsim/policy"
)

// BenchmarkPull measures Act and Learn of each policy with default options on the mushroom contexts, without the training
// at the end of a round. It also reports processor time, which other programs disturb less.
func BenchmarkPull(b *testing.B) {
	c := builtin.Default()
	e := must.Get(c.Preset("mushroom-paper"))(b)
	e.Policies = nil
	for _, p := range c.Policies() {
		e.Policies = append(e.Policies, p.Name)
	}
	plan := resolve(b, e, c)
	env := must.Get(plan.Environments[0].World.New(stream.Root(1)))(b)
	spec := env.Spec()
	const n = 1000
	rounds, outcomes := make([]bandit.Round, n), make([]bandit.Outcome, n)
	for i := range rounds {
		rounds[i] = bandit.Round{T: i + 1, Context: make([]float32, spec.Dim)}
		outcomes[i] = bandit.Outcome{Reward: make([]float64, len(spec.Arms)), Mean: make([]float64, len(spec.Arms))}
		must.OK(b, env.Next(&rounds[i], &outcomes[i]))
	}
	for _, cell := range plan.Cells {
		b.Run(cell.Label, func(b *testing.B) {
			p := must.Get(cell.NewPolicy(policy.Setup{Spec: spec, Protocol: cell.Protocol, Stream: stream.Root(2)}))(b)
			b.ReportAllocs()
			start := processorTime(b)
			for i := 0; b.Loop(); i++ {
				r := rounds[i%n]
				arm, err := p.Act(r)
				if y, ok := p.(bandit.OutcomeActor); ok {
					arm, err = y.ActOnOutcome(r, outcomes[i%n])
				}
				if err == nil {
					if y, ok := p.(bandit.OutcomeLearner); ok {
						err = y.LearnOutcome(r, arm, outcomes[i%n])
					} else {
						err = p.Learn(r, arm, outcomes[i%n].Reward[arm])
					}
				}
				must.OK(b, err)
			}
			b.ReportMetric(float64(processorTime(b)-start)/float64(b.N), "cpu-ns/op")
		})
	}
}

// processorTime returns the nanoseconds of processor time of this process.
func processorTime(b *testing.B) int64 {
	var u syscall.Rusage
	must.OK(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return u.Utime.Nano() + u.Stime.Nano()
}
