package cli

import (
	"testing"

	"banditsim/bandit/harness"
)

func TestSoFar(t *testing.T) {
	for _, test := range []struct {
		p                 harness.PolicyProgress
		finished, running string
	}{
		{harness.PolicyProgress{}, "–", ""},
		{harness.PolicyProgress{Finished: 1, Mean: 7832.4}, "7,832 (1 seed)", ""},
		{harness.PolicyProgress{Finished: 2, Mean: 7832.4, Failed: 1, Running: []harness.RunningTrial{{Seed: 3, Round: 1204, Expected: 6102}, {Seed: 4, Round: 7, Expected: 700}}},
			"7,832 (2 seeds)", "seed 3 after round 1204: 6,102, seed 4 after round 7: 700, 1 failed"},
	} {
		if finished, running := finishedText(test.p), runningText(test.p); finished != test.finished || running != test.running {
			t.Errorf("%+v: %q and %q, want %q and %q", test.p, finished, running, test.finished, test.running)
		}
	}
}

// Before the first round there is nothing to show.
func TestRegretsOfNothing(t *testing.T) {
	v := &view{progress: &harness.Progress{}}
	if lines := v.regretLines(80, 20); len(lines) != 0 {
		t.Errorf("%q", lines)
	}
	if lines := v.regretLines(0, -1); len(lines) != 0 {
		t.Errorf("%q", lines)
	}
}

// Means of several environments are not compared: what is under way comes first.
func TestOrder(t *testing.T) {
	running := []harness.RunningTrial{{Seed: 1}}
	policies := []harness.PolicyProgress{{Policy: "a", Finished: 1, Mean: 3}, {Policy: "b", Mean: 9}, {Policy: "c", Finished: 1, Mean: 2, Running: running}, {Policy: "d", Finished: 1, Mean: 1}}
	check := func(want string) {
		t.Helper()
		order(policies)
		got := ""
		for _, p := range policies {
			got += p.Policy
		}
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	check("dcab")
	policies[3].Mean = 0 // b, of which no trial is finished and nothing is known
	check("dcab")
	policies[0].Environment = "wheel"
	check("cdab")
}
