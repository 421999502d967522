package compare

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/internal/must"
	"banditsim/internal/resultstest"
	"banditsim/internal/words"
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
	set := must.Get(results.Load(dir))(t)
	s := summaryOf(t, set)
	must.Hold(t, s.Policies[0].Policy == "better" && s.Policies[1].Policy == "worse" && s.Policies[2].Policy == "broken",
		"order: %s, %s, %s", s.Policies[0].Policy, s.Policies[1].Policy, s.Policies[2].Policy)
	better := s.Policies[0]
	must.That(t, slices.Equal(better.Seeds, []uint64{1, 2, 4}) && len(better.Failed) == 1 && better.Failed[0].Seed == 3 &&
		better.Failed[0].Round == 55, "seeds %d, failed %+v", better.Seeds, better.Failed)
	var all, after []float64
	for _, trial := range set.Find("better").Records {
		if trial.Totals.Failure == nil {
			all, after = append(all, trial.Totals.Expected), append(after, trial.Totals.ExpectedAfter)
		}
	}
	must.That(t, better.Regret[Expected()].All == stats.NewEstimate(all) &&
		better.Regret[Expected()].AfterBurnIn == stats.NewEstimate(after), "expected regret %+v", better.Regret[Expected()])
	// There are 100 rounds of 20 pulls. The 48 rounds from round 53 on follow burn-in.
	must.Near(t, "percent", float64(better.Regret[Expected()].Percent), 100*better.Regret[Expected()].All.Mean/(4.91014*2000), 1e-9)
	must.Near(t, "percent after burn-in", float64(better.Regret[Expected()].PercentAfterBurnIn), 100*better.Regret[Expected()].AfterBurnIn.Mean/(4.91014*960), 1e-9)
	broken := s.Policies[2]
	must.That(t, len(broken.Failed) == 4 && math.IsNaN(broken.Regret[Expected()].All.Mean), "broken: %+v", broken)
}

// TestSummarizeNothingAfterBurnIn checks the summary of trials in which all rounds are burn-in.
func TestSummarizeNothingAfterBurnIn(t *testing.T) {
	s := summaryOf(t, resultstest.Trials(t, []string{"p"}, 2, 10, nil))
	e := s.Policies[0].Regret[Expected()]
	must.That(t, e.AfterBurnIn.N == 0 && math.IsNaN(e.AfterBurnIn.Mean) && math.IsNaN(float64(e.PercentAfterBurnIn)) &&
		e.Percent > 0, "%+v", e)
}

// TestSummarizeOneDisaster checks the round from which on the worst seed is an outlier, and the warning of tuned seeds.
func TestSummarizeOneDisaster(t *testing.T) {
	dir := t.TempDir()
	for seed := uint64(1); seed <= 12; seed++ {
		var rounds []*bandit.RoundRecord
		for round := 1; round <= 100; round++ {
			regret := 10 + float64((seed*7+uint64(round))%5)
			if seed == 5 && round > 40 {
				regret = 98 // the policy stops eating
			}
			rounds = append(rounds, &bandit.RoundRecord{Round: round, Arms: []int{10, 10}, Expected: regret, Realised: regret})
		}
		path := resultstest.WriteRounds(t, dir, resultstest.Identity("p", seed, 100), nil, rounds...)
		must.OK(t, results.WriteSidecar(path, results.Sidecar{TunedSeeds: []uint64{2, 3, 4, 101}}))
	}
	set := must.Get(results.Load(dir))(t)
	s := summaryOf(t, set)
	r := s.Policies[0].Regret[Expected()]
	must.That(t, r.Median == 1200 && r.Best.Seed == 1 && r.Best.Regret == 1200 && r.Worst.Seed == 5 &&
		r.Worst.Regret == 40*12+60*98, "%+v", r)
	// All seeds have the same regret over any five rounds, so that any excess is an outlier.
	d := r.Worst.Departs
	must.That(t, d >= 41 && d <= 45, "departs in round %d, want 41 to 45", d)
	var kinds []WarningKind
	for _, w := range s.Warnings {
		kinds = append(kinds, w.Kind)
		must.That(t, w.Kind != tunedSeeds || slices.Equal(w.Seeds, []uint64{2, 3, 4}), "tuned seeds %v", w.Seeds)
	}
	must.Equal(t, "warnings", kinds, []WarningKind{Outliers, SkewedSample, tunedSeeds})
}

// TestComplete checks the sentences that Compare and Summarize return for different options.
func TestComplete(t *testing.T) {
	set := resultstest.Set(map[string][]float64{"a": {1000, 1010, 990, 1020, 980, 1000}, "b": {1100, 1112, 1091, 1123, 1080, 1102}, "c": {1000, 1011, 989, 1020, 980, 1001}})
	best := verdict(t, set)
	must.That(t, strings.HasPrefix(best, "a has the lowest expected regret, 1,000 ± 15 over 6 seeds"), "%v", best)
	for _, test := range []struct {
		name   string
		change func(*Options)
		want   string
	}{
		{"the default options", func(*Options) {}, best},
		{"another metric", func(o *Options) { o.Metric = Realised() }, "Beside the realised regret of a: higher: b; no significant difference: c."},
		{"a baseline", func(o *Options) { o.Baseline = "b" }, "Beside the expected regret of b: lower: a, c."},
	} {
		o := DefaultOptions(set)
		test.change(&o)
		c := must.Get(Compare(set, o))(t)
		got := c.Sentences
		must.That(t, len(got) == 1 && got[0] == test.want, "%s: %q, want %q", test.name, got, test.want)
	}
	few := resultstest.Set(map[string][]float64{"a": {1000, 1010, 990}, "b": {1100, 1112, 1091}})
	o := DefaultOptions(few)
	o.Baseline = "b"
	must.Equal(t, "few pairs", must.Get(Compare(few, o))(t).Sentences[0], "Beside the expected regret of b: no test, which needs 6 pairs: a.")
	if s := summaryOf(t, set); s.Sentences[0] != best || len(s.Ranks) != 3 {
		t.Errorf("summary: %q and %d ranks, want %q and 3", s.Sentences, len(s.Ranks), best)
	}
}

