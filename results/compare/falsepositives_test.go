package compare

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/resultstest"
	"banditsim/results/stats"
)

// A luckFamily draws differences whose mean is 0.
type luckFamily struct {
	name     string
	skewness float64
	draw     func(s *stream.Stream) float64
}

func normalLuck(s *stream.Stream) float64 {
	var z [1]float32
	s.Normals(z[:])
	return float64(z[0])
}

var (
	normalFamilyOfLuck      = luckFamily{"normal", 0, normalLuck}
	exponentialFamilyOfLuck = luckFamily{"exponential", 2, func(s *stream.Stream) float64 { return -math.Log1p(-s.Float64()) - 1 }}
)

// Six policies that are equally good: the share of runs in which any of them is
// found to differ from the baseline, be it named or picked for its mean, is at most 5 %.
func TestFalsePositives(t *testing.T) {
	if testing.Short() {
		t.Skip("a few seconds")
	}
	const runs = 1000
	standardError := math.Sqrt(stats.Significance * (1 - stats.Significance) / runs)
	for _, test := range []struct {
		family luckFamily
		seeds  int
	}{{normalFamilyOfLuck, 6}, {normalFamilyOfLuck, 10}, {normalFamilyOfLuck, 20}, {exponentialFamilyOfLuck, 10}} {
		for _, picked := range []bool{false, true} {
			name := fmt.Sprintf("%s, %d seeds, baseline picked %v", test.family.name, test.seeds, picked)
			s := stream.Root(1).Child("false positives", name)
			var byT, byFlip, small float64
			for range runs {
				c := compareShifted(t, s, test.family, test.seeds, picked, 0)
				leastT, leastFlip := 1.0, 1.0
				var p []float64
				for _, d := range c.Differences {
					leastT, leastFlip = min(leastT, d.Holm), min(leastFlip, d.SignFlipHolm)
					p = append(p, d.P)
				}
				leastSmall := 1.0
				for _, v := range stats.Holm(p) {
					leastSmall = min(leastSmall, v)
				}
				byT += found(leastT)
				byFlip += found(leastFlip)
				small += found(leastSmall)
			}
			t.Logf("%s: t %.1f %%, sign-flip %.1f %%; t corrected for 5 tests %.1f %%", name, 100*byT/runs, 100*byFlip/runs, 100*small/runs)
			resultstest.CloseTo(t, name+": share found by t", byT/runs, 0, stats.Significance+4*standardError)
			resultstest.CloseTo(t, name+": share found by sign-flip", byFlip/runs, 0, stats.Significance+4*standardError)
			// Why all pairs are in the family of a baseline that was picked.
			if normal := test.family.skewness == 0; picked && normal && small/runs < stats.Significance+4*standardError {
				t.Errorf("%s: corrected for 5 tests only, t finds differences in %.1f %% of runs: all pairs are more than is needed", name, 100*small/runs)
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
				held := map[stats.IntervalMethod]float64{stats.StudentT: 0, stats.Simultaneous: 0}
				for range int(runs) {
					c := compareShifted(t, s, normalFamilyOfLuck, seeds, picked, shift)
					base, _ := strconv.Atoi(c.Baseline)
					for method := range held {
						all := 1.0
						for _, d := range c.Differences {
							k, _ := strconv.Atoi(d.Policy)
							low, high := method.Of(d.Values, c.Tests)
							if truth := float64(k-base) * shift; !(low <= truth && truth <= high) {
								all = 0
							}
							if method == stats.Simultaneous && (low > 0 || high < 0) && !d.Significant() {
								t.Errorf("%s: the interval [%g, %g] lacks 0, and p is %g", name, low, high, d.Holm)
							}
						}
						held[method] += all
					}
				}
				single, together := held[stats.StudentT]/runs, held[stats.Simultaneous]/runs
				t.Logf("%s: all hold: simultaneous %.1f %%, single %.1f %%", name, 100*together, 100*single)
				if !(together >= least) {
					t.Errorf("%s: simultaneous intervals hold in %.1f %% of runs, want at least %.1f %%", name, 100*together, 100*least)
				}
				if !(single < least) {
					t.Errorf("%s: single intervals hold in %.1f %% of runs: simultaneous ones are more than is needed", name, 100*single)
				}
			}
		}
	}
}

func found(p float64) float64 {
	if p < stats.Significance {
		return 1
	}
	return 0
}

// compareShifted compares six policies whose regret in a seed has luck of all and luck of each; the
// k-th, labeled k, is k shifts worse than the first.
func compareShifted(t *testing.T, s *stream.Stream, family luckFamily, seeds int, picked bool, shift float64) *Comparison {
	t.Helper()
	policies := make([]regretBySeed, 6)
	for k := range policies {
		policies[k] = regretBySeed{label: strconv.Itoa(k), total: make(map[uint64]float64)}
	}
	for seed := range uint64(seeds) {
		common := 3 * normalLuck(s)
		for k := range policies {
			policies[k].seeds = append(policies[k].seeds, seed)
			policies[k].total[seed] = common + family.draw(s) + float64(k)*shift
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
