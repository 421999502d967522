package plot

import (
	"math"
	"testing"

	"banditsim/internal/must"
	"banditsim/internal/words"
	"banditsim/results/compare"
	"banditsim/results/stats"
)

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
