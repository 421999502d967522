package cli

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"banditsim/bandit/harness"
	"banditsim/cmd/banditsim/builtin"
)

// ranView is the view of a run of Uniform and Never on three seeds.
func ranView(t *testing.T) *view {
	t.Helper()
	c := builtin.Default()
	e, err := c.Preset("quick")
	if err != nil {
		t.Fatal(err)
	}
	e.Policies, e.Seeds = []string{"Uniform", "Never"}, []uint64{1, 2, 3}
	e.Protocol.Rounds, e.Protocol.BurnIn = 200, 0
	plan, err := e.Resolve(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	v := &view{&harness.Progress{}, time.Now()}
	r := harness.Runner{Dir: t.TempDir(), Workers: 1, Now: time.Now, Progress: v.progress}
	if _, err := r.Run(t.Context(), plan); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestRegretsSoFar(t *testing.T) {
	v := ranView(t)
	line := v.regretLine()
	// Never costs less than Uniform: 2.58986 and 4.91014 a pull.
	if !strings.HasPrefix(line, "; mean expected regret so far: Never 10,") || !strings.Contains(line, " (3 seeds); Uniform 1") {
		t.Error(line)
	}
	lines := v.regretLines(200, 20)
	if len(lines) != 3 || !strings.HasPrefix(lines[1], "  Never") || !strings.HasPrefix(lines[2], "  Uniform") {
		t.Errorf("%q", lines)
	}
	lines = v.regretLines(30, 3)
	if len(lines) != 3 || lines[2] != "  and 1 more" {
		t.Errorf("%q", lines)
	}
	if slices.ContainsFunc(lines, func(l string) bool { return utf8.RuneCountInString(l) > 30 }) {
		t.Errorf("longer than 30: %q", lines)
	}
}

func TestSoFar(t *testing.T) {
	for _, test := range []struct {
		p                 harness.PolicyProgress
		finished, running string
	}{
		{harness.PolicyProgress{}, "", ""},
		{harness.PolicyProgress{Finished: 1, Mean: 7832.4}, "7,832 (1 seed)", ""},
		{harness.PolicyProgress{Finished: 2, Mean: 7832.4, Failed: 1, Running: []harness.RunningTrial{{Seed: 3, Round: 1204, Expected: 6102}, {Seed: 4, Round: 7, Expected: 700}}},
			"7,832 (2 seeds)", "seed 3 after round 1204: 6,102, seed 4 after round 7: 700, 1 failed"},
	} {
		if finished, running := soFar(test.p); finished != test.finished || running != test.running {
			t.Errorf("%+v: %q and %q, want %q and %q", test.p, finished, running, test.finished, test.running)
		}
	}
}

// Before the first round there is nothing to show.
func TestRegretsOfNothing(t *testing.T) {
	v := &view{progress: &harness.Progress{}}
	if line := v.regretLine(); line != "" {
		t.Error(line)
	}
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
