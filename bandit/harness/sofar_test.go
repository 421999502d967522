package harness

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"banditsim/bandit"
	"banditsim/bandit/experiment"
	"banditsim/bandit/internal/toytest"
	"banditsim/internal/must"
	"banditsim/policy"
	"banditsim/results"
	"banditsim/results/compare"
)

// spied returns a catalog with the policy Spy, which calls look after every round.
func spied(t *testing.T, look func()) *experiment.Catalog {
	t.Helper()
	c := toytest.Catalog(t)
	must.OK(t, toytest.AddPolicy(c, "Spy", struct{}{}, func(struct{}, policy.Setup) (bandit.Policy, error) {
		return toytest.Sulker{Hook: func(int) { look() }}, nil
	}))
	return c
}

// ofSpy returns the running trials of Spy.
func ofSpy(p *Progress) []RunningTrial {
	list := p.Policies()
	return list[slices.IndexFunc(list, func(p PolicyProgress) bool { return p.Policy == "Spy" })].Running
}

// TestPoliciesSoFar compares the progress of running trials with the trials on disk.
func TestPoliciesSoFar(t *testing.T) {
	var progress Progress
	var seen []RunningTrial
	c := spied(t, func() { seen = append(seen, ofSpy(&progress)...) })
	plan := toyPlan(t, c, "Spy,Uniform,Sulker", 3)
	dir := t.TempDir()
	for _, when := range []string{"run", "rerun, which skips all"} {
		r := Runner{Dir: dir, Workers: 1, Now: time.Now, Progress: &progress}
		must.Get(r.Run(t.Context(), plan))(t)
		set := must.Get(results.Load(dir))(t)
		policies := progress.Policies()
		if len(policies) != 3 || policies[0].Policy != "Spy" { // the plan's order
			t.Fatalf("%s: %+v", when, policies)
		}
		for _, s := range compare.Totals(set).Policies {
			i := slices.IndexFunc(policies, func(p PolicyProgress) bool { return p.Policy == s.Policy })
			p := policies[i]
			must.That(t, p.Finished == s.Regret[compare.Expected()].All.N && p.Failed == len(s.Failed) && len(p.Running) == 0,
				"%s: %+v, want those of %+v", when, p, s)
			if want := s.Regret[compare.Expected()].All.Mean; !(math.Abs(p.Mean-want) <= 1e-12*want) && !(math.IsNaN(p.Mean) && s.Policy == "Sulker") {
				t.Errorf("%s: %s: mean %v, want %v", when, p.Policy, p.Mean, want)
			}
		}
	}
	// In each trial, the progress seen at the end of round n ≥ 2 is that of round n − 1, the last one recorded.
	must.Equal(t, "seen", seen, soFarOnDisk(t, dir, plan))
}

// soFarOnDisk returns the expected progress of Spy's trials after each round except the last.
func soFarOnDisk(t *testing.T, dir string, plan *experiment.Plan) []RunningTrial {
	t.Helper()
	var want []RunningTrial
	for _, trial := range plan.Cells {
		if trial.Policy.Name != "Spy" {
			continue
		}
		at := RunningTrial{Seed: trial.Seed}
		rec := must.Get(results.ReadRecord(filepath.Join(dir, results.TrialsDir, trial.FileName())))(t)
		for round, err := range rec.Rounds() {
			must.OK(t, err)
			at.Round, at.Expected = round.Round, at.Expected+round.Expected
			if at.Round < plan.Environments[0].Protocol.Rounds {
				want = append(want, at)
			}
		}
	}
	return want
}

// TestPoliciesSoFarOfResumedTrials checks that a resumed trial has the regret of its earlier rounds too.
func TestPoliciesSoFarOfResumedTrials(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var progress Progress
	var seen []RunningTrial
	c := spied(t, func() {
		seen = append(seen, ofSpy(&progress)...)
		if len(seen) == 4 {
			cancel()
		}
	})
	plan := toyPlan(t, c, "Spy", 1)
	r := Runner{Dir: t.TempDir(), Workers: 1, Now: time.Now, Progress: &progress, Checkpoint: 100, Grace: time.Minute}
	_, err := r.Run(ctx, plan)
	must.Is(t, err, context.Canceled)
	progress = Progress{}
	must.Equal(t, "the second run", must.Get(r.Run(t.Context(), plan))(t), Summary{Run: 1, Resumed: 1})
	must.Equal(t, "seen", seen, soFarOnDisk(t, r.Dir, plan))
}

// TestPoliciesBeforeTheRun checks the progress before the first round.
func TestPoliciesBeforeTheRun(t *testing.T) {
	var p Progress
	must.Equal(t, "policies", len(p.Policies()), 0)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := Runner{Dir: t.TempDir(), Workers: 1, Now: time.Now, Progress: &p}
	_, err := r.Run(ctx, toyPlan(t, toytest.Catalog(t), "", 2))
	must.Is(t, err, context.Canceled)
	for _, p := range p.Policies() {
		must.That(t, p.Finished == 0 && math.IsNaN(p.Mean), "%+v", p)
	}
}
