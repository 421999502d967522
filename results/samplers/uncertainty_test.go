package samplers

import (
	"strings"
	"testing"

	"banditsim/posterior/deep"
)

// uncertaintyRecords returns a record per method and seed, whose accuracy is the method's number plus what the seed adds, and
// whose log loss and Brier score are 1 less that.
func uncertaintyRecords(seeds int, accuracy map[string]float64) *UncertaintyResult {
	r := &UncertaintyResult{Identity: deep.UncertaintyIdentity{Outside: []deep.OutsideIdentity{{Set: "5 to 9"}}}}
	for seed := range seeds {
		for k, method := range deep.UncertaintyMethods() {
			a, ok := accuracy[method]
			if !ok {
				continue
			}
			a += 0.01*float64(seed%3) + 1e-4*float64((seed*7+k*k*5)%11)
			r.Records = append(r.Records, deep.UncertaintyRecord{
				Method: method, Seed: uint64(seed + 1), Scores: deep.Scores{Accuracy: a, LogLoss: 1 - a},
				Outside: []deep.OutsideScores{{Set: "5 to 9", Brier: 1 - a}},
			})
		}
	}
	return r
}

// TestUncertaintyVerdicts: claims hold, hold in part, do not hold, are not shown and are not compared.
func TestUncertaintyVerdicts(t *testing.T) {
	five := map[string]float64{"cycSGHMC": 0.5, "MultiSWAG": 0.6, "M-SGD": 0.7, "reSGHMC": 0.8, "ICSGHMC": 0.9}
	with := func(change map[string]float64) map[string]float64 {
		all := map[string]float64{}
		for _, m := range []map[string]float64{five, change} {
			for k, v := range m {
				all[k] = v
			}
		}
		return all
	}
	for _, c := range []struct {
		name     string
		seeds    int
		accuracy map[string]float64
		want     string // verdicts of the claims, by their first letters
	}{
		{"the paper's order", 10, five, "holds; holds; holds; holds; holds; does not hold; holds; holds"},
		{"ICSGHMC as good as reSGHMC", 10, with(map[string]float64{"ICSGHMC": 0.8}), "holds in part; holds in part; holds in part; holds; holds; does not hold; holds; holds"},
		{"all alike", 10, with(map[string]float64{"cycSGHMC": 0.9, "MultiSWAG": 0.9, "M-SGD": 0.9, "reSGHMC": 0.9}), "not shown; not shown; not shown; not shown; not shown; not shown; not shown; not shown"},
		{"one seed", 1, five, "not shown; not shown; not shown; not shown; not shown; not shown; not shown; not shown"},
		{"two methods", 10, map[string]float64{"M-SGD": 0.7, "reSGHMC": 0.8}, "not compared; not compared; not compared; not compared; not compared; not compared; holds; not compared"},
	} {
		var got []string
		for _, claim := range SummarizeUncertainty(uncertaintyRecords(c.seeds, c.accuracy)).Claims {
			got = append(got, claim.Verdict)
		}
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%s: %s, want %s", c.name, s, c.want)
		}
	}
}

// TestPaperFigures: every method and measure of a claim has a figure of the paper.
func TestPaperFigures(t *testing.T) {
	if got, want := paperClaims[0].figures(), "76.34 against 76.15; 76.01; 75.46; 75.41"; got != want {
		t.Errorf("figures %q, want %q", got, want)
	}
	for _, c := range paperClaims {
		for _, m := range append([]string{c.method}, c.others...) {
			if paperFigures[c.measure][m] == "" {
				t.Errorf("%s: no figure of %s", c.text, m)
			}
		}
	}
}
