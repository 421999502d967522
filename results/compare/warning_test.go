package compare

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"banditsim/internal/must"
	"banditsim/internal/resultstest"
	"banditsim/results"
	"banditsim/results/stats"
)

// messages returns the messages of the warnings of a kind.
func messages(c *Comparison, kind WarningKind) []string {
	var m []string
	for _, w := range c.Warnings {
		if w.Kind == kind {
			m = append(m, w.Message)
		}
	}
	return m
}

// plus returns regrets by seed that differ by the given amounts from 100.
func plus(differences ...float64) []float64 {
	regret := make([]float64, len(differences))
	for i, d := range differences {
		regret[i] = 100 + d
	}
	return regret
}

func TestWarnings(t *testing.T) {
	nan := math.NaN()
	zeros := func(n int) []float64 { return plus(make([]float64, n)...) }
	for _, test := range []struct {
		name   string
		base   []float64
		other  []float64
		method stats.IntervalMethod
		kind   WarningKind
		want   []string
	}{
		{"five seeds", zeros(5), plus(1, 2, 3, 4, 5), stats.StudentT, fewSeeds, []string{"5 seeds settle nothing: need at least 6 for tests and for intervals to be trusted"}},
		{"five seeds", zeros(5), plus(1, 2, 3, 4, 5), stats.StudentT, coarseTest, nil},
		{"no spread", zeros(2), plus(98, 98), stats.StudentT, noSpread, []string{"other: the difference is 98.0 on each of 2 seeds: as it does not vary, its interval is a point"}},
		{"no spread but for rounding", zeros(3), plus(0.1+0.2, 0.3, 0.3), stats.StudentT, noSpread, []string{"other: the difference is 0.300 on each of 3 seeds: as it does not vary, its interval is a point"}},
		{"spread", zeros(2), plus(98, 98.1), stats.StudentT, noSpread, nil},
		{"six seeds", zeros(6), plus(1, 2, 3, 4, 5, 6), stats.StudentT, fewSeeds, nil},
		{"six seeds", zeros(6), plus(1, 2, 3, 4, 5, 6), stats.StudentT, coarseTest, nil},
		{"an outlier", zeros(6), plus(1, 2, 3, 4, 5, 300), stats.StudentT, Outliers, []string{"other: far from the median difference, 3.50: seed 6 (300)"}},
		{"no outlier", zeros(6), plus(1, 2, 3, 4, 5, 6), stats.StudentT, Outliers, nil},
		// t = 2.77 and p = .033, but only four differences are not 0, and 2 of their 16 sign patterns reach the sum.
		{"tests disagree", zeros(7), plus(5, 6, 0, 5, 7, 0, 0), stats.StudentT, testsDisagree,
			[]string{"other: only the t-test, which takes differences to be normal, finds a difference"}},
		{"tests agree", zeros(7), plus(5, 6, 4, 5, 7, 3, 5), stats.StudentT, testsDisagree, nil},
		{"three pairs", zeros(3), plus(1, 2, 4), stats.BootstrapT, NoInterval, []string{"other: 3 pairs: too few for a bootstrap-t interval, whose resamples often have no spread: take the t-interval"}},
		{"lone seeds of both", []float64{100, nan, 100, 100, nan}, plus(1, 2, nan, 4, nan), stats.StudentT, UnpairedSeeds,
			[]string{"other: paired with base on the 2 of 5 seeds that both finished; left out: 2, 3, 5"}},
		{"failed", zeros(3), plus(1, nan, nan), stats.StudentT, TrialsFailed, []string{"other: 2 failed: seeds 2, 3"}},
	} {
		c := must.Get(compareBy(resultstest.Set(map[string][]float64{"base": test.base, "other": test.other}), "base", Expected(), test.method))(t)
		must.Equal(t, fmt.Sprintf("%s: %s", test.name, test.kind), messages(c, test.kind), test.want)
	}
}

// TestBCaIsRefused checks that BCa intervals of fewer than MinBCaPairs pairs are an error, here as trials failed.
func TestBCaIsRefused(t *testing.T) {
	regret := map[string][]float64{"base": nil, "other": nil, "third": nil}
	for seed := range stats.MinBCaPairs {
		regret["base"] = append(regret["base"], 100)
		regret["other"] = append(regret["other"], 110+float64(seed%7))
		regret["third"] = append(regret["third"], math.NaN())
	}
	c := must.Get(compareBy(resultstest.Set(regret), "base", Expected(), stats.BCa))(t)
	d := c.Differences[0]
	must.That(t, d.Policy == "other" && d.Mean.HasInterval() && d.Mean.Low < d.Mean.Mean && d.Mean.Mean < d.Mean.High, "%+v", d)
	regret["other"][9] = math.NaN()
	_, err := compareBy(resultstest.Set(regret), "base", Expected(), stats.BCa)
	want := "compare: interval bca: other and base have 39 seeds in common, want at least 40: of fewer, BCa intervals hold the true difference too rarely: take t or bootstrap-t"
	must.That(t, err != nil && err.Error() == want, "error %v, want %s", err, want)
	must.Refuse(compareBy(resultstest.Set(regret), "base", Expected(), "bac"))(t, "did you mean bca?")
}

