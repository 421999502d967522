package tune

import (
	"context"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/results"
	"banditsim/results/compare"
)

// section returns a section tune with two ranges of the policy P. Only the first, of the option scale, affects regret.
func section(seeds, budget int) *Section {
	t := DefaultSection()
	for s := range seeds {
		t.Seeds = append(t.Seeds, uint64(101+s))
	}
	t.Budget = budget
	t.Ranges = []Range{
		{Policy: "P", Option: "scale", Kind: Log, Low: 1e-3, High: 10},
		{Policy: "P", Option: "act", Kind: Choice, Values: []string{"mean", "sample"}},
	}
	return &t
}

// anyPolicy resolves every configuration to a policy of its own.
func anyPolicy(_ Space, c Configuration) (results.Policy, error) {
	return results.Policy{Name: c.Policy, Options: []byte(fmt.Sprintf("%q", fmt.Sprint(c.Values)))}, nil
}

// newSearch returns the search of the section over the policy P, and Q without ranges, with the given number of seeds held out.
func newSearch(t testing.TB, section *Section, rounds, heldOut int) *Search {
	t.Helper()
	s := &Search{Tune: section}
	var err error
	s.Rungs, err = schedule(section, rounds)
	must.OK(t, err)
	for _, name := range []string{"P", "Q"} {
		space := must.Get(newSpace(section, name, s.Rungs[0].Configurations, anyPolicy))(t)
		s.Policies = append(s.Policies, space)
	}
	for k := range heldOut {
		s.HeldOut = append(s.HeldOut, uint64(1+k))
	}
	return s
}

// synthetic makes up trials: the expected regret of a round is 1 at the optimum and grows with the square of the
// distance from it. The noise of a seed is the sum of a part that all configurations share and one of each configuration.
type synthetic struct {
	space  Space
	stream *stream.Stream
	stages []Stage
}

const optimum = 0.3 // position in the range of the scale

// expected returns the expected regret of all rounds.
func (s *synthetic) expected(c Configuration, rounds int) float64 {
	at := 0.9 // position of the untuned policy
	if c.Number > 0 {
		at = position(s.space.Ranges[0], c.Values[0])
	}
	return float64(rounds) * (1 + (at-optimum)*(at-optimum))
}

func (s *synthetic) Run(_ context.Context, stage Stage) (*results.Set, error) {
	s.stages = append(s.stages, stage)
	set := &results.Set{Conditions: results.Conditions{Protocol: bandit.Protocol{Rounds: stage.Rounds, Pulls: 1}}}
	normals := func(path ...any) []float32 {
		v := make([]float32, len(stage.Seeds))
		s.stream.Child(path...).Normals(v)
		return v
	}
	shared := normals("seeds", stage.Folder)
	for _, c := range stage.Configurations {
		p := results.PolicyRecords{Label: c.Label(), Policy: results.Policy{Name: c.Policy}}
		own := normals("trials", stage.Folder, c.Label())
		for i, seed := range stage.Seeds {
			noise := 0.1*float64(shared[i]) + 0.2*float64(own[i])
			p.Records = append(p.Records, results.Record{
				Seed:   seed,
				Totals: results.Totals{Rounds: stage.Rounds, Expected: s.expected(c, stage.Rounds) + float64(stage.Rounds)*noise},
			})
		}
		set.Policies = append(set.Policies, p)
	}
	return set, nil
}

// found runs a search on synthetic trials, and returns its result and the trials.
func found(t testing.TB, section *Section, rounds, heldOut int) (*Result, *synthetic) {
	t.Helper()
	s := newSearch(t, section, rounds, heldOut)
	trials := &synthetic{space: s.Policies[0], stream: stream.Root(7)}
	return must.Get(s.Run(t.Context(), trials.Run))(t), trials
}

