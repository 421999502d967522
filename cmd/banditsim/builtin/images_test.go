package builtin_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"banditsim/bandit/experiment"
	"banditsim/cmd/banditsim/builtin"
	"banditsim/datasets/images"
	"banditsim/internal/must"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/stats"
)

// onMNIST returns the experiment of results/reference/images and its plan, without reading the files of MNIST: the identities
// in the plan are right, but it cannot be run.
func onMNIST(t *testing.T) (experiment.Experiment, *experiment.Plan) {
	t.Helper()
	e := must.Get(builtin.Default().ReadFile(filepath.Join(referenceDir("images"), "experiment.yaml")))(t)
	e.Data = images.Digits
	plan := resolve(t, e, builtin.Default())
	for i := range plan.Cells {
		plan.Cells[i].Environment.Data = results.Data{Name: "MNIST, test", SHA256: "18489308deedfe2f7bd3a11e599a597126f161d991b1ffcffb71642aa76f7f62"}
	}
	return e, plan
}

// TestImages checks that the trials in results/reference/images are those of the experiment there, and that they give the
// table in docs/images.md: the regret, and its difference from that of the same policy without a convolution and of LinUCB.
// All policies have trials of the same seeds, which may be the first seeds of the experiment only.
func TestImages(t *testing.T) {
	t.Parallel()
	trials := trialRows(t, "images")
	e, plan := onMNIST(t)
	done := len(trials) / len(plan.Policies) // number of committed seeds
	must.Hold(t, done > 0 && len(trials) == done*len(plan.Policies),
		"%d trials are committed, want %d of each seed", len(trials), len(plan.Policies))
	last := e.Seeds[done-1]
	for _, c := range plan.Cells {
		id := c.ID()
		if c.Seed <= last && !slices.ContainsFunc(trials, func(r trialRow) bool { return r.id == id && r.policy == c.Label && r.seed == c.Seed }) {
			t.Fatalf("%s, seed %d, %s, is not among the committed trials: options, protocol or data have changed", c.FullLabel(), c.Seed, c.ID())
		}
	}
	uniform := 0.9 * float64(e.Protocol.Rounds*e.Protocol.Pulls)
	table := fmt.Sprintf("Expected regret of %s on the seeds %d to %d:\n\n"+
		"| policy | regret | of uniform | less that without a convolution | less that of LinUCB |\n| --- | --- | --- | --- | --- |\n",
		words.Count(e.Protocol.Rounds*e.Protocol.Pulls, "pull"), e.Seeds[0], last)
	for _, p := range plan.Policies {
		mean := stats.NewEstimate(regretsOf(trials, "images", p.Label))
		table += fmt.Sprintf("| %s | %s | %.1f %% | %s | %s |\n", p.Label, mean, 100*mean.Mean/uniform,
			less(trials, "images", p.Label, strings.TrimSuffix(p.Label, " conv")), less(trials, "images", p.Label, "LinUCB"))
	}
	const path = "../../../docs/images.md"
	page := must.Get(os.ReadFile(path))(t)
	committed := regexp.MustCompile(`(?m)^Expected regret of [\d,]+ pulls on the seeds \d+ to \d+:\n\n(\|.*\n)+`).FindString(string(page))
	must.That(t, committed == table, "%s has the table\n%s\nwant\n%s", path, committed, table)
}
