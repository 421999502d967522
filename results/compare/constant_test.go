package compare

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/internal/resultstest"
	"banditsim/internal/words"
	"banditsim/results"
)

// TestConstant: a sentence compares the policies with the best constant arm, of which the sidecar of any trial knows.
func TestConstant(t *testing.T) {
	for _, c := range []struct {
		name    string
		regrets []float64 // 1,000 ± 25
		arm     string
		cost    float64
		want    string // "": not known; %: its percentage of uniform
	}{
		{"better", []float64{1000, 1010, 990}, "eat", 1100, `Best constant arm: always "eat" costs 1,100, % of uniform; 1 of 2 policies cost less.`},
		{"not surely", []float64{1000, 1010, 990}, "eat", 1010,
			`Best constant arm: always "eat" costs 1,010, % of uniform; 1 of 2 policies cost less, none of them surely: it is within the interval of the best.`},
		{"the same", []float64{1000, 1010, 990}, "eat", 1000, `Best constant arm: always "eat" costs 1,000, % of uniform; 0 of 2 policies cost less.`},
		{"one seed, better", []float64{1000}, "eat", 1001, `Best constant arm: always "eat" costs 1,001, % of uniform; 1 of 2 policies cost less.`},
		{"the best arm everywhere", []float64{1000, 1010, 990}, "eat", 0, `Best constant arm: always "eat" costs 0, % of uniform; 0 of 2 policies cost less.`},
		{"not an arm", []float64{1000, 1010, 990}, "cook", 438, ""},
		{"another with each seed", []float64{1000, 1010, 990}, "", 0, "Best constant arm: –, another from seed to seed or from round to round."},
	} {
		set := resultstest.Set(map[string][]float64{"a": c.regrets, "b": {2000, 2010, 2005}})
		p := set.Conditions.Protocol
		last := &set.Policies[1].Records[2]
		last.Path = filepath.Join(t.TempDir(), "b.jsonl")
		arm := &bandit.ConstantArm{Arm: c.arm, Regret: c.cost / float64(p.Rounds*p.Pulls)}
		if err := results.WriteSidecar(last.Path, results.Sidecar{ConstantArm: arm}); err != nil {
			t.Fatal(err)
		}
		s := summaryOf(t, set)
		if c.want == "" {
			if s.Constant != nil || len(s.Sentences) != 1 {
				t.Errorf("%s: %v and %q, want nothing known", c.name, s.Constant, s.Sentences)
			}
			continue
		}
		uniform, _ := set.Conditions.UniformRegret()
		percent := 100 * c.cost / uniform
		if c.arm != "" && !(math.Abs(float64(s.Constant.Percent)-percent) < 1e-9) {
			t.Errorf("%s: %g %% of uniform, want %g", c.name, s.Constant.Percent, percent)
		}
		if want := strings.Replace(c.want, "%", words.Percent(percent), 1); s.Sentences[1] != want {
			t.Errorf("%s: %q, want %q", c.name, s.Sentences[1], want)
		}
	}
}
