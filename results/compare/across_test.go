package compare

import (
	"math"
	"slices"
	"strings"
	"testing"

	"banditsim/internal/lists"
	"banditsim/internal/must"
	"banditsim/internal/resultstest"
	"banditsim/results"
	"banditsim/results/stats"
)

// labeled returns a set with a label and a uniform regret of 1000 over all rounds.
func labeled(label string, regret map[string][]float64) *results.Set {
	set := resultstest.Set(regret)
	set.Label = label
	p := set.Conditions.Protocol
	set.Conditions.Environment.UniformRegret = results.Number(1000 / float64(p.Rounds*p.Pulls))
	return set
}

func TestCompareAcrossByHand(t *testing.T) {
	sets := []*results.Set{
		labeled("one", map[string][]float64{"a": {100, 101, 102, 100, 101, 102}, "b": {200, 202, 204, 200, 202, 204}, "c": {300, 304, 302, 300, 304, 302}}),
		labeled("two", map[string][]float64{"a": {500, 400, 300, 500, 400, 300, 7}, "b": {500, 400, 300, 500, 400, 300}, "c": {450, 450, 450, 450, 450, 450}, "d": {1, 1, 1}}),
		labeled("three", map[string][]float64{"a": {50, 50, 50, 50, 50, 50}, "b": {30, 31, 29, 30, 31, 29}, "c": {10, 10, 11, 10, 10, 11}}),
	}
	sets[2].Find("b").TunedSeeds = []uint64{6, 7}
	a := must.Get(CompareAcross(sets, Expected(), ""))(t)
	must.Equal(t, "warnings", lists.Each(a.Warnings, func(w Warning) string { return w.Message }), []string{
		"two: on the 6 of 7 seeds that all policies finished; left out: 7",
		"three: options were chosen with some of these seeds in view, whose regret flatters b"})
	must.That(t, slices.Equal(a.LeftOut, []string{"d"}) && len(a.Environments[1].Seeds) == 6,
		"left out %v, seeds %v", a.LeftOut, a.Environments[1].Seeds)
	// Mean regrets of a, b, c by environment: 101 202 302; 400 400 450; 50 30 10⅓.
	byName := map[string]AcrossPolicy{}
	for _, p := range a.Policies {
		byName[p.Policy] = p
	}
	p := byName["a"]
	must.That(t, slices.Equal(p.Ranks, []float64{1, 1.5, 3}) && p.Best == 2, "ranks of a %v, best in %d", p.Ranks, p.Best)
	must.Near(t, "mean rank", p.MeanRank, 5.5/3, 1e-12)
	must.Near(t, "percent of uniform", float64(p.OfUniform), (10.1+40+5)/3, 1e-9)
	low := 31. / 3
	must.Near(t, "above best", float64(p.AboveBest), 100*(50-low)/(1000-low)/3, 1e-9)
	// a has less regret than b in the first environment, the same in the second and more in the third.
	for _, pair := range a.Pairs {
		must.That(t, pair.Policy != "a" || pair.Other != "b" || pair.Wins == 1 && pair.Ties == 1 && pair.Losses == 1 &&
			pair.P == 1, "%+v", pair)
	}
	wins, ties, losses := 0, 0, 0
	for _, p := range a.Policies {
		wins, ties, losses = wins+p.Wins, ties+p.Ties, losses+p.Losses
	}
	must.That(t, wins == losses && wins+ties+losses == 2*3*3, "%d wins, %d ties, %d losses", wins, ties, losses)
	// Ranks 1 2 3, 1.5 1.5 3, 3 2 1 have the sums 5.5, 5.5, 7 and Σr² = 14 + 13.5 + 14, so χ² = 2(.25+.25+1)/(41.5 − 36).
	must.Near(t, "χ²", float64(a.Friedman.ChiSquare), 3/5.5, 1e-12)
	must.That(t, !math.IsNaN(float64(a.CriticalDifference)), "no critical difference")
}

