package compare

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/results/stats"
)

func normalLuck(s *stream.Stream) float64 {
	var z [1]float32
	s.Normals(z[:])
	return float64(z[0])
}

func exponentialLuck(s *stream.Stream) float64 { return -math.Log1p(-s.Float64()) - 1 }

// Six policies that are equally good: the share of runs in which any of them is found to differ from the baseline, be it named or picked
// for its mean, is at most 5 %. Corrected for 5 tests alone, the t-test would find more with a baseline that was picked.
func TestFalsePositives(t *testing.T) {
	if testing.Short() {
		t.Skip("a few seconds")
	}
	const runs = 1000
	most := stats.Significance + 4*math.Sqrt(stats.Significance*(1-stats.Significance)/runs)
	share := func(p ...float64) float64 {
		if slices.ContainsFunc(p, func(p float64) bool { return p < stats.Significance }) {
			return 1. / runs
		}
		return 0
	}
	for _, test := range []struct {
		name  string
		draw  func(*stream.Stream) float64
		seeds int
	}{{"normal", normalLuck, 6}, {"normal", normalLuck, 10}, {"normal", normalLuck, 20}, {"exponential", exponentialLuck, 10}} {
		for _, picked := range []bool{false, true} {
			name := fmt.Sprintf("%s, %d seeds, baseline picked %v", test.name, test.seeds, picked)
			s := stream.Root(1).Child("false positives", name)
			var byT, byFlip, small float64
			for range runs {
				var p, holm, flip []float64
				for _, d := range compareShifted(t, s, test.draw, test.seeds, picked, 0).Differences {
					p, holm, flip = append(p, d.P), append(holm, d.Holm), append(flip, d.SignFlipHolm)
				}
				byT, byFlip, small = byT+share(holm...), byFlip+share(flip...), small+share(stats.Holm(p)...)
			}
			t.Logf("%s: t %.1f %%, sign-flip %.1f %%; t corrected for 5 tests %.1f %%", name, 100*byT, 100*byFlip, 100*small)
			if byT > most || byFlip > most {
				t.Errorf("%s: t finds differences in %.1f %% of runs, sign-flip in %.1f %%", name, 100*byT, 100*byFlip)
			}
			if picked && test.name == "normal" && small < most {
				t.Errorf("%s: corrected for 5 tests only, t finds differences in %.1f %% of runs: all pairs are more than is needed", name, 100*small)
			}
		}
	}
}

// Simultaneous intervals of six policies hold all true differences at once in at least 95 % of runs,
// which single intervals do not, and none without 0 is of a difference that is not significant. With a
// picked baseline, which is likely to have been lucky, the family of all pairs is needed.
func TestSimultaneousCoverage(t *testing.T) {
	if testing.Short() {
		t.Skip("a few seconds")
	}
	runs := 200.
	if os.Getenv("BANDITSIM_LONG") != "" {
		runs = 20_000
	}
	least := stats.Confidence - 4*math.Sqrt(stats.Confidence*(1-stats.Confidence)/runs)
	for _, seeds := range []int{6, 20} {
		for _, picked := range []bool{false, true} {
			for _, shift := range []float64{0, 0.3} {
				name := fmt.Sprintf("%d seeds, baseline picked %v, shift %v", seeds, picked, shift)
				s := stream.Root(1).Child("simultaneous", name)
				single, together := 1., 1. // shares of runs in which all hold
				for range int(runs) {
					c := compareShifted(t, s, normalLuck, seeds, picked, shift)
					base, _ := strconv.Atoi(c.Baseline)
					missed, missedTogether := 0., 0.
					for _, d := range c.Differences {
						k, _ := strconv.Atoi(d.Policy)
						truth := float64(k-base) * shift
						if low, high := stats.StudentT.Of(d.Values, c.Tests); !(low <= truth && truth <= high) {
							missed = 1
						}
						low, high := stats.Simultaneous.Of(d.Values, c.Tests)
						if !(low <= truth && truth <= high) {
							missedTogether = 1
						}
						if (low > 0 || high < 0) && !d.Significant() {
							t.Errorf("%s: the interval [%g, %g] lacks 0, and p is %g", name, low, high, d.Holm)
						}
					}
					single, together = single-missed/runs, together-missedTogether/runs
				}
				t.Logf("%s: all hold: simultaneous %.1f %%, single %.1f %%", name, 100*together, 100*single)
				if !(together >= least) || !(single < least) {
					t.Errorf("%s: want that simultaneous ones hold in at least %.1f %% of runs, and single ones do not", name, 100*least)
				}
			}
		}
	}
}

// compareShifted compares six policies whose regret in a seed has luck of all and luck of each; the
// k-th, labeled k, is k shifts worse than the first.
func compareShifted(t *testing.T, s *stream.Stream, draw func(*stream.Stream) float64, seeds int, picked bool, shift float64) *Comparison {
	t.Helper()
	policies := make([]regretBySeed, 6)
	for k := range policies {
		policies[k] = regretBySeed{label: strconv.Itoa(k), total: make(map[uint64]float64)}
	}
	for seed := range uint64(seeds) {
		common := 3 * normalLuck(s)
		for k := range policies {
			policies[k].seeds = append(policies[k].seeds, seed)
			policies[k].total[seed] = common + draw(s) + float64(k)*shift
			policies[k].mean += policies[k].total[seed] / float64(seeds)
		}
	}
	label := "0"
	if picked {
		label = ""
	}
	base, err := findBaseline(policies, label)
	if err != nil {
		t.Fatal(err)
	}
	c := &Comparison{Options: Options{Baseline: base.label}, BaselinePicked: picked}
	c.test(policies, base)
	return c
}