// TestFewPairsSettleNothing checks that there is no test of a difference with fewer than MinSeeds pairs, even of equal
// values, and no probability of being the best.
func TestFewPairsSettleNothing(t *testing.T) {
	for n := 2; n <= MinSeeds; n++ {
		regret := map[string][]float64{"a": nil, "b": nil, "c": nil}
		for i := range n {
			regret["a"] = append(regret["a"], float64(i*i))
			regret["b"] = append(regret["b"], float64(i*i)+98)
			regret["c"] = append(regret["c"], float64(i*i)+200+float64(i%2))
		}
		set := labeled("one", regret)
		c := mustCompareTo(t, set, "a", Expected())
		enough := n == MinSeeds
		for _, d := range c.Differences {
			must.That(t, d.Significant() == enough && math.IsNaN(d.P) != enough && math.IsNaN(d.SignFlip) != enough &&
				d.SeedsNeeded == MinSeeds && d.Mean.HasInterval(), "%d pairs: %+v", n, d)
		}
		p := float64(c.Ranks[0].ProbabilityBest)
		must.That(t, math.IsNaN(p) != enough, "%d pairs: P(best) %v", n, p)
		tests := c.Tests
		must.That(t, (!enough || tests == 2) && (enough || tests == 0), "%d pairs: %d tests", n, tests)
		must.That(t, strings.Contains(c.verdict(Totals(set), set), "significant") == enough,
			"%d pairs: %s", n, c.verdict(Totals(set), set))
		a := must.Get(CompareAcross([]*results.Set{set, labeled("two", regret)}, Expected(), ""))(t)
		for _, p := range a.Pairs {
			want := 2
			must.That(t, (!enough || p.Wins == want) && (enough || p.Ties == want), "%d pairs: %+v", n, p)
		}
	}
}

// TestMoreSeeds checks that new seeds are proposed after a sweep.
func TestMoreSeeds(t *testing.T) {
	set := resultstest.Set(map[string][]float64{"a": {1, 2}, "b": {3, 4}})
	got := MoreSeeds(set)
	must.That(t, got == "1..10", "%v", got)
	set.Policies[0].TunedSeeds = []uint64{14, 5, 6, 30}
	must.Equal(t, "seeds beside those of a search", MoreSeeds(set), "15..24")
	set.Policies[0].TunedSeeds = nil
	set.Policies[1].Policy.Name = set.Policies[0].Policy.Name
	if got := MoreSeeds(set); got != "3..12" || !strings.Contains(verdict(t, set), "try --seeds 3..12") {
		t.Errorf("%s, but %s", got, verdict(t, set))
	}
	set.Policies[0].Records[1].Seed = math.MaxUint64
	if got := MoreSeeds(set); got != "1..10" {
		t.Error(got)
	}
}

// TestSummaryTellsRegretsApart checks that each of the four means is of its own total, and that policies are sorted by
// expected regret.
func TestSummaryTellsRegretsApart(t *testing.T) {
	set := resultstest.Set(map[string][]float64{"a": {1, 1}, "b": {1, 1}})
	totals := map[string]results.Totals{
		"a": {Rounds: 100, Expected: 20, Realised: 3, ExpectedAfter: 2, RealisedAfter: 1},
		"b": {Rounds: 100, Expected: 10, Realised: 30, ExpectedAfter: 8, RealisedAfter: 9},
	}
	for _, p := range set.Policies {
		for k := range p.Records {
			p.Records[k].Totals = totals[p.Label]
		}
	}
	s := summaryOf(t, set)
	must.Equal(t, "first policy", s.Policies[0].Policy, "b")
	for _, p := range s.Policies {
		want := totals[p.Policy]
		for name, c := range map[string][2]float64{
			"expected":                {p.Regret[Expected()].All.Mean, want.Expected},
			"realised":                {p.Regret[Realised()].All.Mean, want.Realised},
			"expected after burn-in":  {p.Regret[Expected()].AfterBurnIn.Mean, want.ExpectedAfter},
			"realised after burn-in":  {p.Regret[Realised()].AfterBurnIn.Mean, want.RealisedAfter},
			"percent, expected":       {float64(p.Regret[Expected()].Percent), 100 * want.Expected / (4.91014 * 2000)},
			"percent, realised":       {float64(p.Regret[Realised()].Percent), 100 * want.Realised / (4.91014 * 2000)},
			"percent after, expected": {float64(p.Regret[Expected()].PercentAfterBurnIn), 100 * want.ExpectedAfter / (4.91014 * 960)},
			"percent after, realised": {float64(p.Regret[Realised()].PercentAfterBurnIn), 100 * want.RealisedAfter / (4.91014 * 960)},
		} {
			must.Near(t, p.Policy+", "+name, c[0], c[1], 1e-9)
		}
	}
}