// TestCoverage repeats searches in which the expected regret is known, by the code that 'banditsim tune' runs. It checks
// that intervals on the seeds held out cover the regret of the best configuration, and its difference from the untuned
// policy, in 95 % of the cases, and that intervals on the seeds of the search do not.
func TestCoverage(t *testing.T) {
	repeats := 1000
	if os.Getenv("BANDITSIM_LONG") != "" {
		repeats = 2500
	}
	se := math.Sqrt(95 * 5 / float64(repeats)) // standard error of a coverage of 95 %, in percent
	const rounds = 270
	for name, halving := range map[string]*Halving{"random": nil, "halving": {Eta: 3, Rounds: 30, Seeds: 4}} {
		t.Run(name, func(t *testing.T) {
			heldOut, differences, flattered, gap, untuned := 0, 0, 0, 0.0, 0.0
			for k := range repeats {
				tune := section(8, 100)
				tune.Halving, tune.Draw = halving, uint64(k)
				s := newSearch(t, tune, rounds, 20)
				trials := &synthetic{space: s.Policies[0], stream: stream.Root(uint64(k)).Child("synthetic")}
				r := must.Get(s.Run(t.Context(), trials.Run))(t)
				j := r.Judge()[0]
				truth := trials.expected(j.Best, rounds)
				difference := truth - trials.expected(Configuration{Policy: "P"}, rounds)
				if j.HeldOut.Low <= truth && truth <= j.HeldOut.High {
					heldOut++
				}
				if j.Difference.Low <= difference && difference <= j.Difference.High {
					differences++
				}
				if j.Search.Low <= truth && truth <= j.Search.High {
					flattered++
				}
				gap += (truth/rounds - 1) / float64(repeats)
				untuned += (0.9 - optimum) * (0.9 - optimum) / float64(repeats)
			}
			percent := func(n int) float64 { return 100 * float64(n) / float64(repeats) }
			t.Logf("95 %% intervals hold the expected regret in %.1f %% of %d searches on the seeds held out (differences: %.1f %%), in %.1f %% on those of the search; %.3f above the optimum, untuned %.2f",
				percent(heldOut), repeats, percent(differences), percent(flattered), gap, untuned)
			for _, n := range []int{heldOut, differences} {
				p := percent(n)
				must.That(t, math.Abs(p-95) <= 5*se, "intervals on the seeds held out hold in %.1f %%, want 95 ± %.1f", p, 5*se)
			}
			must.That(t, percent(flattered) <= 90, "the seeds of the search do not flatter: the test shows nothing")
			must.That(t, gap <= 0.05, "%.3f above the optimum, want at most 0.05", gap)
		})
	}
}

// TestRunIsAFunction checks that a repeated search gives the same result, and that its stages are right.
func TestRunIsAFunction(t *testing.T) {
	tune := section(6, 40)
	tune.Halving = &Halving{Eta: 3, Rounds: 90, Seeds: 2}
	r, trials := found(t, tune, 270, 5)
	again, same := found(t, tune, 270, 5)
	stages := trials.stages
	must.That(t, reflect.DeepEqual(stages, same.stages) && reflect.DeepEqual(r.Found, again.Found), "the same search differs")
	var folders []string
	for i, s := range stages {
		folders = append(folders, fmt.Sprintf("%s: %d×%d", s.Folder, len(s.Configurations), len(s.Seeds)))
		if i == 0 || i == len(stages)-1 {
			continue
		}
		for k, c := range s.Configurations { // the best of the rung before, in order
			must.Equal(t, s.Name+" has "+c.Label(), c, r.Found[0].Rungs[i-1][k].Configuration)
		}
	}
	must.Equal(t, "stages", strings.Join(folders, ", "), "rounds-90: 21×2, rounds-270: 7×2, rounds-270: 3×6, held-out: 3×5")
	last := stages[len(stages)-1].Configurations
	must.That(t, last[0].Label() == r.Found[0].Best.Label() && last[1].Label() == "P" && last[2].Label() == "Q",
		"held out: %v", last)
}

// failing is a synthetic set in which trials of a configuration fail.
type failing struct {
	*synthetic
	label string
}

func (f failing) Run(ctx context.Context, stage Stage) (*results.Set, error) {
	set, err := f.synthetic.Run(ctx, stage)
	for i := range set.Policies {
		if p := &set.Policies[i]; p.Label == f.label {
			p.Records[0].Totals.Failure = &results.Failure{Round: 1, Cause: "test"}
		}
	}
	return set, err
}

