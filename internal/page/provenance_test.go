package page

import (
	"math"
	"testing"

	"banditsim/internal/resultstest"
)

// The list of trials is bounded: it has the failed ones and the first of each policy.
func TestLongListOfTrials(t *testing.T) {
	regret := map[string][]float64{"a": make([]float64, 1500), "b": make([]float64, 300)}
	for _, k := range []int{3, 1400, 1499} {
		regret["a"][k] = math.NaN() // failed
	}
	p := newProvenance(resultstest.Set(regret), 1000, map[string]string{})
	outcomes := make(map[string]int)
	for _, trial := range p.Trials {
		outcomes[trial.Policy+" "+trial.Outcome]++
	}
	if p.Total != 1800 || outcomes["a whole"] != 500 || outcomes["a failed in round 10"] != 3 || outcomes["b whole"] != 300 {
		t.Errorf("%d trials: %v", p.Total, outcomes)
	}
	if p := newProvenance(resultstest.Set(map[string][]float64{"a": regret["b"]}), 1000, map[string]string{}); len(p.Trials) != 300 {
		t.Errorf("%d of 300 trials", len(p.Trials))
	}
}
