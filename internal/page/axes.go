package page

import (
	"slices"

	"banditsim/bandit"
	"banditsim/internal/words"
	"banditsim/results"
	"banditsim/results/compare"
)

func newAxes(p bandit.Protocol, d detail) *axes {
	a := &axes{Rounds: p.Rounds, Pulls: p.Pulls, AllPulls: p.AllPulls(), BurnIn: min(p.AfterBurnIn()-1, p.Rounds)}
	a.All = d.marksOf(0, p.Rounds)
	if d.own > 0 {
		a.Own = compare.Thin(0, len(a.All)-1, d.own)
	}
	if 0 < a.BurnIn && a.BurnIn < p.Rounds {
		if d.thinned() { // curves after burn-in have half the points
			d.marks, d.logMarks = d.marks/2, d.logMarks/2
		}
		a.After = d.marksOf(a.BurnIn, p.Rounds)
	}
	a.Windows = newWindows(p.Rounds, a.BurnIn, d.windows)
	return a
}

// marksOf returns the rounds of the points of a curve: some evenly spaced, others evenly spaced in the logarithm.
func (d detail) marksOf(first, last int) []int {
	m := append(compare.Thin(first, last, d.marks), compare.ThinLog(first, last, d.logMarks)...)
	slices.Sort(m)
	return slices.Compact(m)
}

// newWindows divides the rounds into about n windows, one of which ends in the last round of burn-in.
func newWindows(rounds, burnIn, n int) windows {
	w := windows{Width: int(words.NiceStep(max(float64(rounds)/float64(n), 1))), Rounds: rounds}
	w.Offset = (w.Width - burnIn%w.Width) % w.Width
	w.N = w.index(rounds) + 1
	return w
}

// index returns the window of a round, from 0.
func (w windows) index(round int) int { return (round - 1 + w.Offset) / w.Width }

// first and last return the rounds at the ends of window i.
func (w windows) first(i int) int { return max(i*w.Width-w.Offset, 0) + 1 }
func (w windows) last(i int) int  { return min((i+1)*w.Width-w.Offset, w.Rounds) }

// length returns the number of rounds in window i.
func (w windows) length(i int) int { return w.last(i) - w.first(i) + 1 }

// A detail bounds the data per policy and environment, so that the size of a page does not depend on the length of the
// trials, and only a little on the number of policies and environments.
type detail struct {
	marks     int // number of evenly spaced points of a cumulative curve
	logMarks  int // number of further points, evenly spaced in the logarithm, for logarithmic axes
	windows   int // number of windows, roughly
	thetas    int // number of rounds whose θ is shown
	own       int // number of points of the curve of one seed; 0 for no such curves
	digits    int // significant digits of the points of curves
	baselines int // bound on (baselines that can be chosen) × policies × metrics, per environment
	trials    int // number of trials that are listed per environment
	rows      int // number of data rows that the tables of mistakes have per environment, roughly
}

// Bounds of the fields of detail. Constants that begin with max or least bound the field itself. Those that begin with
// all bound its sum over the policies and environments of a page.
const (
	maxMarks, allMarks       = 301, 14_000
	maxLogMarks, allLogMarks = 80, 4500
	maxWindows, allWindows   = 100, 5000
	maxThetas, allThetas     = 50, 3000
	maxOwn, leastOwn, allOwn = 61, 16, 40_000 // allOwn bounds the sum over seeds and metrics too
	allDifferences           = 8000
	allTrials                = 600
	allRows                  = 600
)

// Significant digits of the points of curves: fewDigits if curves are thinned. Both are more than a screen can show.
const (
	fullDigits = 6
	fewDigits  = 4
)

func newDetail(sets []*results.Set) detail {
	n, trials := 0, 0 // n is the number of curves
	for _, set := range sets {
		n += len(set.Policies)
		for _, p := range set.Policies {
			trials += len(results.Finished(p.Records))
		}
	}
	share := func(least, most, all int) int { return min(max(all/max(n, 1), least), most) }
	environments := len(sets)
	d := detail{
		marks: share(21, maxMarks, allMarks), logMarks: share(6, maxLogMarks, allLogMarks), windows: share(10, maxWindows, allWindows), thetas: share(5, maxThetas, allThetas),
		digits: fullDigits, baselines: allDifferences / environments, trials: allTrials / environments, rows: allRows / environments,
	}
	if d.own = min(allOwn/max(trials*len(compare.Metrics()), 1), maxOwn); d.own < leastOwn {
		d.own = 0
	}
	if d.thinned() {
		d.digits = fewDigits
	}
	return d
}

// thinned reports whether there are so many curves that each has fewer points than maxMarks.
func (d detail) thinned() bool { return d.marks < maxMarks }
