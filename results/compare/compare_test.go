package compare

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/lists"
	"banditsim/internal/must"
	"banditsim/internal/resultstest"
	"banditsim/results"
	"banditsim/results/stats"
)

func kinds(c *Comparison) []WarningKind {
	return lists.Each(c.Warnings, func(w Warning) WarningKind { return w.Kind })
}

func TestCompareByHand(t *testing.T) {
	set := resultstest.Set(map[string][]float64{
		"a": {100, 200, 300, 100, 200, 300}, // the best
		"b": {110, 211, 309, 110, 211, 309}, // +10, +11, +9, twice
		"c": {130, 190, 310, 130, 190, 310}, // +30, −10, +10, twice
	})
	c := mustCompareTo(t, set, "a", Expected())
	if c.Baseline != "a" || c.BaselinePicked || c.Tests != 2 || len(c.Differences) != 2 || c.Differences[0].Policy != "b" || c.Differences[1].Policy != "c" {
		t.Fatalf("%+v", c)
	}
	b, d := c.Differences[0], c.Differences[1]
	must.Near(t, "b: mean", b.Mean.Mean, 10, 1e-12)
	must.Near(t, "b: low", b.Mean.Low, 10-2.570582*math.Sqrt(4./30), 1e-5)
	must.Near(t, "b: p", b.P, pOfB, 1e-12)
	must.Near(t, "b: Holm", b.Holm, 2*pOfB, 1e-12)
	must.Near(t, "c: p", d.P, pOfC, 1e-12)
	must.Near(t, "c: Holm", d.Holm, pOfC, 1e-12)
	must.That(t, b.Significant() && !d.Significant(), "significant: b %v, c %v", b.Significant(), d.Significant())
	// Both differences sum to 60. Of the 64 patterns of signs, 2 reach ±60 for b. For c, 22 do: the two 30 must have the
	// same sign, and the sum of the four 10 must not have the other sign.
	must.Near(t, "b: sign-flip", b.SignFlip, 2./64, 0)
	must.Near(t, "b: sign-flip, Holm", b.SignFlipHolm, 4./64, 0)
	must.Near(t, "c: sign-flip", d.SignFlip, 22./64, 0)
	must.Equal(t, "c: values", d.Values, []float64{30, -10, 10, 30, -10, 10})
	// Ranks: a 1 2 1, b 2 3 2, c 3 1 3. A resample draws the three different seeds i, j and k times. Of the 3⁶ = 729
	// resamples, c has the lowest sum in the 28 with 3i + k < j, and shares it with a in the 50 with 3i + k = j.
	want := []Rank{{"a", 4. / 3, 4, 676. / 729}, {"b", 7. / 3, 0, 0}, {"c", 7. / 3, 2, 53. / 729}}
	tolerance := 5 * math.Sqrt(53./729*676/729/9999)
	for i, w := range want {
		got := c.Ranks[i]
		must.That(t, got.Policy == w.Policy && got.Best == w.Best, "rank %d: %+v, want %+v", i, got, w)
		must.Near(t, "mean rank of "+w.Policy, got.Mean, w.Mean, 1e-12)
		must.Near(t, "probability of being best, "+w.Policy, float64(got.ProbabilityBest), float64(w.ProbabilityBest), tolerance)
	}
	must.Equal(t, "warnings", kinds(c), []WarningKind{coarseTest})
}

// TestComparePickedBaseline checks that all pairs of policies are in the family of tests if the baseline is picked.
func TestComparePickedBaseline(t *testing.T) {
	set := resultstest.Set(map[string][]float64{"a": {100, 200, 300, 100, 200, 300}, "b": {110, 211, 309, 110, 211, 309}, "c": {130, 190, 310, 130, 190, 310}})
	c := mustCompareTo(t, set, "", Expected())
	must.Hold(t, c.Baseline == "a" && c.BaselinePicked && c.Tests == 3 && len(c.Differences) == 2, "%+v", c)
	// The third difference, c − b, is +20, −21, +1, twice: p = 1.
	must.Near(t, "b: Holm", c.Differences[0].Holm, 3*pOfB, 1e-12)
	must.Near(t, "c: Holm", c.Differences[1].Holm, 2*pOfC, 1e-12)
	must.Near(t, "b: sign-flip, Holm", c.Differences[0].SignFlipHolm, 3*2./64, 0)
}

