package compare

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/results"
	"banditsim/results/internal/resultstest"
)

// TestBesideConstant: the verdict says when the best policy does no better than the best constant arm, of which the
// sidecar of any trial knows, and a line of captions has it.
func TestBesideConstant(t *testing.T) {
	for _, c := range []struct {
		name    string
		regrets []float64 // 1,000 ± 25
		arm     string
		cost    float64
		want    string
		line    string // "": not known
	}{
		{"better", []float64{1000, 1010, 990}, "eat", 1100, "", `always "eat" costs 1,100`},
		{"not surely", []float64{1000, 1010, 990}, "eat", 1010, ` One arm for all pulls may do no worse: always "eat" costs 1,010, within the interval.`, `always "eat" costs 1,010`},
		{"the same", []float64{1000, 1010, 990}, "eat", 1000, ` One arm for all pulls does no worse: always "eat" costs 1,000.`, `always "eat" costs 1,000`},
		{"worse", []float64{1000, 1010, 990}, "leave", 438, ` One arm for all pulls does no worse: always "leave" costs 438.`, `always "leave" costs 438`},
		{"one seed, better", []float64{1000}, "eat", 1001, "", `always "eat" costs 1,001`},
		{"one seed, worse", []float64{1000}, "eat", 999, ` One arm for all pulls does no worse: always "eat" costs 999.`, `always "eat" costs 999`},
		{"the best arm everywhere", []float64{1000, 1010, 990}, "eat", 0, "", `always "eat" costs 0`},
		{"not an arm", []float64{1000, 1010, 990}, "cook", 438, "", ""},
		{"another with each seed", []float64{1000, 1010, 990}, "", 0, "", "best constant arm: –"},
	} {
		set := resultstest.Set(map[string][]float64{"a": c.regrets, "b": {2000, 2010, 2005}})
		without := Verdict(set)
		p := set.Conditions.Protocol
		last := &set.Policies[1].Records[2]
		last.Path = filepath.Join(t.TempDir(), "b.jsonl")
		arm := &bandit.ConstantArm{Arm: c.arm, Regret: c.cost / float64(p.Rounds*p.Pulls)}
		if err := results.WriteSidecar(last.Path, results.Sidecar{ConstantArm: arm}); err != nil {
			t.Fatal(err)
		}
		if got, ok := strings.CutPrefix(Verdict(set), without); !ok || got != c.want {
			t.Errorf("%s: %q follows, want %q", c.name, got, c.want)
		}
		constant := Summarize(set).Constant
		switch {
		case c.line == "":
			if constant != nil {
				t.Errorf("%s: %s, want nothing known", c.name, constant)
			}
		case constant == nil || !strings.Contains(constant.String(), c.line):
			t.Errorf("%s: %v, want %q", c.name, constant, c.line)
		default:
			uniform, _ := set.Conditions.UniformRegret()
			if want := 100 * c.cost / uniform; c.arm != "" && !(math.Abs(float64(constant.Percent)-want) < 1e-9) {
				t.Errorf("%s: %g %% of uniform, want %g", c.name, constant.Percent, want)
			}
		}
	}
}
