package plot

import (
	"cmp"
	"fmt"
	"html"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/figure"
	"banditsim/internal/must"
	"banditsim/internal/resultstest"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
	"banditsim/results/stats"
)

// scoreSets returns a set per environment with 20 seeds per policy and normal regrets. Their mean is the policy's factor times
// 1,000 in the first environment, and ten times as much in each next one. The uniform policy's regret has factor 2.
func scoreSets(environments []string, factors map[string]float64) []*results.Set {
	s := stream.Root(5)
	var sets []*results.Set
	scale := 1000.
	for _, label := range environments {
		regret := make(map[string][]float64)
		for _, p := range slices.Sorted(maps.Keys(factors)) {
			for range 20 {
				regret[p] = append(regret[p], scale*(factors[p]+.05*s.Normal()))
			}
		}
		set := resultstest.Set(regret)
		slices.SortFunc(set.Policies, func(a, b results.PolicyRecords) int { return cmp.Compare(a.Label, b.Label) })
		set.Label, set.Named = label, true
		set.Conditions.Environment.UniformRegret = results.Number(2 * scale / 2000)
		sets, scale = append(sets, set), 10*scale
	}
	return sets
}

// pictures returns the figures of sets by kind.
func pictures(t *testing.T, sets []*results.Set, families []figure.Family, o Options) map[string]Figure {
	t.Helper()
	across := must.Get(compare.CompareAcross(sets, o.Metric, o.Baseline))(t)
	return map[string]Figure{"profile": Profiles(across, families, results.Order(sets), &o),
		"aggregate": Aggregates(across, families, results.Order(sets), &o), "strip": Strips(sets, families, &o)}
}

var (
	manyFactors  = map[string]float64{"LinUCB": .3, "LinTS": .32, "a policy with a long name that nobody gives": .5, "SGLD": .4, "pSGLD": .38, "SGHMC": .41, "kNN": .7, "GP": .6, "Uniform": 2, "UCB1": 1.5}
	manyFamilies = []figure.Family{{Name: "gradient chains", Policies: []string{"SGHMC", "SGLD", "pSGLD"}}, {Name: "linear models", Policies: []string{"LinTS", "LinUCB", "a policy with a long name that nobody gives"}},
		{Name: "nonparametric models", Policies: []string{"GP", "kNN"}}, {Name: "no context", Policies: []string{"UCB1", "Uniform", "not there"}}, {Name: "not there", Policies: []string{"neither"}}}
	fewFactors  = map[string]float64{"one": .5, "twin": .5, "harmed": .7}
	wideFactors = map[string]float64{"one": .3, "middle": 1, "last": 3}
)

// TestScoreGoldens compares figures with golden files (-update renews them) and checks that their texts fit.
func TestScoreGoldens(t *testing.T) {
	many := scoreSets([]string{"linear", "wheel 0.95"}, manyFactors)
	for name, f := range pictures(t, many, manyFamilies, optionsOf(t)) {
		svg := string(must.Get(SVG(f))(t))
		compareGolden(t, name+".svg", svg)
		checkTexts(t, name, svg)
		for _, family := range manyFamilies[:4] {
			must.Contain(t, svg, ">"+family.Name+"<")
		}
		must.That(t, !strings.Contains(svg, "not there") && !strings.Contains(svg, "neither"),
			"%s names policies without trials", name)
	}
	environments := []string{"linear", "a wheel", "thousands", "millions"}
	for name, f := range pictures(t, scoreSets(environments, wideFactors), nil, optionsOf(t, "label: one=ours", "log: x", "color: one=#ff0000", "baseline: last")) {
		svg := string(must.Get(SVG(f))(t))
		checkTexts(t, "few, "+name, svg)
		must.Contain(t, svg, ">ours<", "#FF0000")
	}
}

