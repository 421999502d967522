package compare

import (
	"math"
	"slices"
	"testing"

	"banditsim/bandit"
	"banditsim/internal/resultstest"
	"banditsim/results"
	"banditsim/results/stats"
)

func TestSummarize(t *testing.T) {
	dir := t.TempDir()
	for seed := uint64(1); seed <= 4; seed++ {
		fail := 0
		if seed == 3 {
			fail = 54
		}
		resultstest.WriteTrial(t, dir, resultstest.Identity("worse", seed, 100), 60, 0)
		resultstest.WriteTrial(t, dir, resultstest.Identity("better", seed, 100), 10, fail)
		resultstest.WriteTrial(t, dir, resultstest.Identity("broken", seed, 100), 10, 1)
	}
	set, err := results.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	s := summaryOf(t, set)
	if s.Policies[0].Policy != "better" || s.Policies[1].Policy != "worse" || s.Policies[2].Policy != "broken" {
		t.Fatalf("order: %s, %s, %s", s.Policies[0].Policy, s.Policies[1].Policy, s.Policies[2].Policy)
	}
	better := s.Policies[0]
	if !slices.Equal(better.Seeds, []uint64{1, 2, 4}) || len(better.Failed) != 1 || better.Failed[0].Seed != 3 || better.Failed[0].Round != 55 {
		t.Errorf("seeds %d, failed %+v", better.Seeds, better.Failed)
	}
	var all, after []float64
	for _, trial := range set.Find("better").Records {
		if trial.Totals.Failure == nil {
			all, after = append(all, trial.Totals.Expected), append(after, trial.Totals.ExpectedAfter)
		}
	}
	if better.Regret[Expected()].All != stats.NewEstimate(all) || better.Regret[Expected()].AfterBurnIn != stats.NewEstimate(after) {
		t.Errorf("expected regret %+v", better.Regret[Expected()])
	}
	// 100 rounds of 20 pulls, of which 48 follow burn-in (round 53 is the first).
	resultstest.CloseTo(t, "percent", float64(better.Regret[Expected()].Percent), 100*better.Regret[Expected()].All.Mean/(4.91014*2000), 1e-9)
	resultstest.CloseTo(t, "percent after burn-in", float64(better.Regret[Expected()].PercentAfterBurnIn), 100*better.Regret[Expected()].AfterBurnIn.Mean/(4.91014*960), 1e-9)
	if broken := s.Policies[2]; len(broken.Failed) != 4 || !math.IsNaN(broken.Regret[Expected()].All.Mean) {
		t.Errorf("broken: %+v", broken)
	}
}

// With fewer rounds than burn-in takes, nothing is after it.
func TestSummarizeNothingAfterBurnIn(t *testing.T) {
	s := summaryOf(t, resultstest.Trials(t, []string{"p"}, 2, 10, nil))
	e := s.Policies[0].Regret[Expected()]
	if e.AfterBurnIn.N != 0 || !math.IsNaN(e.AfterBurnIn.Mean) || !math.IsNaN(float64(e.PercentAfterBurnIn)) || !(e.Percent > 0) {
		t.Errorf("%+v", e)
	}
}

// The worst seed is named with the round from which on it is apart from the others, and seeds that
// tuned the options are named.
func TestSummarizeOneDisaster(t *testing.T) {
	dir := t.TempDir()
	for seed := uint64(1); seed <= 12; seed++ {
		var rounds []*bandit.RoundRecord
		for round := 1; round <= 100; round++ {
			regret := 10 + float64((seed*7+uint64(round))%5)
			if seed == 5 && round > 40 {
				regret = 98 // it stops eating
			}
			rounds = append(rounds, &bandit.RoundRecord{Round: round, Arms: []int{10, 10}, Expected: regret, Realised: regret})
		}
		path := resultstest.WriteRounds(t, dir, resultstest.Identity("p", seed, 100), nil, rounds...)
		if err := results.WriteSidecar(path, results.Sidecar{TunedSeeds: []uint64{2, 3, 4, 101}}); err != nil {
			t.Fatal(err)
		}
	}
	set, err := results.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	s := summaryOf(t, set)
	r := s.Policies[0].Regret[Expected()]
	if r.Median != 1200 || r.Best.Seed != 1 || r.Best.Regret != 1200 || r.Worst.Seed != 5 || r.Worst.Regret != 40*12+60*98 {
		t.Errorf("%+v", r)
	}
	// All seeds have the same regret in every five rounds, so that any excess departs.
	if d := r.Worst.Departs; d < 41 || d > 45 {
		t.Errorf("departs in round %d, want 41 to 45", d)
	}
	var kinds []WarningKind
	for _, w := range s.Warnings {
		kinds = append(kinds, w.Kind)
		if w.Kind == TunedSeeds && !slices.Equal(w.Seeds, []uint64{2, 3, 4}) {
			t.Errorf("tuned seeds %v", w.Seeds)
		}
	}
	if !slices.Equal(kinds, []WarningKind{Outliers, SkewedSample, TunedSeeds}) {
		t.Errorf("warnings %v", s.Warnings)
	}
}

func BenchmarkCurves(b *testing.B) {
	set := resultstest.Trials(b, resultstest.Six()[:1], 1, 2000, nil)
	for b.Loop() {
		if _, err := Curves(set, NewCurveOptions(Expected(), 1, 500)); err != nil {
			b.Fatal(err)
		}
	}
}