// p-values of TestCompareByHand. The differences of b and c have mean 10 and sums of squared deviations 4 and 1600, so
// that t = 10/√(4/5/6) and 10/√(1600/5/6).
var pOfB, pOfC = pOf5(10 / math.Sqrt(4./30)), pOf5(10 / math.Sqrt(1600./30))

// pOf5 returns the two-sided p-value of t with 5 degrees of freedom (Abramowitz and Stegun 1964, 26.7.3).
func pOf5(t float64) float64 {
	a := math.Atan(t / math.Sqrt(5))
	return 1 - 2/math.Pi*(a+math.Sin(a)*(math.Cos(a)+2./3*math.Pow(math.Cos(a), 3)))
}

func TestCompareBaselines(t *testing.T) {
	set := resultstest.Set(map[string][]float64{"pICSGLD": {1, 2}, "pSGLD": {3, 4}})
	c, err := compareTo(set, "pSGLD", Realised())
	must.That(t, err == nil && c.Baseline == "pSGLD" && c.Differences[0].Mean.Mean == -2, "%+v, %v", c, err)
	for _, test := range []struct {
		baseline string
		metric   *Metric
		want     string
	}{
		{"pISCGLD", Expected(), "did you mean pICSGLD?"},
		{"zebra", Expected(), "no policy compared is named \"zebra\": known are pICSGLD, pSGLD"},
		{"", nil, "no metric"},
	} {
		must.Refuse(compareTo(set, test.baseline, test.metric))(t, test.want)
	}
	must.Refuse(ParseMetric("realized"))(t, "did you mean realised")
}

func TestCompareUnpaired(t *testing.T) {
	nan := math.NaN()
	set := resultstest.Set(map[string][]float64{
		"a": {1, 2, 3, 4, 5, 6, 7},
		"b": {2, nan, 4, 5, 6, 7, 9},
		"c": {9, nan, nan, nan, nan, nan, nan},
		"d": {1, 2, 3, 4, 5, 6, 7}, // equal to a
		"e": {nan, nan, nan, nan, nan, nan, nan},
	})
	set.Damaged = []results.Damaged{{Path: "x"}}
	c := mustCompareTo(t, set, "a", Expected())
	by := make(map[string]Difference)
	for _, d := range c.Differences {
		by[d.Policy] = d
	}
	b := by["b"]
	must.That(t, b.Mean.N == 6 && slices.Equal(b.Seeds, []uint64{1, 3, 4, 5, 6, 7}), "b: %+v", b)
	if c := by["c"]; c.Mean.N != 1 || c.Mean.HasInterval() || !math.IsNaN(c.Holm) || c.Significant() {
		t.Errorf("c: %+v", c)
	}
	d := by["d"]
	must.That(t, d.P == 1 && d.Mean.Mean == 0, "d: %+v", d)
	e := by["e"]
	must.That(t, e.Mean.N == 0 && c.Differences[3].Policy == "e", "e: %+v, last %s", e, c.Differences[3].Policy)
	must.That(t, len(c.Ranks) == 0 && len(c.CommonSeeds) == 0, "ranks %+v though no seed is common", c.Ranks)
	want := []WarningKind{UnpairedSeeds, NoInterval, NoInterval, noSpread, TrialsFailed, TrialsFailed, TrialsFailed, damagedFiles}
	if c.Tests != 2 { // b and d; c and e have too few pairs
		t.Errorf("%d tests, want 2", c.Tests)
	}
	got := kinds(c)
	slices.Sort(got)
	slices.Sort(want)
	must.Equal(t, "warnings", got, want)
}