// TestScore checks the objectives, and that a configuration with a failed trial comes last.
func TestScore(t *testing.T) {
	for _, objective := range []Objective{Mean, Worst} {
		tune := section(4, 12)
		tune.Objective = objective
		r, trials := found(t, tune, 10, 3)
		for _, c := range r.Found[0].Rungs[0] {
			want := slices.Max(c.Regret)
			if objective == Mean {
				want = (c.Regret[0] + c.Regret[1] + c.Regret[2] + c.Regret[3]) / 4
			}
			must.That(t, math.Abs(c.Score-want) <= 1e-9, "%s of %v is %g, want %g", objective, c.Regret, c.Score, want)
		}
		best := r.Found[0].Best.Label()
		r = must.Get(r.Run(t.Context(), failing{trials, best}.Run))(t)
		rung := r.Found[0].Rungs[0]
		if last := rung[len(rung)-1]; last.Label() != best || !math.IsInf(last.Score, 1) {
			t.Errorf("with a failed trial %s is not last: %s", best, last.Label())
		}
	}
}

// TestSchedule checks rungs against hand computation, and that they keep to the budget.
func TestSchedule(t *testing.T) {
	for _, c := range []struct {
		seeds, budget, rounds int
		halving               *Halving
		want                  string
	}{
		{10, 55, 100, nil, "[{5 10 100 0}]"},
		// Two rungs keep a third of the configurations each: 9·2·100/900 + 3·2·300/900 + 1·2 = 6 trials of 900 rounds.
		{2, 6, 900, &Halving{Eta: 3, Rounds: 100, Seeds: 2}, "[{9 2 100 3} {3 2 300 3} {1 2 900 0}]"},
		// Only the seeds grow from rung to rung, so that trials are used again: 4·2 + 2·2 (2 of 4 seeds have run) + 1·4.
		{8, 16, 50, &Halving{Eta: 2, Rounds: 50, Seeds: 2}, "[{4 2 50 2} {2 4 50 2} {1 8 50 0}]"},
		{2, 1, 100, nil, "tune.budget: 1, want at least 4"},
		{4, 100, 100, &Halving{Eta: 2, Rounds: 100, Seeds: 4}, "the first rung would be the last"},
		{4, 100, 100, &Halving{Eta: 2, Rounds: 101, Seeds: 4}, "want at most the 100 of the protocol"},
	} {
		tune := section(c.seeds, c.budget)
		tune.Halving = c.halving
		list, err := schedule(tune, c.rounds)
		got := fmt.Sprint(list)
		if err != nil {
			got = err.Error()
		}
		must.That(t, strings.Contains(got, c.want), "%+v: got %s, want %s", c, got, c.want)
		if err == nil {
			n := list[0].Configurations
			if cost, more := wholeTrials(list, n, c.rounds), wholeTrials(list, n+1, c.rounds); cost > c.budget || more <= c.budget {
				t.Errorf("%d configurations cost %d and one more %d, with a budget of %d", n, cost, more, c.budget)
			}
		}
	}
}

// TestSpace checks the values of draws: within the ranges, on all of them, the same for a greater budget, and
// each configuration once.
func TestSpace(t *testing.T) {
	tune := section(1, 1)
	tune.Ranges = append(tune.Ranges,
		Range{Policy: "P", Option: "noise", Kind: Linear, Low: -1, High: 1},
		Range{Policy: "P", Option: "chains", Kind: Int, Low: 3, High: 6})
	const n = 4000
	s, err := newSpace(tune, "P", n, anyPolicy)
	must.Hold(t, err == nil && len(s.Configurations) == n, "%d configurations, want %d: %v", len(s.Configurations), n, err)
	counts := map[string]int{}
	sums := make([]float64, 4)
	for _, c := range s.Configurations[1:] {
		counts[c.Values[1]]++
		counts[c.Values[3]]++
		for i, r := range s.Ranges {
			p := position(r, c.Values[i])
			if p < 0 || p > 1 {
				t.Fatalf("%s of %v is outside the range", c.Values[i], r)
			}
			sums[i] += p / (n - 1)
		}
	}
	// Positions are uniform on [0, 1]: five standard errors of their mean.
	for i, mean := range sums {
		must.That(t, math.Abs(mean-0.5) <= 5*0.5/math.Sqrt(n), "%s: the mean position is %g", s.Ranges[i].Option, mean)
	}
	for value, share := range map[string]float64{"mean": 0.5, "sample": 0.5, "3": 0.25, "4": 0.25, "5": 0.25, "6": 0.25} {
		must.Near(t, value+" is drawn with a share of", float64(counts[value])/n, share, 5*math.Sqrt(share*(1-share)/n))
	}
	fewer, err := newSpace(tune, "P", 10, anyPolicy)
	must.That(t, err == nil && reflect.DeepEqual(fewer.Configurations, s.Configurations[:10]),
		"a smaller budget draws others: %v", fewer.Configurations)
	tune.Ranges = tune.Ranges[1:2]
	small, err := newSpace(tune, "P", 10, anyPolicy)
	if err != nil || len(small.Configurations) != 3 { // untuned, mean and sample
		t.Errorf("a choice of two has the configurations %v (%v)", small.Configurations, err)
	}
	same, err := newSpace(tune, "P", 10, func(Space, Configuration) (results.Policy, error) { return results.Policy{}, nil })
	must.That(t, err == nil && len(same.Configurations) == 1,
		"configurations that are the same: %v (%v)", same.Configurations, err)
}