// checkTexts checks that no text overlaps another or leaves the figure, even if DejaVu Sans replaces the figure's font.
func checkTexts(t *testing.T, name, svg string) {
	t.Helper()
	var width float64
	fmt.Sscan(regexp.MustCompile(`width="([\d.]+)pt"`).FindStringSubmatch(svg)[1], &width)
	type box struct {
		text                     string
		left, right, low, height float64
	}
	var boxes []box
	for _, m := range regexp.MustCompile(`<text x="([-\d.]+)" y="([-\d.]+)" transform="scale\(1, -1\)"\s*style="[^"]*font-size:([\d.]+)px[^"]*">([^<]*)</text>`).FindAllStringSubmatch(svg, -1) {
		b := box{text: html.UnescapeString(m[4])}
		fmt.Sscan(m[1], &b.left)
		fmt.Sscan(m[2], &b.low)
		fmt.Sscan(m[3], &b.height)
		b.right = b.left + float64(textWidth(textStyle(1, ink), b.text))*b.height
		must.That(t, b.left >= 0 && b.right <= width,
			"%s: %q reaches from %.0f to %.0f of %.0f pt", name, b.text, b.left, b.right, width)
		for _, o := range boxes {
			must.That(t, b.left >= o.right || o.left >= b.right || math.Abs(b.low-o.low) >= .7*max(b.height, o.height),
				"%s: %q and %q overlap", name, b.text, o.text)
		}
		boxes = append(boxes, b)
	}
	must.That(t, len(boxes) >= 15, "%s: %d texts", name, len(boxes))
}

// TestHarmedFalls checks that every figure shows a policy with more regret as worse, and one with the same distribution as equal.
func TestHarmedFalls(t *testing.T) {
	sets := scoreSets([]string{"A", "B", "C", "D", "E", "F"}, fewFactors)
	all := pictures(t, sets, nil, optionsOf(t, "baseline: one"))
	row := func(f Forest, policy string) ForestRow {
		return f.Rows[slices.IndexFunc(f.Rows, func(r ForestRow) bool { return r.Label == policy })]
	}
	scores := all["aggregate"].(*Forests).Forests
	for i, higher := range []bool{true, false} { // interquartile mean, optimality gap
		one, twin, harmed := row(scores[i], "one"), row(scores[i], "twin"), row(scores[i], "harmed")
		if falls := higher && harmed.High < one.Low || !higher && harmed.Low > one.High; !falls || !(twin.Low < one.High && one.Low < twin.High) {
			t.Errorf("%s: one %+v, twin %+v, harmed %+v", scores[i].Title, one, twin, harmed)
		}
	}
	if p := row(scores[2], "twin"); !(p.Low < .5 && .5 < p.High) || !(row(scores[2], "harmed").High < .1) || row(scores[2], "one").Mid != .5 {
		t.Errorf("%s: twin %+v, harmed %+v", scores[2].Title, p, row(scores[2], "harmed"))
	}
	profile := all["profile"].(*Panels).Panels[0]
	curve := func(policy string) []float64 {
		return profile.Curves[slices.IndexFunc(profile.Legend, func(e LegendEntry) bool { return e.Name == policy })].Mid
	}
	lower := 0
	for k, v := range curve("one") {
		if harmed := curve("harmed")[k]; harmed > v {
			t.Errorf("profile: harmed %g above one %g", harmed, v)
		} else if harmed < v-.5 {
			lower++
		}
	}
	must.That(t, lower >= 5, "profile: harmed is lower by half at %d thresholds", lower)
	for i, f := range all["strip"].(*Forests).Forests {
		one, twin, harmed := row(f, "one"), row(f, "twin"), row(f, "harmed")
		if unit := math.Pow(10, float64(3+i)); !(harmed.Mid > one.Mid+.1*unit && math.Abs(twin.Mid-one.Mid) < .06*unit) || len(one.Marks) != 20 {
			t.Errorf("strip %s: one %g, twin %g, harmed %g", f.Title, one.Mid, twin.Mid, harmed.Mid)
		}
	}
}