func TestVerdict(t *testing.T) {
	nan := math.NaN()
	for _, test := range []struct {
		name string
		set  *results.Set
		want string
	}{
		{"sure", resultstest.Set(map[string][]float64{"a": {1000, 1010, 990, 1020, 980, 1000}, "b": {1100, 1112, 1091, 1123, 1080, 1102}, "c": {9e3, 9e3, 9e3, 9e3, 9e3, 9e3}}),
			"a has the lowest expected regret, 1,000 ± 15 over 6 seeds (median 1,000, worst 1,020 on seed 4); the difference to the second, b, is 101.3 [100.1, 102.6]: significant (p < 0.001, Holm)."},
		{"unsure", resultstest.Set(map[string][]float64{"a": {5000, 5040, 4990}, "b": {5100, 5260, 5020}}),
			"a has the lowest expected regret, 5,010 ± 66 over 3 seeds (median 5,000, worst 5,040 on seed 2); the difference to the second, b, is 117 [−122, 355]: 3 pairs settle nothing, try --seeds 1..10."},
		{"no spread", resultstest.Set(map[string][]float64{"a": {1, 2, 3, 4, 5, 6}, "b": {99, 100, 101, 102, 103, 104}}),
			"a has the lowest expected regret, 3.5 ± 2.0 over 6 seeds (median 3.50, worst 6.00 on seed 6); the difference to the second, b, is 98.0 on each of 6 seeds: significant (p < 0.001, Holm)."},
		{"three identical", resultstest.Set(map[string][]float64{"a": {1000, 1010}, "b": {1000, 1010}, "c": {1000, 1010}}),
			"a, b and c have the same expected regret on every seed, 1,005 ± 64 over 2 seeds."},
		{"two identical", resultstest.Set(map[string][]float64{"a": {7000, 7010}, "b": {1000, 1010}, "c": {1000, 1010}}),
			"b and c share the lowest expected regret, the same on every seed, 1,005 ± 64 over 2 seeds; the difference to the next, a, is 6,000 on each of 2 seeds: 2 pairs settle nothing, try --seeds 1..10."},
		{"twelve identical", resultstest.Set(map[string][]float64{"a": {1}, "b": {1}, "c": {1}, "d": {1}, "e": {1}, "f": {1}, "g": {1}, "h": {1}, "i": {1}, "j": {1}, "k": {1}, "l": {1}}),
			"a, b, c, d, e, f, g, h, i, j and 2 more have the same expected regret on every seed, 1.00 over 1 seed, but one seed cannot tell luck from skill: try --seeds 1..10."},
		{"one mean", resultstest.Set(map[string][]float64{"a": {1000, 1010, 1020}, "b": {1020, 1010, 1000}}),
			"a and b share the lowest mean of the expected regret, 1,010 ± 25 over 3 seeds."},
		{"one mean, but for rounding in another order", resultstest.Set(map[string][]float64{"a": {1, 1, 5, 1}, "b": {1, 1, 1, 5}}),
			"a and b share the lowest mean of the expected regret, 2.0 ± 3.2 over 4 seeds."},
		{"identical, one seed", resultstest.Set(map[string][]float64{"a": {1000}, "b": {1000}}),
			"a and b have the same expected regret on every seed, 1,000 over 1 seed, but one seed cannot tell luck from skill: try --seeds 1..10."},
		{"one seed", resultstest.Set(map[string][]float64{"a": {1000}, "b": {2000}}),
			"a has the lowest expected regret, 1,000 over 1 seed, but one seed cannot tell luck from skill: try --seeds 1..10."},
		{"two seeds", resultstest.Set(map[string][]float64{"a": {1000, 1010}, "b": {2000, 2010}}),
			"a has the lowest expected regret, 1,005 ± 64 over 2 seeds; the difference to the second, b, is 1,000 on each of 2 seeds: 2 pairs settle nothing, try --seeds 1..10."},
		{"alone", resultstest.Set(map[string][]float64{"a": {1000, 1010}}), "a has an expected regret of 1,005 ± 64 over 2 seeds."},
		{"others failed", resultstest.Set(map[string][]float64{"a": {1000, 1010}, "b": {nan, nan}}),
			"a has the lowest expected regret, 1,005 ± 64 over 2 seeds; no other policy finished a trial."},
		{"nothing shared", resultstest.Set(map[string][]float64{"a": {1000, 1010, nan}, "b": {nan, nan, 3000}}),
			"a has the lowest expected regret, 1,005 ± 64 over 2 seeds; it shares 0 seeds with the second, b: too few to compare them."},
		{"lower on the common seeds", resultstest.Set(map[string][]float64{"a": {10, 11, 12, 10, 11, 12}, "b": {5, 6, 7, 5.5, 6, 7, 50, 60, 55}}),
			"a has the lowest expected regret, 11.00 ± 0.94 over 6 seeds (median 11.0, worst 12.0 on seed 3); the difference to the second, b, is −4.92 [−5.13, −4.70] on the 6 seeds that both finished, where b has the lower regret: significant (p < 0.001, Holm)."},
		{"a third that varies more", resultstest.Set(map[string][]float64{"a": {1, 2, 3, 1, 2, 3, 2}, "b": {9, 10, 11, 9, 10, 12, 10}, "c": {0, 40, 2, 1, 30, 2, 3}}),
			"a has the lowest expected regret, 2.00 ± 0.76 over 7 seeds (median 2.00, worst 3.00 on seed 3); the difference to the second, b, is 8.14 [7.79, 8.49]: significant (p < 0.001, Holm); not significant: c."},
		{"one disaster", resultstest.Set(map[string][]float64{"a": {1000, 1010, 990, 1020, 980, 1000, 9000, 1005}}),
			"a has an expected regret of 2,001 ± 2,364 over 8 seeds (median 1,002, worst 9,000 on seed 7). Warning: a: far from the median regret, 1,002: seed 7 (9,000). Warning: a: regrets too skewed for a t-interval to be trusted."},
		{"all failed", resultstest.Set(map[string][]float64{"a": {nan}}), "No trial did all its rounds, so there is no best policy: see the failures."},
	} {
		got := verdict(t, test.set)
		must.That(t, got == test.want, "%s:\n got %s\nwant %s", test.name, got, test.want)
	}
}