// TestShortIn checks that rounded values stay in the range.
func TestShortIn(t *testing.T) {
	r := Range{Kind: Linear, Low: 0.12345, High: 0.12351}
	for u, want := range map[float64]string{0: "0.12345", 0.5: "0.12348"} {
		must.Equal(t, fmt.Sprint("at ", u), valueAt(r, u), want)
	}
	got := valueAt(Range{Kind: Log, Low: 1e-7, High: 1e-5}, 0.5)
	must.That(t, got == "1e-06", "the middle of the logarithms of 1e-7 and 1e-5 is %s", got)
}

// TestNeighbors checks the order, and that regret is compared within a rung.
func TestNeighbors(t *testing.T) {
	tune := section(6, 40)
	tune.Halving = &Halving{Eta: 3, Rounds: 90, Seeds: 2}
	r, _ := found(t, tune, 270, 5)
	f := &r.Found[0]
	all := f.Neighbors(1000)
	if len(all) != len(f.Configurations)-2 { // without the best and the untuned
		t.Errorf("%d neighbors of %d configurations", len(all), len(f.Configurations))
	}
	before := 0.0
	for _, n := range all {
		must.That(t, n.Distance >= before, "%s is at %g, after one at %g", n.Label(), n.Distance, before)
		before = n.Distance
		must.That(t, len(n.Regret) == len(n.Best.Regret) && n.Best.Label() == f.Best.Label(),
			"%s is compared with %s on other seeds", n.Label(), n.Best.Label())
	}
	last := slices.DeleteFunc(slices.Clone(f.Rungs[len(f.Rungs)-1]), func(c Scored) bool { return c.Number == 0 })
	f.Best = Scored{Configuration: Configuration{Policy: "P"}}
	if got := f.Neighbors(2); len(got) != 2 || got[0].Label() != last[0].Label() || got[1].Label() != last[1].Label() {
		t.Errorf("the untuned policy has the neighbors %v", got)
	}
	// If the untuned configuration is alone in the last rung, all others are its neighbors, those that reached the latest rungs first.
	f.Rungs[len(f.Rungs)-1] = []Scored{{Configuration: Configuration{Policy: "P"}}}
	got := f.Neighbors(1000)
	if len(got) != len(f.Configurations)-1 || len(f.Rungs) > 1 && (got[0].Rung != len(f.Rungs)-2 || got[len(got)-1].Rung != 0) {
		t.Errorf("%d neighbors of the untuned configuration, of %d", len(got), len(f.Configurations))
	}
}

// TestJudgeCountsFailures checks that failed trials on the seeds held out do not count.
func TestJudgeCountsFailures(t *testing.T) {
	r, _ := found(t, section(4, 12), 10, 6)
	r.HeldOut.Policies[0].Records[2].Totals.Failure = &results.Failure{Round: 1, Cause: "test"}
	j := r.Judge()[0]
	must.That(t, j.HeldOut.N == 5 && j.Difference.N == 5 && j.Untuned.N == 6 && j.Search.N == 4, "%+v", j)
	must.That(t, r.Tune.Metric == compare.Expected(), "the metric of DefaultTune")
}
