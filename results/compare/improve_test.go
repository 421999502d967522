package compare

import (
	"math"
	"slices"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/results"
	"banditsim/results/stats"
)

// TestScoresByHand checks scores and improvement. With uniform regrets 1,000, 1,000 and unknown, the scores of a are .9 .8
// and .5 .5. Its trials are better than those of b in 4 of 4 pairs, in 4 ties, and in 3 of 4 pairs without scores.
func TestScoresByHand(t *testing.T) {
	sets := []*results.Set{
		labeled("one", map[string][]float64{"a": {100, 200}, "b": {300, 400}}),
		labeled("two", map[string][]float64{"a": {500, 500}, "b": {500, 500}}),
		labeled("three", map[string][]float64{"a": {1, 3}, "b": {2, 4}}),
	}
	sets[2].Conditions.Environment.UniformRegret = results.Number(math.NaN())
	a := must.Get(CompareAcross(sets, Expected(), "b"))(t)
	p := a.Policies[0]
	if p.Policy != "a" || a.Baseline != "b" || !slices.Equal(a.Unscored, []string{"three"}) {
		t.Fatalf("%+v", a)
	}
	must.Near(t, "interquartile mean", p.InterquartileMean.Mean, .65, 1e-12)
	must.Near(t, "optimality gap", p.OptimalityGap.Mean, .325, 1e-12)
	must.Near(t, "improvement", p.Improvement.Mean, 2.25/3, 1e-12)
	must.Near(t, "improvement of the pair", float64(a.Pairs[0].Improvement), 2.25/3, 1e-12)
	must.Refuse(CompareAcross(sets, Expected(), "c"))(t, "known are a, b")
}

// TestTwinsAndHarmed checks that an equal policy ties and that one with a fifth more regret is worse by every number. The
// standard error of a probability is .0125 here, as in TestTwinsTie of package stats.
func TestTwinsAndHarmed(t *testing.T) {
	s := stream.Root(11)
	var sets []*results.Set
	for e := range 36 {
		regret := make(map[string][]float64)
		for _, p := range []string{"one", "twin", "harmed"} {
			for range 30 {
				v := 100 + float64(10*e) + 10*s.Normal()
				if p == "harmed" {
					v *= 1.2
				}
				regret[p] = append(regret[p], v)
			}
		}
		sets = append(sets, labeled(string(rune('A'+e)), regret))
	}
	a := must.Get(CompareAcross(sets, Expected(), "one"))(t)
	by := make(map[string]AcrossPolicy)
	for _, p := range a.Policies {
		by[p.Policy] = p
	}
	one, twin, harmed := by["one"], by["twin"], by["harmed"]
	if p := twin.Improvement; !(math.Abs(p.Mean-.5) < .05 && p.Low < .5 && p.High > .5) {
		t.Errorf("twin: %+v", p)
	}
	if !(harmed.Improvement.High < .1 && harmed.InterquartileMean.High < one.InterquartileMean.Low && harmed.OptimalityGap.Low > one.OptimalityGap.High && harmed.MeanRank > one.MeanRank+1) {
		t.Errorf("harmed %+v, one %+v", harmed, one)
	}
	taus := []float64{.5, .55, .6, .65, .7, .75, .8, .85}
	low, high := stats.PerformanceProfile(harmed.Scores, taus), stats.PerformanceProfile(one.Scores, taus)
	for k, tau := range taus {
		if !(low[k].Mean < high[k].Mean) {
			t.Errorf("profile at %g: harmed %g, one %g", tau, low[k].Mean, high[k].Mean)
		}
	}
	// The data of figures: the profiles, and the median of the seeds in each environment, which has standard error 2.3.
	thresholds, above := a.Profiles()
	at := func(label string) []stats.Estimate {
		return above[slices.IndexFunc(a.Policies, func(p AcrossPolicy) bool { return p.Policy == label })]
	}
	for k, tau := range thresholds {
		fallen, of, same := at("harmed")[k], at("one")[k], at("twin")[k]
		if fallen.Mean > of.Mean || tau >= .5 && tau < .85 && !(fallen.High < of.Low) || !(math.Abs(same.Mean-of.Mean) < .05) {
			t.Errorf("profile at %g: harmed %+v, one %+v, twin %+v", tau, fallen, of, same)
		}
	}
	for _, set := range sets {
		median := make(map[string]float64)
		for _, p := range Totals(set).Policies {
			median[p.Policy] = float64(p.Regret[Expected()].Median)
		}
		if !(median["harmed"] > median["one"] && math.Abs(median["twin"]-median["one"]) < 15) {
			t.Errorf("%s: medians %v", set.Label, median)
		}
	}
}
