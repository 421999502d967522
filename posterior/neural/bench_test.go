package neural

import (
	"math"
	"testing"
	"time"

	"banditsim/bandit/stream"
	"banditsim/internal/kernel"
	"banditsim/internal/must"
	"banditsim/posterior"
)

// likeMushrooms returns a network whose buffer is full of rows like those of the mushroom data, with 22 ones of 117, and the last
// contexts.
func likeMushrooms(t testing.TB, k posterior.Kind[LangevinOptions], o LangevinOptions) (n *Network, contexts [][]float32) {
	t.Helper()
	const dim, ones, arms = 117, 22, 2
	setup := posterior.Setup{Dim: dim, Arms: arms, Rounds: 2000, Stream: stream.Root(1).Child("policy")}
	n = must.Get(k.New(o, setup))(t).(*Network)
	r := stream.Root(1).Child("data")
	for range o.Buffer {
		context := make([]float32, dim)
		for j := range ones {
			context[j*dim/ones+r.IntN(5)] = 1
		}
		contexts = append(contexts, context)
		must.OK(t, n.Observe(context, r.IntN(arms), float64(r.IntN(2)*40-35)))
	}
	return n, contexts[o.Buffer-20:]
}

// BenchmarkStep measures a gradient step of one chain of each posterior of Paper: batch, forward, backward, noise and update. The
// learning rate is zero, so that the network stays as initialized, with about half of its hidden units active: in a trial of the paper
// this share is 0.75 at first, then 0.6, and less than 0.5 after 50,000 steps.
func BenchmarkStep(b *testing.B) {
	for _, k := range Paper() {
		b.Run(k.Name, func(b *testing.B) {
			n, _ := likeMushrooms(b, k, k.Defaults())
			langevin(n).LearningRate = 0
			for b.Loop() {
				must.OK(b, n.sampler.Step(n.chains))
			}
			steps := float64(b.N * len(n.chains))
			step := float64(b.Elapsed().Nanoseconds()) / steps
			b.ReportMetric(step/1e6, "ms/step")
			// Multiply-adds of the dense products, and the sums of the sparse layer as if they were multiply-adds.
			const operations = 2 * 512 * (3*100*100 + 3*100*2 + 2*22*100)
			limit := math.Inf(1)
			for range 20 {
				start := time.Now()
				done := kernel.Peak(20_000)
				limit = min(limit, operations/done*float64(time.Since(start).Nanoseconds()))
			}
			b.ReportMetric(step/limit, "×limit")
		})
	}
}
