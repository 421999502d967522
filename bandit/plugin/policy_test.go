package plugin

import (
	"math"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/internal/must"
)

// TestSeriesOfPredictedRewards checks that the series of a round is the mean value of the chosen arms, or absent without values.
func TestSeriesOfPredictedRewards(t *testing.T) {
	p := &childPolicy{rounds: 9}
	for round, values := range [][]float64{{2, 4, 9}, {-1}, nil, {0.5, 0.25}} {
		want := 0.0
		for _, v := range values {
			p.predicted += v
			p.valued++
			want += v / float64(len(values))
		}
		must.OK(t, p.EndRound(t.Context(), round+1))
		series := p.Diagnostics().Series
		if len(values) == 0 {
			must.That(t, len(series) == 0, "round %d: %+v, want none", round+1, series)
			continue
		}
		must.That(t, len(series) == 1 && len(series[0].Values) == 1 && math.Abs(series[0].Values[0]-want) < 1e-12,
			"round %d: %+v, want %g", round+1, series, want)
	}
}

// TestDigest checks that the digest, by which a replay is compared, changes with any bit of any number and with their order.
func TestDigest(t *testing.T) {
	list := []float64{1.5, -2, 0}
	want := digest(list)
	for i := range list {
		for bit := range 64 {
			other := append([]float64{}, list...)
			other[i] = math.Float64frombits(math.Float64bits(other[i]) ^ 1<<bit)
			must.That(t, digest(other) != want, "number %d: bit %d makes no difference", i, bit)
		}
	}
	must.That(t, digest([]float64{-2, 1.5, 0}) != want && digest(list[:2]) != want,
		"numbers in another order, or fewer have the same digest")
}

// TestWrongAnswers checks that wrong answers to act are rejected.
func TestWrongAnswers(t *testing.T) {
	p := &childPolicy{}
	p.spec.Arms = []string{"a", "b", "c"}
	p.ready.Propensities = true
	of := func(arm index, row ...number) *answer {
		return &answer{Arms: []index{arm}, Propensities: [][]number{row}}
	}
	for want, a := range map[string]*answer{
		"":                                      of(1, 0.25, 0.75, 0),
		"arm 0 is -0.25, want at least 0":       of(1, -0.25, 1, 0.25),
		"sum to 0.875, want 1":                  of(1, 0.25, 0.5, 0.125),
		"sum to 1.25, want 1":                   of(1, 0.25, 0.75, 0.25),
		"it chose arm 2, whose propensity is 0": of(2, 0.25, 0.75, 0),
		"it chose arm 3, want 0 to 2":           of(3, 0.25, 0.75, 0),
		"it chose arm -1, want 0 to 2":          of(-1, 0.25, 0.75, 0),
		"propensities":                          {Arms: []index{0}},
		"its answer has 0 arms, want 1":         {},
	} {
		got := p.wrong(a, make([]bandit.Round, 1))
		must.That(t, strings.Contains(got, want) && (got == "") == (want == ""), "%+v: %q, want %q", a, got, want)
	}
	p.ready.Available = true
	away := []bandit.Round{{T: 7, Available: []bool{true, false, true}}}
	for want, a := range map[string]*answer{
		"it chose arm 1 for pull 7, want one of those in available": of(1, 0, 1, 0),
		"the propensity of arm 1 is 0.5":                            of(0, 0.5, 0.5, 0),
	} {
		must.Contain(t, p.wrong(a, away), want)
	}
	z := randomizer{of: away[0]}
	must.That(t, z.asked(away[0]) && !z.asked(bandit.Round{T: 7}), "propensities are kept for pulls with other available arms")
}
