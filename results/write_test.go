package results_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/internal/must"
	. "banditsim/results"
)

// TestRecordNotFinite checks that recording a NaN regret returns an error, after which Finish can still record the failure.
func TestRecordNotFinite(t *testing.T) {
	dir, i := t.TempDir(), identity("p", 1, 3)
	w := must.Get(Create(dir, i))(t)
	must.OK(t, w.Record(&bandit.RoundRecord{Round: 1, Realised: 1, Expected: 2, Arms: []int{1, 0}}))
	if err := w.Record(&bandit.RoundRecord{Round: 2, Realised: math.NaN(), Arms: []int{1, 0}}); err == nil {
		t.Fatal("a regret of NaN: no error")
	}
	totals, err := w.Finish(&Failure{Round: 2, Cause: "regret"})
	must.That(t, err == nil && totals.Rounds == 1 && totals.Expected == 2, "totals %+v, error %v", totals, err)
}

func TestNumber(t *testing.T) {
	for text, ok := range map[string]bool{`"NaN"`: true, `"+Inf"`: true, `"-Inf"`: true, `1e-7`: true, `"Inf"`: false, `"nan"`: false, `"1"`: false, `null`: false, `true`: false, `1e999`: false} {
		var n Number
		err := json.Unmarshal([]byte(text), &n)
		must.That(t, (err == nil) == ok, "%s: error %v", text, err)
	}
}

func TestFileName(t *testing.T) {
	i := identity("a/b c|d "+strings.Repeat("ü", 300), 1, 1)
	name := i.FileName()
	must.That(t, !strings.ContainsAny(name, "/ |ü") && len(name) <= 200 && strings.HasPrefix(name, "a_b_c_d_"),
		"file name %q", name)
}
