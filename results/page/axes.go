package page

import (
	"math"

	"banditsim/bandit"
	"banditsim/results/compare"
)

// Bounds of what a page holds, whatever the length of its trials.
const (
	maxMarks   = 500 // points of a cumulative curve
	maxWindows = 100
)

func newAxes(p bandit.Protocol) *axes {
	a := &axes{Rounds: p.Rounds, Pulls: p.Pulls, BurnIn: min(p.AfterBurnIn()-1, p.Rounds)}
	a.All = compare.Thin(0, p.Rounds, maxMarks)
	if a.BurnIn < p.Rounds {
		a.After = compare.Thin(a.BurnIn, p.Rounds, maxMarks)
	}
	a.Windows = newWindows(p.Rounds, a.BurnIn)
	return a
}

func newWindows(rounds, burnIn int) windows {
	w := windows{Width: niceWidth(float64(rounds) / maxWindows), Rounds: rounds}
	w.Offset = (w.Width - burnIn%w.Width) % w.Width
	w.N = w.of(rounds) + 1
	return w
}

// niceWidth is 1, 2 or 5 times a power of ten, at least v.
func niceWidth(v float64) int {
	power := math.Pow(10, max(math.Floor(math.Log10(v)), 0))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= v {
			return int(m * power)
		}
	}
	return int(10 * power)
}

// of returns the window of a round, from 0.
func (w windows) of(round int) int { return (round - 1 + w.Offset) / w.Width }

// first and last return the rounds at the ends of window i.
func (w windows) first(i int) int { return max(i*w.Width-w.Offset, 0) + 1 }
func (w windows) last(i int) int  { return min((i+1)*w.Width-w.Offset, w.Rounds) }

// length returns the number of rounds in window i.
func (w windows) length(i int) int { return w.last(i) - w.first(i) + 1 }
