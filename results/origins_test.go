package results_test

import (
	"slices"
	"testing"

	"banditsim/results"
	"banditsim/results/internal/resultstest"
)

func TestProvenance(t *testing.T) {
	p := results.ReadProvenance(resultstest.ManyOrigins(t))
	for _, test := range []struct {
		what      string
		got, want []results.Tally
	}{
		{"version", p.Version, []results.Tally{{Value: "0.1.0", Trials: 3}}},
		{"revision", p.Revision, []results.Tally{{Value: "1111111", Trials: 2}, {Value: "", Trials: 1}}},
		{"kernel", p.Kernel, []results.Tally{{Value: "avx512", Trials: 2}, {Value: "avx2", Trials: 1}}},
		{"command", p.Command, []results.Tally{{Value: "banditsim run e.yaml --set 'a b=1'", Trials: 3}}},
	} {
		if !slices.Equal(test.got, test.want) {
			t.Errorf("%s: %v, want %v", test.what, test.got, test.want)
		}
	}
	if p.Trials != 5 || len(p.Unknown) != 2 || p.Seconds != 3*700.25 || p.Epoch != results.Epoch {
		t.Errorf("%+v", p)
	}
}
