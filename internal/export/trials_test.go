package export

import (
	"fmt"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/internal/must"
	"banditsim/results"
)

// TestExportTrials checks that a row has the totals and scores of its trial.
func TestExportTrials(t *testing.T) {
	set := exportable(t)
	steps := int64(77)
	score := results.NewScore(bandit.ScoreOptions{Contexts: 2, Draws: 2, Noise: 1}, bandit.Score{LogLoss: 1, JointLogLoss: 2.5, Calibration: 0.25}, nil)
	must.OK(t, results.WriteSidecar(set.Policies[0].Records[0].Path, results.Sidecar{Label: set.Policies[0].Label, Steps: &steps, Score: score}))
	// A sidecar of a version that did not count steps.
	must.OK(t, results.WriteSidecar(set.Policies[0].Records[1].Path, results.Sidecar{Label: set.Policies[0].Label}))
	set = must.Get(results.Load(set.Dir))(t)
	names := strings.Fields("trial setting policy options seed failed rounds realised expected realised_after expected_after mistakes sha256 steps log_loss joint_log_loss calibration_error")
	got := cells(t, written(t, Options{Of: Trials, PolicyOptions: true}, set), names...)
	var want [][]string
	for _, p := range set.Policies {
		for _, rec := range p.Records {
			of := rec.Totals
			row := texts(rec.ID(), set.Label, p.Label, string(p.Policy.Options), rec.Seed, of.Failure != nil, of.Rounds, decimal(of.Realised), decimal(of.Expected),
				decimal(of.RealisedAfter), decimal(of.ExpectedAfter), of.Mistakes, fmt.Sprintf("%x", rec.Sum))
			scores := []string{"", "", "", ""}
			if len(want) == 0 {
				scores = []string{"77", "1.0", "2.5", "0.25"}
			}
			want = append(want, append(row, scores...))
		}
	}
	must.Equal(t, "rows", got, want)
}
