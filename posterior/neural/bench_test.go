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

// BenchmarkStep is one gradient step of one chain of each of the six: batch, forward, backward, noise and update. The
// buffer is full of rows like the mushrooms': 22 ones of 117. The learning rate is zero, so that the network stays as
// it was drawn, with about half of its hidden units active: in a trial of the paper that is 0.75 at first, then 0.6,
// and less than 0.5 after 50,000 steps.
func BenchmarkStep(b *testing.B) {
	for _, k := range Paper() {
		b.Run(k.Name, func(b *testing.B) {
			o := k.Defaults()
			const dim, ones, arms = 117, 22, 2
			p, err := k.New(o, posterior.Setup{Dim: dim, Arms: arms, Rounds: 2000, Stream: stream.Root(1).Child("policy")})
			if err != nil {
				b.Fatal(err)
			}
			n := p.(*Network)
			r := stream.Root(1).Child("data")
			context := make([]float32, dim)
			for range o.Buffer {
				clear(context)
				for j := range ones {
					context[j*dim/ones+r.IntN(5)] = 1
				}
				must.OK(b, n.Observe(context, r.IntN(arms), float64(r.IntN(2)*40-35)))
			}
			langevin(n).LearningRate = 0
			for b.Loop() {
				must.OK(b, n.sampler.Step(n.chains))
			}
			steps := float64(b.N * len(n.chains))
			step := float64(b.Elapsed().Nanoseconds()) / steps
			b.ReportMetric(step/1e6, "ms/step")
			// Multiply-adds of the dense products, and the sums of the sparse layer as if they were multiply-adds.
			const operations = 2 * 512 * (3*100*100 + 3*100*arms + 2*ones*100)
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