// verdict returns the first sentence of Conclude.
func verdict(t *testing.T, set *results.Set) string {
	t.Helper()
	return must.Get(Conclude(set))(t).Sentences[0]
}

func summaryOf(t *testing.T, set *results.Set) *Summary {
	t.Helper()
	return must.Get(Summarize(set))(t)
}

// TestConstant checks the sentence that compares the policies with the best constant arm in the sidecar of a trial.
func TestConstant(t *testing.T) {
	for _, c := range []struct {
		name    string
		regrets []float64 // 1,000 ± 25
		arm     string
		cost    float64
		want    string // "" if the arm is unknown; % stands for the percentage of the uniform regret
	}{
		{"better", []float64{1000, 1010, 990}, "eat", 1100, `Best constant arm: always "eat" costs 1,100, % of uniform; 1 of 2 policies cost less.`},
		{"not surely", []float64{1000, 1010, 990}, "eat", 1010,
			`Best constant arm: always "eat" costs 1,010, % of uniform; 1 of 2 policies cost less, none of them surely: it is within the interval of the best.`},
		{"the same", []float64{1000, 1010, 990}, "eat", 1000, `Best constant arm: always "eat" costs 1,000, % of uniform; 0 of 2 policies cost less: always pulling it is as good as any of them.`},
		{"another surely", []float64{500, 2900, 990}, "eat", 2500, `Best constant arm: always "eat" costs 2,500, % of uniform; 2 of 2 policies cost less.`},
		{"one seed, better", []float64{1000}, "eat", 1001, `Best constant arm: always "eat" costs 1,001, % of uniform; 1 of 2 policies cost less.`},
		{"the best arm everywhere", []float64{1000, 1010, 990}, "eat", 0, `Best constant arm: always "eat" costs 0, % of uniform; 0 of 2 policies cost less: always pulling it is as good as any of them.`},
		{"not an arm", []float64{1000, 1010, 990}, "cook", 438, ""},
		{"another with each seed", []float64{1000, 1010, 990}, "", 0, "The best constant arm is not known, or differs between seeds or rounds."},
	} {
		set := resultstest.Set(map[string][]float64{"a": c.regrets, "b": {2000, 2010, 2005}})
		p := set.Conditions.Protocol
		last := &set.Policies[1].Records[2]
		last.Path = filepath.Join(t.TempDir(), "b.jsonl")
		arm := &bandit.ConstantArm{Arm: c.arm, Regret: c.cost / float64(p.Rounds*p.Pulls)}
		must.OK(t, results.WriteSidecar(last.Path, results.Sidecar{ConstantArm: arm}))
		s := summaryOf(t, set)
		if c.want == "" {
			must.That(t, s.Constant == nil && len(s.Sentences) == 1,
				"%s: %v and %q, want nothing known", c.name, s.Constant, s.Sentences)
			continue
		}
		uniform, _ := set.Conditions.UniformRegret()
		percent := 100 * c.cost / uniform
		must.That(t, c.arm == "" || math.Abs(float64(s.Constant.Percent)-percent) < 1e-9,
			"%s: %g %% of uniform, want %g", c.name, s.Constant.Percent, percent)
		must.Equal(t, c.name, s.Sentences[1], strings.Replace(c.want, "%", words.Percent(percent), 1))
	}
}

func TestCosts(t *testing.T) {
	set := resultstest.Trials(t, []string{"a", "b", "c", "d"}, 2, 90, nil) // policies of increasing regret
	steps := func(n int64) *int64 { return &n }
	for label, s := range map[string]results.Sidecar{
		"a": {Seconds: 3, Steps: steps(30), Earlier: []results.Sidecar{{Seconds: 2}}},
		"b": {Seconds: 6, Steps: steps(10)}, // more regret and more time than a
		"c": {Seconds: 1},                   // a sidecar of an older version
	} {
		for _, rec := range set.Find(label).Records {
			must.OK(t, results.WriteSidecar(rec.Path, s))
		}
	}
	set = must.Get(results.Load(set.Dir))(t)
	nan := math.NaN()
	for i, want := range []struct {
		policy         string
		steps, seconds float64
		undominated    bool
	}{{"a", 30, 5, true}, {"b", 10, 6, false}, {"c", nan, 1, true}, {"d", nan, nan, false}} {
		c := Costs(set, Primary())[i]
		same := func(got, want float64) bool { return got == want || math.IsNaN(got) && math.IsNaN(want) }
		must.That(t, c.Policy == want.policy && same(float64(c.Steps), want.steps) && same(float64(c.Seconds), want.seconds) &&
			c.Undominated == want.undominated, "%+v, want %+v", c, want)
	}
}