// TestCompareRounds checks the comparison of a range of rounds against their lines, and that ranges add up to the whole.
func TestCompareRounds(t *testing.T) {
	dir := t.TempDir()
	const rounds = 60
	for seed := range uint64(4) {
		resultstest.WriteTrial(t, dir, resultstest.Identity("a", seed, rounds), 12, 0)
		resultstest.WriteTrial(t, dir, resultstest.Identity("b", seed, rounds), 17, 0)
	}
	set := must.Get(results.Load(dir))(t)
	difference := func(metric *Metric, from, to int) float64 {
		c := must.Get(compareRounds(set, "a", metric, stats.StudentT, from, to))(t)
		must.That(t, c.From == from && c.To == to, "the comparison is of rounds %d to %d, want %d to %d", c.From, c.To, from, to)
		return c.Differences[0].Mean.Mean
	}
	for _, metric := range []*Metric{Expected(), Realised()} {
		of := func(policy string, round int) (sum float64) {
			for _, trial := range set.Find(policy).Records {
				for r, err := range trial.Rounds() {
					if err == nil && r.Round == round {
						sum += metric.Round(r) / 4
					}
				}
			}
			return sum
		}
		must.Near(t, "regret of a round", difference(metric, 7, 7), of("b", 7)-of("a", 7), 1e-9)
		whole, parts := difference(metric, 1, rounds), difference(metric, 1, 20)+difference(metric, 21, rounds)
		must.That(t, math.Abs(whole-parts) <= 1e-9 && whole != 0,
			"%s regret: the parts are %g in all, want %g", metric, parts, whole)
	}
	for _, window := range [][2]int{{0, 5}, {5, 4}, {1, rounds + 1}} {
		_, err := compareRounds(set, "a", Expected(), stats.StudentT, window[0], window[1])
		must.That(t, err != nil, "rounds %v are compared", window)
	}
	path := set.Policies[0].Records[0].Path
	b := resultstest.ReadFile(t, path)
	i := bytes.Index(b, []byte(`{"round":30,`))
	b[i+2]++
	must.OK(t, os.WriteFile(path, b, 0o644))
	var damaged results.Damaged
	_, err := compareRounds(set, "a", Expected(), stats.StudentT, 1, 20)
	must.That(t, errors.As(err, &damaged) && damaged.Path == path, "a damaged file: %v", err)
	must.OK(t, os.Remove(path))
	if _, err := compareRounds(set, "a", Expected(), stats.StudentT, 1, 20); err == nil || errors.As(err, &damaged) {
		t.Errorf("a file that cannot be opened: %v, want an error that is not a Damaged", err)
	}
}

