package stats

import (
	"math"
	"slices"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/must"
)

// columns returns scores indexed by environment and run. The arguments are the rows of rliable's matrix: one per run.
func columns(rows ...[]float64) [][]float64 {
	scores := make([][]float64, len(rows[0]))
	for _, row := range rows {
		for e, v := range row {
			scores[e] = append(scores[e], v)
		}
	}
	return scores
}

// TestAggregatesOfRliable checks the numbers of rliable's own tests (google-research/rliable, tests/rliable/metrics_test.py
// and library_test.py). The gap of arange is by hand: of the 80 numbers only 0 is below 1.
func TestAggregatesOfRliable(t *testing.T) {
	x := columns([]float64{1, 2}, []float64{2, 2}, []float64{1, 1}, []float64{2, 1})
	y := columns([]float64{1, 1}, []float64{2, 2}, []float64{3, 3})
	var arange, flipped [][]float64 // 5 runs of 16 environments
	for e := range 16 {
		var runs []float64
		for run := range 5 {
			runs = append(runs, float64(16*run+e))
		}
		arange = append(arange, runs)
		runs = slices.Clone(runs)
		slices.Reverse(runs)
		flipped = append(flipped, runs)
	}
	for _, c := range []struct {
		name string
		got  Estimate
		want float64
	}{
		{"interquartile mean of x", InterquartileMean(x), 1.5},
		{"interquartile mean of y", InterquartileMean(y), 2},
		{"interquartile mean of arange", InterquartileMean(arange), 39.5},
		{"interquartile mean of ten", InterquartileMean([][]float64{{5000, 0, 36, 1, 4, 9, 16, 25, 0, 1000}}), 91. / 6}, // scipy.stats.trim_mean(…, .25)
		{"gap of arange", OptimalityGap(arange), 1. / 80},
		{"probability of x over y", ProbabilityOfImprovement(x, y), 1. / 3},
		{"probability of arange over itself", ProbabilityOfImprovement(arange, flipped), .5},
	} {
		must.Near(t, c.name, c.got.Mean, c.want, 1e-12)
		if !(c.got.Low < c.got.Mean && c.got.Mean < c.got.High) && c.want != 1./80 { // the interval of the gap starts at 0
			t.Errorf("%s: interval %v of %v", c.name, c.got.Interval(), c.got.Mean)
		}
	}
	for k, e := range PerformanceProfile(arange, []float64{-1, 0, .5, 15, 78, 79}) {
		must.Near(t, "profile of arange", e.Mean, []float64{80, 79, 79, 64, 1, 0}[k]/80, 1e-12)
	}
}

// TestStratifiedBootstrap checks the standard deviation over resamples: of a mean, with 3 and 5 runs in two environments,
// against its formula, and of the interquartile mean of 2 × 2 runs against all 16 resamples. The tolerance is four standard
// errors of a standard deviation of 1,999 nearly normal numbers, times 1.1 for the interquartile mean.
func TestStratifiedBootstrap(t *testing.T) {
	scores := [][]float64{{.2, .9, .4}, {-1, .1, .3, .8, .7}}
	gap, mean, variance := OptimalityGap(scores), 0.0, 0.0
	for _, s := range scores {
		m := momentsOf(s)
		mean += (1 - m.Mean) / 2
		variance += m.m2 / float64(len(s)*len(s)) / 4
	}
	must.Near(t, "gap", gap.Mean, mean, 1e-12)
	must.Near(t, "error of the gap", gap.StdErr, math.Sqrt(variance), 4*math.Sqrt(variance/2/StratifiedResamples))
	a, b := []float64{0, 10}, []float64{3, 4}
	var all []float64
	for i := range 16 {
		r := []float64{a[i&1], a[i>>1&1], b[i>>2&1], b[i>>3&1]}
		slices.Sort(r)
		all = append(all, (r[1]+r[2])/2)
	}
	iqm := InterquartileMean([][]float64{b, a})
	must.Near(t, "interquartile mean", iqm.Mean, 3.5, 1e-12)
	m := momentsOf(all)
	sd := math.Sqrt(m.m2 / 16)
	must.Near(t, "its error", iqm.StdErr, sd, 1.1*4*sd/math.Sqrt(2*StratifiedResamples))
	if iqm.Low != slices.Min(all) || iqm.High != slices.Max(all) { // each is the result of at least 1/16 of the resamples
		t.Errorf("interval %v of %v", iqm.Interval(), all)
	}
}

// TestImprovementAgainstBruteForce compares ProbabilityOfImprovement with a loop over all pairs of runs, and with itself
// for exchanged arguments.
func TestImprovementAgainstBruteForce(t *testing.T) {
	s := stream.Root(5)
	x, y := make([][]float64, 3), make([][]float64, 3)
	want := 0.0
	for e := range x {
		x[e], y[e] = wholeNumbers(s, 4+e, 6), wholeNumbers(s, 7-e, 6)
		for _, v := range x[e] {
			for _, w := range y[e] {
				want += map[bool]float64{true: 1}[v > w] / float64(3*len(x[e])*len(y[e]))
				want += map[bool]float64{true: .5}[v == w] / float64(3*len(x[e])*len(y[e]))
			}
		}
	}
	p, q := ProbabilityOfImprovement(x, y), ProbabilityOfImprovement(y, x)
	must.Near(t, "probability", p.Mean, want, 1e-12)
	must.Near(t, "the other way", q.Mean, 1-want, 1e-12)
	must.Near(t, "errors", p.StdErr, q.StdErr, .1*q.StdErr)
}

func TestAggregatesOfFew(t *testing.T) {
	e := InterquartileMean(nil)
	must.That(t, e.N == 0 && math.IsNaN(e.Mean), "no scores: %+v", e)
	for _, e := range append(PerformanceProfile([][]float64{{1, 2}, {3}}, []float64{1.5, 5}), ProbabilityOfImprovement([][]float64{{1}}, [][]float64{{0, 0}})) {
		must.That(t, !math.IsNaN(e.Mean) && !e.HasInterval(), "a single run: %+v", e)
	}
}

// TestTwinsTie checks that two policies with the same distribution tie, and one three standard deviations worse does not.
func TestTwinsTie(t *testing.T) {
	s := stream.Root(7)
	draw := func(shift float64) [][]float64 {
		scores := make([][]float64, 36)
		for e := range scores {
			for range 30 {
				scores[e] = append(scores[e], s.Normal()+float64(e)-shift)
			}
		}
		return scores
	}
	one, twin, harmed := draw(0), draw(0), draw(3)
	// Standard error √(61/(12·900·36)) = .0125 (Mann and Whitney 1947).
	p := ProbabilityOfImprovement(one, twin)
	must.That(t, math.Abs(p.Mean-.5) < .05 && p.Low < .5 && p.High > .5 && p.StdErr > .010 && p.StdErr < .015, "twins: %+v", p)
	q := ProbabilityOfImprovement(one, harmed)
	must.That(t, q.Low > .95, "harmed: %+v", q)
}
