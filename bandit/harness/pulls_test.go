package harness

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"testing"

	"banditsim/internal/must"
	"banditsim/results"
)

// pullsOf returns the pulls of the first trial of a folder.
func pullsOf(t *testing.T, f *folder) string {
	t.Helper()
	b := must.Get(os.ReadFile(results.PullsPath(f.path())))(t)
	return string(b)
}

// TestPullsAreAddedToAFolder checks that a trial without pulls is run again to the same bytes, and one with pulls is not.
func TestPullsAreAddedToAFolder(t *testing.T) {
	plan, brake := oneTrial(t)
	for _, finished := range []bool{false, true} {
		f := newFolder(t, plan, never)
		f.stop(brake, 5)
		if finished {
			f.run()
		}
		f.runner.Pulls = true
		must.Equal(t, fmt.Sprintf("finished %t: one trial from its start", finished), f.run(), Summary{Run: 1})
		must.Equal(t, "trial files", undisturbed(t, plan), trialFiles(t, f.runner.Dir))
		must.Equal(t, fmt.Sprintf("finished %t: a trial with its pulls is done again", finished), f.run().Run, 0)
	}
}

// TestReadingPulls checks that the pulls add up to exactly the regret of the trial.
func TestReadingPulls(t *testing.T) {
	plan, _ := oneTrial(t)
	f := newFolder(t, plan, 0)
	f.runner.Pulls = true
	f.run()
	set := must.Get(results.Load(f.runner.Dir))(t)
	rec := set.Policies[0].Records[0]
	var realised, expected float64
	var round [2]float64 // realized and expected regret of the current round
	n := 0
	for p, err := range rec.Pulls() {
		must.OK(t, err)
		round[0], round[1] = round[0]+(p.Best-p.Reward), round[1]+(p.Best-p.Expected)
		if n++; n%rec.Protocol.Pulls == 0 {
			realised, expected, round = realised+round[0], expected+round[1], [2]float64{}
		}
		if burnIn := n <= rec.Protocol.BurnIn; burnIn != (p.Propensity == 1/float64(len(rec.Environment.Arms))) || !burnIn && !math.IsNaN(p.Propensity) {
			t.Errorf("pull %d: propensity %g", n, p.Propensity)
		}
	}
	if realised != rec.Totals.Realised || expected != rec.Totals.Expected || n != rec.Totals.Rounds*rec.Protocol.Pulls {
		t.Errorf("%d pulls with regret %g and %g, the trial has %v", n, realised, expected, rec.Totals)
	}
	must.OK(t, os.Remove(results.PullsPath(rec.Path)))
	for _, err := range rec.Pulls() {
		must.That(t, errors.Is(err, fs.ErrNotExist) && !rec.HasPulls(), "no pulls: error %v", err)
	}
}
