package page

import (
	"slices"

	"banditsim/bandit"
	"banditsim/internal/words"
	"banditsim/results/compare"
)

func newAxes(p bandit.Protocol, d detail) *axes {
	a := &axes{Rounds: p.Rounds, Pulls: p.Pulls, AllPulls: p.AllPulls(), BurnIn: min(p.AfterBurnIn()-1, p.Rounds)}
	a.All = d.marksOf(0, p.Rounds)
	if d.own > 0 {
		a.Own = compare.Thin(0, len(a.All)-1, d.own)
	}
	if 0 < a.BurnIn && a.BurnIn < p.Rounds {
		a.After = d.afterBurnIn().marksOf(a.BurnIn, p.Rounds)
	}
	a.Windows = newWindows(p.Rounds, a.BurnIn, d.windows)
	return a
}

// marksOf returns the rounds of the points of a curve, some evenly spaced and some evenly in the logarithm.
func (d detail) marksOf(first, last int) []int {
	m := append(compare.Thin(first, last, d.marks), compare.ThinLog(first, last, d.logMarks)...)
	slices.Sort(m)
	return slices.Compact(m)
}

// newWindows divides the rounds into about n windows.
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

// lists returns n lists with one number per window.
func (w windows) lists(n int) [][]float64 {
	lists := make([][]float64, n)
	for k := range lists {
		lists[k] = make([]float64, w.N)
	}
	return lists
}
