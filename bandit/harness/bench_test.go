package harness_test

import (
	"context"
	"testing"
	"time"

	"banditsim/bandit/harness"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/internal/must"
)

// BenchmarkTrial runs a whole short trial from setup to the file: 80 rounds, of which the last 29 train 4 chains by 16 steps.
func BenchmarkTrial(b *testing.B) {
	ctx, catalog := context.Background(), builtin.Default()
	for _, policy := range []string{"pICSGLD", "Dropout"} {
		b.Run(policy, func(b *testing.B) {
			experiment := must.Get(catalog.Preset("quick"))(b)
			experiment.Policies = []string{policy}
			experiment.Seeds = []uint64{1}
			experiment.Protocol.Rounds = 80
			plan := must.Get(experiment.Resolve(ctx, catalog))(b)
			rounds := int64(0)
			for b.Loop() {
				var progress harness.Progress
				runner := harness.Runner{Dir: b.TempDir(), Workers: 1, Now: time.Now, Progress: &progress}
				if s, err := runner.Run(ctx, plan); err != nil || s.Run != 1 {
					b.Fatal(s, err)
				}
				rounds = progress.Total()
			}
			steps := float64(b.N) * float64(rounds) * 4 * 16
			b.ReportMetric(float64(b.Elapsed().Microseconds())/1e3/steps, "ms/step")
			b.ReportMetric(float64(rounds), "rounds")
		})
	}
}