// TestCompareAcrossScales checks that Pair.P is of differences as percentages of the uniform regret. With uniform regrets
// 10,000, 100 and 1,000, b − a is 100, −10 and −110, or 1, −10 and −11 %, so that the sum of positive ranks is 1. Of the 8
// sign patterns, those with sums 0, 1, 5 and 6 are at least as far from the mean, 3: p = 4/8. With differences in units of
// reward the sum would be 2 and p = 6/8. There is one pair, so that Holm's correction changes nothing.
func TestCompareAcrossScales(t *testing.T) {
	var sets []*results.Set
	for i, e := range []struct {
		uniform float64
		a, b    []float64
	}{
		{10_000, []float64{500, 510, 490}, []float64{600, 610, 590}},
		{100, []float64{40, 50, 45}, []float64{30, 40, 35}},
		{1_000, []float64{300, 310, 290}, []float64{190, 200, 180}},
	} {
		set := labeled(string(rune('x'+i)), map[string][]float64{"a": e.a, "b": e.b})
		p := set.Conditions.Protocol
		set.Conditions.Environment.UniformRegret = results.Number(e.uniform / float64(p.Rounds*p.Pulls))
		sets = append(sets, set)
	}
	a := must.Get(CompareAcross(sets, Expected(), ""))(t)
	must.Hold(t, len(a.Pairs) == 1, "pairs %+v", a.Pairs)
	must.Near(t, "p", float64(a.Pairs[0].P), 0.5, 1e-12)
	must.Near(t, "corrected", float64(a.Pairs[0].Holm), 0.5, 1e-12)
	byName := map[string]AcrossPolicy{}
	for _, p := range a.Policies {
		byName[p.Policy] = p
	}
	must.Near(t, "percent of uniform of a", float64(byName["a"].OfUniform), (5+45+30)/3., 1e-9)
	must.Near(t, "percent of uniform of b", float64(byName["b"].OfUniform), (6+35+19)/3., 1e-9)
	must.Near(t, "above best of a", float64(byName["a"].AboveBest), 100*(0+10./65+110./810)/3, 1e-9)
	must.Near(t, "above best of b", float64(byName["b"].AboveBest), 100*(100./9500)/3, 1e-9)
}

func TestCompareAcrossRefuses(t *testing.T) {
	one := labeled("one", map[string][]float64{"a": {1, 2}})
	for want, sets := range map[string][]*results.Set{
		"one environment":    {one},
		"are named one":      {one, one},
		"no policy finished": {one, labeled("two", map[string][]float64{"b": {1, 2}})},
	} {
		must.Refuse(CompareAcross(sets, Expected(), ""))(t, want)
	}
}

func TestParseUntil(t *testing.T) {
	for text, want := range map[string]Until{"separated": {Separated: true}, "width=2.5": {Width: 2.5}, "separated,width=100": {true, 100}} {
		must.Equal(t, text, must.Get(ParseUntil(text))(t), want)
	}
	for _, text := range []string{"", "separate", "width", "width=", "width=0", "width=-1", "width=NaN", "width=Inf", "separated;width=1"} {
		must.Refuse(ParseUntil(text))(t, "want separated, width=X")
	}
}

