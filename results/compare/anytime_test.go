package compare

import (
	"math"
	"strings"
	"testing"

	"banditsim/internal/resultstest"
	"banditsim/results/stats"
)

func TestParseUntil(t *testing.T) {
	for text, want := range map[string]Until{"separated": {Separated: true}, "width=2.5": {Width: 2.5}, "separated,width=100": {true, 100}} {
		if u, err := ParseUntil(text); u != want || err != nil {
			t.Errorf("%s: %+v, %v", text, u, err)
		}
	}
	for _, text := range []string{"", "separate", "width", "width=", "width=0", "width=-1", "width=NaN", "width=Inf", "separated;width=1"} {
		if _, err := ParseUntil(text); err == nil || !strings.Contains(err.Error(), "want separated, width=X") {
			t.Errorf("%q: error %v", text, err)
		}
	}
}

func TestSettles(t *testing.T) {
	inf := math.Inf(1)
	for _, test := range []struct {
		u         Until
		low, high float64
		want      bool
	}{
		{Until{Separated: true}, 1, 3, true}, {Until{Separated: true}, -3, -1, true}, {Until{Separated: true}, -1, 1, false}, {Until{Separated: true}, -inf, inf, false},
		{Until{Width: 2}, -1, 1, true}, {Until{Width: 2}, 1, 4, false}, {Until{Width: 2}, -inf, inf, false},
		{Until{true, 2}, 1, 9, true}, {Until{true, 2}, -1, 1, true}, {Until{true, 2}, -2, 1, false},
	} {
		if got := test.u.settles(test.low, test.high); got != test.want {
			t.Errorf("%+v of [%g, %g]: %v", test.u, test.low, test.high, got)
		}
	}
}

// All pairs of three policies: the order is that of the means, intervals are of level 1 − .05/3, and fewer than five seeds settle nothing.
func TestSequential(t *testing.T) {
	regrets := map[string][]float64{
		"a": {10, 11, 12, 10, 11, 12, 10, 11}, "b": {20, 22, 23, 20, 21, 23, 20, 22}, "c": {20, 21, 24, 21, 20, 24, 19, 23},
	}
	a, err := Sequential(resultstest.Set(regrets), Expected(), Until{Separated: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Pairs) != 3 || a.Settled || len(a.Open()) != 1 || a.Open()[0].Policy != "c" || a.Open()[0].Other != "b" {
		t.Fatalf("pairs %+v", a.Pairs)
	}
	var differences []float64
	for i := range regrets["a"] {
		differences = append(differences, regrets["b"][i]-regrets["a"][i])
	}
	low, high, _, _ := stats.Anytime(differences, 0.05/3)
	p := a.Pairs[0]
	if p.Policy != "b" || p.Other != "a" || p.Mean.Low != low || p.Mean.High != high || !p.Settled || !(p.Holm >= p.P) || p.Mean.N != 8 {
		t.Errorf("first pair %+v, want [%g, %g]", p, low, high)
	}
	if a, err := Sequential(resultstest.Set(regrets), Expected(), Until{true, 100}); err != nil || !a.Settled {
		t.Errorf("not settled at a width of 100: %v", err)
	}
	few := map[string][]float64{"a": {1, 1, 1, 1}, "b": {9, 10, 9, 10}}
	a, err = Sequential(resultstest.Set(few), Expected(), Until{true, 100})
	if err != nil || a.Settled || !math.IsInf(a.Pairs[0].Mean.High, 1) {
		t.Errorf("four seeds: %+v, %v", a, err)
	}
}
