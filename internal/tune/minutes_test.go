package tune

import (
	"context"
	"errors"
	"math"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/results"
)

// timed makes up trials and their processor times, which it keeps as sidecars do. If interrupt is above 0, the stage with that index
// fails after one configuration.
type timed struct {
	synthetic
	mean      float64 // mean seconds of a configuration; times are from 1/3 to 5/3 of the mean
	seconds   map[string]float64
	spent     float64
	interrupt int
}

func (t *timed) Run(ctx context.Context, stage Stage) (*results.Set, error) {
	for i, c := range stage.Configurations {
		if t.interrupt > 0 && len(t.stages) == t.interrupt && i > 0 {
			return nil, errors.New("interrupted")
		}
		if _, ok := t.seconds[c.Label()]; !ok && stage.Folder != heldOutFolder {
			t.seconds[c.Label()] = t.mean * (1 + 4*stream.Root(3).Child(c.Label()).Float64()) / 3
			t.spent += t.seconds[c.Label()]
		}
	}
	return t.synthetic.Run(ctx, stage)
}

// search returns a search of the policy P, by minutes, that runs the trials of t.
func (t *timed) search(tb testing.TB, minutes float64, ranges ...Range) *Search {
	section := section(3, 0)
	if section.Minutes = minutes; len(ranges) > 0 {
		section.Ranges = ranges
	}
	s := newSearch(tb, section, 50, 5)
	s.draw = func(policy string, n int) (Space, error) { return newSpace(section, policy, n, anyPolicy) }
	s.Seconds = func(c Configuration) (float64, error) { return t.seconds[c.Label()], nil }
	t.synthetic = synthetic{space: s.Policies[0], stream: stream.Root(7)}
	return s
}

// TestMinutes checks that a search spends its minutes, within 5 % if configurations are short, and that Misses reports when it does not.
func TestMinutes(t *testing.T) {
	choice := Range{Policy: "P", Option: "act", Kind: Choice, Values: []string{"mean", "sample"}}
	for _, test := range []struct {
		mean        float64
		ranges      []Range
		least, most int
		misses      bool
	}{
		{mean: 0.05, least: 1000, most: 1400},
		{mean: 1, least: 50, most: 70},
		{mean: 25, least: 2, most: 3, misses: true},
		{mean: 100, least: 1, most: 1, misses: true},
		{mean: 1, ranges: []Range{choice}, least: 3, most: 3, misses: true}, // there are no more: untuned and two values
	} {
		trials := &timed{mean: test.mean, seconds: map[string]float64{}}
		r := must.Get(trials.search(t, 1, test.ranges...).Run(t.Context(), trials.Run))(t)
		f := r.Found[0]
		must.That(t, math.Abs(f.Minutes-trials.spent/60) <= 1e-9 && f.Minutes == r.Judge()[0].Minutes,
			"%g minutes, judged with %g, want %g", f.Minutes, r.Judge()[0].Minutes, trials.spent/60)
		n := len(f.Configurations)
		if n < test.least || n > test.most || n != len(f.Rungs[0]) || r.Misses(f.Minutes) != test.misses {
			t.Errorf("%g s: %d configurations in %g minutes, want %d to %d, off by 5 %%: %v", test.mean, n, f.Minutes, test.least, test.most, test.misses)
		}
		for _, c := range f.Rungs[0] {
			must.That(t, c.Score >= f.Best.Score, "%s is better than the best, %s", c.Label(), f.Best.Label())
		}
		t.Logf("%g s each: %d configurations in %d batches, %.4f minutes", test.mean, n, len(trials.stages)-1, f.Minutes)
	}
}

// TestMinutesResumed checks that a search interrupted in a batch and run again gives the result of one that was not interrupted.
func TestMinutesResumed(t *testing.T) {
	whole := &timed{mean: 1, seconds: map[string]float64{}}
	want := must.Get(whole.search(t, 1).Run(t.Context(), whole.Run))(t)
	for k := range len(whole.stages) - 1 {
		if len(whole.stages[k].Configurations) < 2 {
			continue
		}
		part := &timed{mean: 1, seconds: map[string]float64{}, interrupt: k}
		_, err := part.search(t, 1).Run(t.Context(), part.Run)
		must.Hold(t, err != nil, "not interrupted")
		part.interrupt = 0
		got := must.Get(part.search(t, 1).Run(t.Context(), part.Run))(t)
		must.Equal(t, "spent", part.spent, whole.spent)
		must.Equal(t, "best", got.Found[0].Best, want.Found[0].Best)
		must.Equal(t, "stages", part.stages, whole.stages)
	}
}

func TestMinutesWithoutHalving(t *testing.T) {
	section := section(3, 0)
	section.Minutes, section.Halving = 1, &Halving{Eta: 2, Rounds: 10, Seeds: 1}
	_, err := schedule(section, 50)
	must.Fail(t, err, "for random search")
}