func compareTo(set *results.Set, baseline string, m *Metric) (*Comparison, error) {
	return compareBy(set, baseline, m, stats.StudentT)
}

func compareBy(set *results.Set, baseline string, m *Metric, interval stats.IntervalMethod) (*Comparison, error) {
	return compareRounds(set, baseline, m, interval, 1, set.Conditions.Protocol.Rounds)
}

func compareRounds(set *results.Set, baseline string, m *Metric, interval stats.IntervalMethod, from, to int) (*Comparison, error) {
	return Compare(set, Options{Metric: m, Interval: interval, From: from, To: to, Baseline: baseline})
}

func exponentialLuck(s *stream.Stream) float64 { return -math.Log1p(-s.Float64()) - 1 }

// TestFalsePositives checks that at most 5 % of runs find a difference between six equally good policies, with a baseline
// that is named or picked, and that correcting for 5 tests alone would find more with a picked baseline.
func TestFalsePositives(t *testing.T) {
	if testing.Short() {
		t.Skip("a few seconds")
	}
	const runs = 1000
	most := stats.Significance + 4*math.Sqrt(stats.Significance*(1-stats.Significance)/runs)
	share := func(p ...float64) float64 {
		if slices.ContainsFunc(p, func(p float64) bool { return p < stats.Significance }) {
			return 1. / runs
		}
		return 0
	}
	for _, test := range []struct {
		name  string
		draw  func(*stream.Stream) float64
		seeds int
	}{{"normal", (*stream.Stream).Normal, 6}, {"normal", (*stream.Stream).Normal, 10}, {"normal", (*stream.Stream).Normal, 20}, {"exponential", exponentialLuck, 10}} {
		for _, picked := range []bool{false, true} {
			name := fmt.Sprintf("%s, %d seeds, baseline picked %v", test.name, test.seeds, picked)
			s := stream.Root(1).Child("false positives", name)
			var byT, byFlip, small float64
			for range runs {
				var p, holm, flip []float64
				for _, d := range compareShifted(t, s, test.draw, test.seeds, picked, 0).Differences {
					p, holm, flip = append(p, d.P), append(holm, d.Holm), append(flip, d.SignFlipHolm)
				}
				byT, byFlip, small = byT+share(holm...), byFlip+share(flip...), small+share(stats.Holm(p)...)
			}
			t.Logf("%s: t %.1f %%, sign-flip %.1f %%; t corrected for 5 tests %.1f %%", name, 100*byT, 100*byFlip, 100*small)
			must.That(t, byT <= most && byFlip <= most,
				"%s: t finds differences in %.1f %% of runs, sign-flip in %.1f %%", name, 100*byT, 100*byFlip)
			if picked && test.name == "normal" && small < most {
				t.Errorf("%s: corrected for 5 tests only, t finds differences in %.1f %% of runs: all pairs are more than is needed", name, 100*small)
			}
		}
	}
}

