package page

import (
	"testing"

	"banditsim/internal/must"
	"banditsim/results"
)

// TestSeries: series that a sampler declares itself are in the page's data and have a chart.
func TestSeries(t *testing.T) {
	d := newDiagnostics(2)
	for round := 1; round <= 4; round++ {
		must.OK(t, d.add(&results.Round{Round: round, Energy: []results.Number{1, 2}, Series: []results.Series{
			{Name: "accepted", Values: []results.Number{0.5}},
			{Name: "heat", Unit: "τ", Values: []results.Number{results.Number(round), 3}},
		}}, (round-1)/2))
	}
	all := environment{Policies: []*policy{{}, {Sampler: d.result(detail{thetas: maxThetas, digits: fullDigits})}, {Sampler: d}}}
	all.addSeries()
	if len(all.Series) != 2 || all.Series[1] != (chart{"series-1", "heat", "τ"}) {
		t.Errorf("charts %v", all.Series)
	}
	s := all.Policies[1].Sampler.Series
	if len(s) != 2 || s[1].Spread.Low[0] != 1 || s[1].Spread.High[0] != 3 || s[1].Spread.Mean[1] != 3.25 {
		t.Errorf("series %+v", s)
	}
}
