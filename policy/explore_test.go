package policy

import (
	"math"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/posterior/exact"
)

// TestNormalFrequencies: with two arms the mean of the frequencies of LinTS is share/2 + (1 − share)·Φ((m₁ − m₂)/√(s₁² + s₂²)), and an
// arm is chosen with that probability: 5 standard errors at a fixed seed. With one prediction for all samples, a pull has the
// frequencies of as many predictions.
func TestNormalFrequencies(t *testing.T) {
	const pulls, share = 4000, 0.2
	k := SamplingKind(exact.Linear())
	o := k.Defaults()
	o.Explore = share
	setup := Setup{Spec: bandit.Spec{Dim: 2, Arms: []string{"a", "b"}}, Protocol: bandit.Protocol{Rounds: 10, Pulls: 1}, Stream: stream.Root(1)}
	p := must.Get(k.Build(o, setup))(t).(*mixture)
	r := bandit.Round{Context: []float32{1, 0.5}}
	for i, reward := range []float64{1, 0.2, 0.5, 0.4, 0.9} {
		must.OK(t, p.Learn(r, i%2, reward))
	}
	l := p.inner.(*greedy)
	values := must.Get(l.predict([]bandit.Round{r}, 0))(t)
	spread := make([]float64, 2)
	must.OK(t, l.posterior.(interface {
		Spread([]float64, [][]float32) error
	}).Spread(spread, l.contexts))
	first := (1 + math.Erf((values[0]-values[1])/math.Hypot(spread[0], spread[1])/math.Sqrt2)) / 2
	want := share/2 + (1-share)*first
	for _, quick := range []bool{true, false} {
		if !quick {
			l.joint = nil
			p.inner = slow{l}
		}
		sum, chosen, dst := 0.0, 0.0, make([]float64, 2)
		for i := range pulls {
			r.T = i + 1
			must.OK(t, p.Propensities(dst, r))
			sum += dst[0]
			if must.Get(p.Act(r))(t) == 0 {
				chosen++
			}
		}
		must.Near(t, "mean propensity", sum/pulls, want, 5*(1-share)*math.Sqrt(first*(1-first)/pulls/samplesOfPull))
		must.Near(t, "frequency of the arm", chosen/pulls, want, 5*math.Sqrt(want*(1-want)/pulls))
	}
}

// slow hides from a mixture what allows it to draw from one prediction; Samples does not know it either, so it draws by Propensities.
type slow struct{ *greedy }

// Propensities counts the choices of ActBatch.
func (s slow) Propensities(dst []float64, r bandit.Round) error {
	arms, rounds := make([]int, samplesOfPull), make([]bandit.Round, samplesOfPull)
	for i := range rounds {
		rounds[i] = r
	}
	clear(dst)
	err := s.ActBatch(arms, rounds)
	for _, arm := range arms {
		dst[arm] += 1. / samplesOfPull
	}
	return err
}
