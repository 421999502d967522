package plugin

import (
	"fmt"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/policy"
)

// BenchmarkPlugin plays a policy in Python with contexts of 22 numbers and 2 arms: act and learn, for 1 and for 20 pulls at a time.
func BenchmarkPlugin(b *testing.B) {
	program := python(b, "def act(self, context): return int(context[0] > 0)") // cheap, so that messages take most of the time
	spec := bandit.Spec{Dim: 22, Arms: []string{"a", "b"}, IgnoresActions: true}
	for _, batch := range []int{1, 20} {
		b.Run(fmt.Sprintf("batch=%d", batch), func(b *testing.B) {
			p := must.Get(NewPolicy(program, policy.Setup{Spec: spec, Protocol: bandit.Protocol{Rounds: 1, Pulls: batch}, Stream: stream.Root(1)}))(b)
			child := p.(*childPolicy)
			defer child.Close()
			rounds, arms := make([]bandit.Round, batch), make([]int, batch)
			for i := range rounds {
				rounds[i] = bandit.Round{T: i + 1, Row: -1, Context: make([]float32, spec.Dim)}
				stream.Root(2).Child(i).Normals(rounds[i].Context)
			}
			play := func() {
				must.OK(b, child.ActBatch(arms, rounds))
				for i, r := range rounds {
					must.OK(b, child.Learn(r, arms[i], 1))
				}
			}
			play() // the start of the child does not count
			b.ReportAllocs()
			pulls := 0
			for b.Loop() {
				play()
				pulls += batch
			}
			b.ReportMetric(float64(pulls)/b.Elapsed().Seconds(), "pulls/s")
		})
	}
}
