package policy

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/diagnostics"
	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/internal/state"
	"banditsim/posterior"
	"banditsim/posterior/exact"
)

// oracle is a posterior that predicts element i of the context for arm i.
type oracle struct {
	how      posterior.Prediction
	observed int
	updates  int
	err      error
}

func (o *oracle) Observe([]float32, int, float64) error { o.observed++; return o.err }
func (o *oracle) Update(context.Context) error          { o.updates++; return o.err }

func (o *oracle) Predict(dst []float64, contexts [][]float32, how posterior.Prediction) error {
	o.how = how
	for i, c := range contexts {
		for a, v := range c {
			dst[i*len(c)+a] = float64(v)
		}
	}
	return o.err
}

func rounds(values ...[]float32) []bandit.Round {
	var list []bandit.Round
	for i, v := range values {
		list = append(list, bandit.Round{T: i + 1, Context: v})
	}
	return list
}

func TestThompsonTakesTheBestArmAndTheLowestOfEquals(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	p := NewThompson(&oracle{}, posterior.Mean, 3)
	for want, lists := range [][][]float32{
		{{3, 1, 2}, {0, 0, 0}, {-inf, -inf, -inf}},
		{{1, 2, 2}, {-3, -1, -2}, {1, inf, 2}},
		{{1, 2, 3}},
	} {
		for _, values := range lists {
			must.Equal(t, fmt.Sprintf("%v: arm", values), must.Get(p.Act(bandit.Round{Context: values}))(t), want)
		}
	}
	for _, values := range [][]float32{{nan, 2, 3}, {1, nan, 3}, {1, 2, nan}} {
		must.Refuse(p.Act(bandit.Round{Context: values}))(t, "not a number")
	}
}

// TestPosteriorGetsAndPredicts checks that a policy passes rewards to its posterior and returns the posterior's errors, that it asks
// for the right kind of prediction, and that it implements no interface that the posterior lacks.
func TestPosteriorGetsAndPredicts(t *testing.T) {
	p := NewThompson(&oracle{}, posterior.Draw, 2).(*greedy)
	o, arms := p.posterior.(*oracle), make([]int, 3)
	must.OK(t, p.ActBatch(arms, rounds([]float32{1, 0}, []float32{0, 1}, []float32{2, 3})))
	must.That(t, o.how == posterior.Draw && slices.Equal(arms, []int{0, 1, 1}),
		"asked for %v, acted %v, want a draw and [0 1 1]", o.how, arms)
	must.OK(t, p.Learn(bandit.Round{Context: []float32{1, 0}}, 0, 1))
	must.OK(t, p.EndRound(t.Context(), 1))
	must.That(t, o.observed == 1 && o.updates == 1,
		"observed %d and updated %d times, want once each", o.observed, o.updates)
	_, ok := bandit.As[diagnostics.Reporter](p)
	must.That(t, !ok, "the policy claims diagnostics of a posterior that has none")
	must.Refuse(p.MarshalBinary())(t, "the posterior: a *policy.oracle cannot be saved")
	o.err = errors.New("boom")
	_, err := p.Act(bandit.Round{Context: []float32{1, 0}})
	must.That(t, errors.Is(err, o.err), "act: %v, want the posterior's error", err)
	// With ε = 1 the arm is random, but the greedy choice must still use the mean.
	e := make3(t, EpsGreedyKind(oracleKind, 1), nil).(*epsGreedy)
	e.posterior.(*oracle).how = -1
	if _, err := e.Act(bandit.Round{Context: []float32{1, 0, 0}}); err != nil ||
		e.posterior.(*oracle).how != posterior.Mean {
		t.Errorf("ε-greedy asked the posterior for %d, want the mean: %v", e.posterior.(*oracle).how, err)
	}
}

func TestFixed(t *testing.T) {
	saved := must.Get(Fixed(1).(state.Object).MarshalBinary())(t)
	must.OK(t, Fixed(1).(state.Object).UnmarshalBinary(saved))
	must.That(t, Fixed(0).(state.Object).UnmarshalBinary(saved) != nil, "the state of another arm: no error")
	must.That(t, !Learns(Fixed(1)) && !Learns(NewUniform(2, stream.Root(1))) && Learns(NewThompson(&oracle{}, posterior.Mean, 2)),
		"policies that do not learn are those with one arm or any")
	k := Kind[Exploring]{New: func(Exploring, Setup) (bandit.Policy, error) { return Fixed(2), nil }}
	p := must.Get(k.Build(Exploring{0.1}, Setup{Spec: bandit.Spec{Arms: []string{"a", "b"}}, Stream: stream.Root(1)}))(t)
	must.Refuse(p.Act(bandit.Round{T: 1}))(t, "the policy chose arm 2, want 0 to 1")
}

// TestCoverRim checks cover_rim, with cover_first and without: in extreme contexts a policy also pulls arms that are not the best,
// unless the best reward there is high. A randomized policy reports probability 1 for such forced pulls.
func TestCoverRim(t *testing.T) {
	rim := func(first int) bandit.Policy {
		return make3(t, ThompsonKind(oracleKind), func(o *ThompsonOptions[struct{}]) { o.CoverFirst, o.CoverRim = first, 4 })
	}
	for _, c := range []struct {
		name  string
		p     bandit.Policy
		value float32 // reward of arm 0 in extreme contexts; elsewhere it is 0 to 2
		want  bool
	}{
		{"nothing special", rim(1), 0.9, true},
		{"a high reward", rim(1), 3, false},
		{"the rim alone", rim(0), 0.9, true},
		{"the rim alone, a high reward", rim(0), 3, false},
		{"greedy", make3(t, EpsGreedyKind(oracleKind, 0), func(o *EpsGreedyOptions[struct{}]) { o.CoverRim = 4 }), 0.9, true},
		{"softmax", make3(t, SoftmaxKind(oracleKind, 1e-3), func(o *SoftmaxOptions[struct{}]) { o.CoverRim = 4 }), 0.9, true},
	} {
		r, pulls := stream.Root(2), make([]int, 3)
		for i := range 2000 {
			x := []float32{2 * float32(r.Float64()), 0, -float32(r.Float64())}
			extreme := i%50 == 49
			if extreme {
				x = []float32{c.value, 0, -30 - float32(r.Float64())}
			}
			round := bandit.Round{T: i + 1, Context: x}
			arm := must.Get(c.p.Act(round))(t)
			if r, ok := c.p.(bandit.Randomizer); ok {
				probabilities := make([]float64, 3)
				must.OK(t, r.Propensities(probabilities, round))
				must.That(t, x[arm] >= slices.Max(x)-0.1 || probabilities[arm] == 1,
					"%s: pull %d is of arm %d, with propensities %g", c.name, i, arm, probabilities)
			}
			if extreme && i > 300 { // before, cover_first forces pulls too
				pulls[arm]++
			}
			must.OK(t, c.p.Learn(round, arm, float64(x[arm])))
		}
		got := pulls[1]+pulls[2] > 0
		must.That(t, got == c.want, "%s: pulls in extreme contexts %v, of another arm: %t, want %t", c.name, pulls, got, c.want)
	}
}

// TestNormalFrequencies checks that for two arms the mean propensity of LinTS, and the frequency of its choice, are
// share/2 + (1 − share)·Φ((m₁ − m₂)/√(s₁² + s₂²)) within 5 standard errors at a fixed seed, both if one prediction serves
// all samples of a pull and if each sample is predicted.
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

// slow hides the type greedy from a mixture, which then asks for the propensities below instead of making normal draws.
type slow struct{ *greedy }

// Propensities writes the frequencies of the choices of ActBatch.
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
