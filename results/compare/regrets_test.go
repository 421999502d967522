package compare

import (
	"testing"

	"banditsim/internal/resultstest"
	"banditsim/results"
)

// TestSummaryTellsRegretsApart: each of the four means comes from its own total, and policies are
// sorted by the expected one, here against the order of the other three.
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
	if first := s.Policies[0].Policy; first != "b" {
		t.Errorf("%s is first, want b, of the lower expected regret", first)
	}
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
			resultstest.CloseTo(t, p.Policy+", "+name, c[0], c[1], 1e-9)
		}
	}
}
