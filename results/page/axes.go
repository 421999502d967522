package page

import (
	"slices"

	"banditsim/bandit"
	"banditsim/results/compare"
	"banditsim/results/plot"
)

// Bounds of the size of a page, whatever the length of the trials.
const (
	maxMarks    = 301 // points of a cumulative curve, evenly spaced
	maxLogMarks = 80  // and more of them, evenly in the logarithm, for logarithmic axes
	maxWindows  = 100
)

func newAxes(p bandit.Protocol) *axes {
	a := &axes{Rounds: p.Rounds, Pulls: p.Pulls, BurnIn: min(p.AfterBurnIn()-1, p.Rounds)}
	a.All = marks(0, p.Rounds)
	if 0 < a.BurnIn && a.BurnIn < p.Rounds {
		a.After = marks(a.BurnIn, p.Rounds)
	}
	a.Windows = newWindows(p.Rounds, a.BurnIn)
	return a
}

// marks returns the rounds of the points of a curve.
func marks(first, last int) []int {
	m := append(compare.Thin(first, last, maxMarks), compare.ThinLog(first, last, maxLogMarks)...)
	slices.Sort(m)
	return slices.Compact(m)
}

func newWindows(rounds, burnIn int) windows {
	w := windows{Width: int(plot.NiceStep(max(float64(rounds)/maxWindows, 1))), Rounds: rounds}
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