// TestSequential checks that pairs are in the order of the means and have intervals of level 1 − .05/3 for three policies,
// and that four seeds settle nothing.
func TestSequential(t *testing.T) {
	regrets := map[string][]float64{
		"a": {10, 11, 12, 10, 11, 12, 10, 11}, "b": {20, 22, 23, 20, 21, 23, 20, 22}, "c": {20, 21, 24, 21, 20, 24, 19, 23},
	}
	a, err := Sequential(resultstest.Set(regrets), Expected(), Until{Separated: true})
	must.OK(t, err)
	if len(a.Pairs) != 3 || a.Settled || len(a.Open()) != 1 || a.Open()[0].Policy != "c" || a.Open()[0].Other != "b" {
		t.Fatalf("pairs %+v", a.Pairs)
	}
	var differences []float64
	for i := range regrets["a"] {
		differences = append(differences, regrets["b"][i]-regrets["a"][i])
	}
	low, high, _, _ := stats.Anytime(differences, 0.05/3)
	p := a.Pairs[0]
	must.That(t, p.Policy == "b" && p.Other == "a" && p.Mean.Low == low && p.Mean.High == high && p.Settled && p.Holm >= p.P &&
		p.Mean.N == 8, "first pair %+v, want [%g, %g]", p, low, high)
	if a, err := Sequential(resultstest.Set(regrets), Expected(), Until{true, 100}); err != nil || !a.Settled {
		t.Errorf("not settled at a width of 100: %v", err)
	}
	few := map[string][]float64{"a": {1, 1, 1, 1}, "b": {9, 10, 9, 10}}
	a, err = Sequential(resultstest.Set(few), Expected(), Until{true, 100})
	must.That(t, err == nil && !a.Settled && math.IsInf(a.Pairs[0].Mean.High, 1), "four seeds: %+v, %v", a, err)
	failed := must.Get(Sequential(resultstest.Set(map[string][]float64{"a": {math.NaN()}, "b": {9}}), Expected(), Until{true, 100}))(t)
	must.That(t, failed.Warnings[0].Message == "a: 1 failed: seed 1", "%+v", failed.Warnings)
	must.That(t, failed.Pairs[0].Policy == "a", "a policy without a finished trial is the better one: %+v", failed.Pairs)
}

// TestAnytimeVerdict checks that the verdict names the nearest other policy and says whether and why the difference to it
// is settled, and that an unknown policy has no verdict.
func TestAnytimeVerdict(t *testing.T) {
	set := resultstest.Set(map[string][]float64{
		"a": {10, 11, 12, 10, 11, 12, 10, 11}, "b": {20, 22, 23, 20, 21, 23, 20, 22}, "c": {10, 12, 11, 11, 11, 12, 9, 12},
	})
	for width, want := range map[float64]string{
		0:   "a has the lowest expected regret, 10.88 ± 0.70 over 8 seeds (median 11.0, worst 12.0 on seed 3); the difference to the second, c, is 0.1 [−1.5, 1.8], an anytime interval for 3 pairs together: not settled.",
		100: "an anytime interval for 3 pairs together: alike, as the interval is at most 100 wide.",
	} {
		a := must.Get(Sequential(set, Expected(), Until{true, width}))(t)
		must.Contain(t, strings.Join(a.Verdict(set, "a"), " "), want)
		must.Contain(t, strings.Join(a.Verdict(set, "c"), " "), "the difference to the second, b, is 10.4 [", ": settled.")
		few := resultstest.Set(map[string][]float64{"a": {1}, "b": {9}})
		a = must.Get(Sequential(few, Expected(), Until{true, width}))(t)
		must.Contain(t, a.Verdict(few, "a")[0], "a has the lowest expected regret, 1.00 over 1 seed; the difference to the second, b, is 8.00 on 1 seed: too few to settle it.")
		third := resultstest.Set(map[string][]float64{"a": {1, 2, 3, 1, 2, 3, 2, 2}, "b": {19, 20, 21, 19, 20, 22, 20, 20}, "c": {0, 80, 2, 1, 90, 2, 3, 2}})
		a = must.Get(Sequential(third, Expected(), Until{true, width / 10}))(t)
		must.Contain(t, a.Verdict(third, "a")[0], "the difference to the second, b, is 18.12 [", ": settled; not settled: c.")
		race := resultstest.Set(map[string][]float64{ // c is surely worse than b, and b than a
			"a": slices.Repeat([]float64{0, 20}, 40), "b": slices.Repeat([]float64{20, 20.5}, 40), "c": slices.Repeat([]float64{23, 23.7}, 4),
		})
		a = must.Get(Sequential(race, Expected(), Until{true, width / 100}))(t)
		must.That(t, !a.Pairs[1].Settled, "%+v", a.Pairs)
		must.Contain(t, a.Verdict(race, "a")[0], ": settled.")
		none := a.Verdict(set, "d")
		must.That(t, len(none) == 1 && none[0] == NoneFinished, "%q", none)
	}
}