// TestSimultaneousCoverage checks that simultaneous intervals of six policies cover all true differences at once in at
// least 95 % of runs, that single intervals do not, and that a simultaneous interval without 0 is of a significant
// difference. A picked baseline, which is likely to have been lucky, needs the family of all pairs.
func TestSimultaneousCoverage(t *testing.T) {
	if testing.Short() {
		t.Skip("a few seconds")
	}
	runs := 200.
	if os.Getenv("BANDITSIM_LONG") != "" {
		runs = 20_000
	}
	least := stats.Confidence - 4*math.Sqrt(stats.Confidence*(1-stats.Confidence)/runs)
	for _, seeds := range []int{6, 20} {
		for _, picked := range []bool{false, true} {
			for _, shift := range []float64{0, 0.3} {
				name := fmt.Sprintf("%d seeds, baseline picked %v, shift %v", seeds, picked, shift)
				s := stream.Root(1).Child("simultaneous", name)
				single, together := 1., 1. // shares of runs in which all intervals cover
				for range int(runs) {
					c := compareShifted(t, s, (*stream.Stream).Normal, seeds, picked, shift)
					base, _ := strconv.Atoi(c.Baseline)
					missed, missedTogether := 0., 0.
					for _, d := range c.Differences {
						k, _ := strconv.Atoi(d.Policy)
						truth := float64(k-base) * shift
						if low, high := stats.StudentT.Of(d.Values, c.Tests); !(low <= truth && truth <= high) {
							missed = 1
						}
						low, high := stats.Simultaneous.Of(d.Values, c.Tests)
						if !(low <= truth && truth <= high) {
							missedTogether = 1
						}
						must.That(t, low <= 0 && high >= 0 || d.Significant(),
							"%s: the interval [%g, %g] lacks 0, and p is %g", name, low, high, d.Holm)
					}
					single, together = single-missed/runs, together-missedTogether/runs
				}
				t.Logf("%s: all hold: simultaneous %.1f %%, single %.1f %%", name, 100*together, 100*single)
				must.That(t, together >= least && single < least,
					"%s: want that simultaneous ones hold in at least %.1f %% of runs, and single ones do not", name, 100*least)
			}
		}
	}
}

// compareShifted compares six policies, labeled 0 to 5, whose regrets on a seed share a random term and have one each of
// their own. The mean regret of policy k is k·shift.
func compareShifted(t *testing.T, s *stream.Stream, draw func(*stream.Stream) float64, seeds int, picked bool, shift float64) *Comparison {
	t.Helper()
	policies := make([]regretBySeed, 6)
	for k := range policies {
		policies[k] = regretBySeed{label: strconv.Itoa(k), total: make(map[uint64]float64)}
	}
	for seed := range uint64(seeds) {
		common := 3 * s.Normal()
		for k := range policies {
			policies[k].seeds = append(policies[k].seeds, seed)
			policies[k].total[seed] = common + draw(s) + float64(k)*shift
			policies[k].mean += policies[k].total[seed] / float64(seeds)
		}
	}
	label := "0"
	if picked {
		label = ""
	}
	base := must.Get(findBaseline(policies, label))(t)
	c := &Comparison{Options: Options{Baseline: base.label}, BaselinePicked: picked, policies: policies}
	c.test(base)
	return c
}

func mustCompareTo(t *testing.T, set *results.Set, baseline string, m *Metric) *Comparison {
	t.Helper()
	return must.Get(compareTo(set, baseline, m))(t)
}
