package page

import (
	"cmp"
	"slices"

	"banditsim/results"
	"banditsim/results/compare"
)

// A detail bounds what a page has of each policy and environment, so that its size depends neither on the length of the
// trials nor, much, on how many policies and environments there are.
type detail struct {
	marks     int // points of a cumulative curve, evenly spaced
	logMarks  int // and more of them, evenly in the logarithm, for logarithmic axes
	windows   int // about
	thetas    int // rounds of θ
	own       int // points of the curve of one seed; 0 for none
	digits    int // significant digits of the points of curves
	baselines int // differences to baselines that can be chosen, in each environment
	trials    int // trials that an environment lists
	rows      int // rows of the tables of mistakes of an environment, about
}

// The most of each that a page has, and what curves of all policies in all environments have together.
const (
	maxMarks, allMarks       = 301, 14_000
	maxLogMarks, allLogMarks = 80, 4500
	maxWindows, allWindows   = 100, 5000
	maxThetas, allThetas     = 50, 3000
	maxOwn, leastOwn, allOwn = 61, 16, 40_000 // of the seeds' curves by all metrics
	allDifferences           = 8000
	allTrials                = 600
	allRows                  = 600
)

// Digits of the points of curves: more than pixels show, and fewer where curves have fewer points.
const (
	fullDigits = 6
	fewDigits  = 4
)

// newDetail returns that of a page of sets.
func newDetail(sets []*results.Set) detail {
	n, trials := 0, 0 // n counts curves
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

// afterBurnIn returns the detail of the curves from the end of burn-in on: half the points, if there are fewer than in a page
// of few policies.
func (d detail) afterBurnIn() detail {
	if d.thinned() {
		d.marks, d.logMarks = d.marks/2, d.logMarks/2
	}
	return d
}

// thinned reports whether curves have fewer points than those of a page of few policies.
func (d detail) thinned() bool { return d.marks < maxMarks }

// round rounds the points of curves.
func (d detail) round(e *environment) {
	to := func(digits int, lists ...numbers) {
		for _, list := range lists {
			for i, v := range list {
				list[i] = toDigits(v, digits)
			}
		}
	}
	for _, p := range e.Policies {
		for _, curves := range p.Own {
			to(fewDigits, curves...)
		}
		if d.digits == fullDigits {
			continue
		}
		for _, r := range p.Regret {
			for _, b := range []*band{&r.All, &r.Window, cmp.Or(r.After, &band{})} {
				to(d.digits, b.Mean)
				to(d.digits-1, b.Half)
			}
		}
		to(d.digits-1, slices.Concat(p.Arms, p.Mistakes)...)
		if s := p.Sampler; s != nil {
			all := append(s.Series, named{Spread: s.Energy}, named{Spread: s.Multiplier}, named{Spread: s.ESS})
			for _, of := range all {
				if of.Spread != nil {
					to(d.digits, of.Spread.Mean, of.Spread.Low, of.Spread.High)
				}
			}
			to(d.digits-1, cmp.Or(s.Theta, &theta{}).Values...)
		}
	}
}
