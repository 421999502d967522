package compare

import (
	"testing"

	"banditsim/internal/resultstest"
	"banditsim/results"
)

// A new metric is an entry of metrics, and nothing else.
func TestMetricIsAnEntry(t *testing.T) {
	doubled := &Metric{
		name:  "doubled",
		Round: func(r *results.Round) float64 { return 2 * r.Expected },
		Total: func(t results.Totals) float64 { return 2 * t.Expected }, AfterBurnIn: func(t results.Totals) float64 { return 2 * t.ExpectedAfter },
	}
	before := metrics
	metrics = append(Metrics(), doubled)
	t.Cleanup(func() { metrics = before })
	if m, err := ParseMetric("doubled"); err != nil || m != doubled {
		t.Errorf("%v, %v", m, err)
	}
	set := resultstest.Trials(t, []string{"p", "q"}, 3, 60, nil)
	p := summaryOf(t, set).Policies[0]
	resultstest.CloseTo(t, "mean", p.Regret[doubled].All.Mean, 2*p.Regret[Expected()].All.Mean, 1e-9)
	o := DefaultOptions(set)
	o.Metric = doubled
	c, err := Compare(set, o)
	if err != nil || c.Differences[0].Mean.N != 3 {
		t.Errorf("%+v, %v", c, err)
	}
	curves, err := Curves(set, curveOptions(doubled, 1, 10))
	if err != nil {
		t.Fatal(err)
	}
	resultstest.CloseTo(t, "end of the curve", curves[0].End().Mean, p.Regret[doubled].All.Mean, 1e-9)
	threshold, err := ParseThreshold("post_burn_in_doubled_regret(p) > 0")
	if err != nil {
		t.Fatal(err)
	}
	j := threshold.Judge(set, set.Find)
	resultstest.CloseTo(t, "judged", j.Estimate.Mean, p.Regret[doubled].AfterBurnIn.Mean, 1e-9)
	if !j.Met {
		t.Errorf("%v", j)
	}
}