// TestMarksOfStrip checks that marks are at their values on the axis, that a logarithmic axis leaves out values that are not
// positive, and that the bar is at the median.
func TestMarksOfStrip(t *testing.T) {
	values := []float64{100, 200, 1000, math.NaN(), 400, -5}
	for log, want := range map[bool][]float64{false: {100, 200, 1000, 400, -5}, true: {100, 200, 1000, 400}} {
		o := optionsOf(t)
		o.LogX = log
		svg := must.Get(SVG(Strips([]*results.Set{resultstest.Set(map[string][]float64{"a": values})}, nil, &o)))(t)
		must.Contain(t, string(svg), "1 failed trial left out")
		scale := func(v float64) float64 { return v }
		if log {
			scale = math.Log
		}
		var marks []float64
		for _, m := range regexp.MustCompile(`<path d="M([\d.]+),[\d.]+A2\.5,`).FindAllSubmatch(svg, -1) {
			var x float64
			fmt.Sscan(string(m[1]), &x)
			marks = append(marks, x)
		}
		must.Hold(t, len(marks) == len(want), "log %t: %d marks, want %d: %s", log, len(marks), len(want), svg)
		unit := (marks[1] - marks[0]) / (scale(200) - scale(100))
		at := func(v float64) float64 { return marks[0] + unit*(scale(v)-scale(100)) }
		for i, v := range want {
			must.That(t, math.Abs(marks[i]-at(v)) < .1, "log %t: %g is drawn at %g, want %g", log, v, marks[i], at(v))
		}
		var bar float64
		m := regexp.MustCompile(`<path d="M([\d.]+),[\d.]+L[\d.]+,[\d.]+" style="[^"]*stroke-width:2[;"]`).FindSubmatch(svg)
		fmt.Sscan(string(m[1]), &bar)
		if want := at(200) - 2.5; !(math.Abs(bar-want) < .1) { // the path of a mark begins at its right end
			t.Errorf("log %t: the median is drawn at %g, want %g", log, bar, want)
		}
	}
	for log, values := range map[string][]float64{"x": {-5, -1, 30}, "": {0, 0}} { // a median without a place, regrets without a range
		o := optionsOf(t)
		o.LogX = log == "x"
		svg := string(must.Get(SVG(Strips([]*results.Set{resultstest.Set(map[string][]float64{"a": values})}, nil, &o)))(t))
		must.That(t, strings.Contains(svg, "A2.5,") && !strings.Contains(svg, "e-13"), "of %g: no mark, or an axis of rounding errors", values)
	}
}

// TestTimes checks that the frontier steps down through the policies that no other beats, and that the legend has these first, by time.
func TestTimes(t *testing.T) {
	cost := func(policy string, seconds, regret float64, undominated bool) compare.Cost {
		return compare.Cost{Policy: policy, Seconds: words.Float(seconds), Regret: stats.NewEstimate([]float64{regret - 1, regret + 1}), Undominated: undominated, Processor: true}
	}
	list := []compare.Cost{cost("old", math.NaN(), 5, false), cost("slow", 100, 5, true), cost("middle", 1, 20, true), cost("beaten", 50, 25, false), cost("fast", .01, 40, true), cost("worst", 1000, 90, false)}
	o := optionsOf(t, "label: slow=ours")
	f := Times(list, true, "two", nil, []string{"beaten", "fast", "middle", "slow", "worst"}, &o).(*Panels)
	p := f.Panels[0]
	must.Equal(t, "x", p.Curves[0].X, []float64{.01, 1, 1, 100, 100, 1500})
	must.Equal(t, "regret", p.Curves[0].Mid, []float64{40, 40, 20, 20, 5, 5})
	var names []string
	for _, e := range p.Legend[1:] {
		names = append(names, e.Name)
	}
	must.Equal(t, "legend", names, []string{"fast", "middle", "ours", "beaten", "worst"})
	svg := string(must.Get(SVG(f))(t))
	checkTexts(t, "times", svg)
	must.Contain(t, svg, "Processor time of a trial (s)", "% of uniform", ">ours<", "the next 3 names, left", "regret is unknown: old.")
	for i := range list {
		list[i].Processor = false
	}
	must.Contain(t, string(must.Get(SVG(Times(list, false, "one", nil, []string{"beaten", "fast", "middle", "slow", "worst"}, &o)))(t)), "Wall time")
}
