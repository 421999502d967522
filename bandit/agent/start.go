package agent

import (
	"context"
	"fmt"
	"slices"

	"banditsim/bandit"
	"banditsim/internal/state"
)

// Start returns a policy that begins a trial with what the agent has learned. It translates the environment's contexts:
// columns are matched by name, and numbers are standardized with the agent's means and standard deviations. An
// environment without named columns needs contexts of the agent's length.
//
// The policy uses the agent's random streams, which are therefore the same in the trials of all seeds.
func (a *Agent) Start(spec bandit.Spec) (p bandit.Policy, err error) {
	defer prefix(&err, "agent: start")
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if !slices.Equal(spec.Arms, a.config.Arms) {
		return nil, fmt.Errorf("the environment has the arms %q, the agent %q: want the same in the same order", spec.Arms, a.config.Arms)
	}
	if p, err = a.build(a.setup()); err == nil {
		err = move(a.policy, p)
	}
	if err != nil {
		return nil, err
	}
	t := &translated{inner: p, pulls: a.rows + int(a.chosen), context: make([]float32, a.spec.Dim)}
	t.Fields = func(c *state.Codec) { c.Any("the policy", p) }
	if spec.Columns == nil && spec.Dim != a.spec.Dim {
		return nil, fmt.Errorf("the environment has contexts of %d numbers, the agent of %d", spec.Dim, a.spec.Dim)
	}
	if spec.Columns != nil {
		if err := t.addAll(a.config.Columns, spec.Columns); err != nil {
			return nil, err
		}
	}
	if knows, ok := p.(bandit.Randomizer); ok {
		return &translatedRandomizer{t, knows}, nil
	}
	return t, nil
}

// addAll adds the elements of own, the columns of the agent. It finds each of them by its name in environment.
func (t *translated) addAll(own, environment []bandit.Column) error {
	for _, to := range own {
		k := slices.IndexFunc(environment, func(from bandit.Column) bool { return from.Name == to.Name })
		if k < 0 || (environment[k].Values == nil) != (to.Values == nil) {
			return fmt.Errorf("the environment has no column %q of the agent's kind", to.Name)
		}
		at := 0
		for i := range k {
			at += environment[i].Width()
		}
		t.add(to, environment[k], at)
	}
	return nil
}

// An element says how to compute one element of the agent's context: as value·scale + shift, where value is the element
// of the environment's context at index from.
type element struct {
	from         int // or −1 if the agent's element is always 0
	scale, shift float64
	missing      int // index of the environment's element that is 1 if the value is missing, or −1; the agent's element is then 0
}

// translated is the agent's policy behind a translation of contexts. It adds the agent's number of pulls to Round.T.
type translated struct {
	state.Fields
	inner    bandit.Policy
	pulls    int       // number of pulls of the agent
	elements []element // elements of the agent's context; nil: the contexts need no translation
	context  []float32
}

// translatedRandomizer is a translated policy that is a bandit.Randomizer.
type translatedRandomizer struct {
	*translated
	knows bandit.Randomizer
}

var (
	_ bandit.Randomizer = (*translatedRandomizer)(nil)
	_ bandit.RoundEnder = (*translated)(nil)
)

func (t *translatedRandomizer) Propensities(dst []float64, r bandit.Round) error {
	return t.knows.Propensities(dst, t.see(r))
}

// add adds the elements of to, a column of the agent. They come from the environment's column from, which begins at
// index at.
func (t *translated) add(to, from bandit.Column, at int) {
	for _, v := range to.Values {
		e := element{from: slices.Index(from.Values, v), scale: 1, missing: -1}
		if e.from >= 0 {
			e.from += at
		}
		t.elements = append(t.elements, e)
	}
	if to.Values != nil {
		return
	}
	for _, c := range []*bandit.Column{&to, &from} { // a column with SD 0 is not standardized
		if c.SD == 0 {
			c.Mean, c.SD = 0, 1
		}
	}
	e := element{from: at, scale: from.SD / to.SD, shift: (from.Mean - to.Mean) / to.SD, missing: -1}
	mark := element{from: -1, scale: 1, missing: -1}
	if from.Missing {
		e.missing, mark.from = at+1, at+1
	}
	t.elements = append(t.elements, e)
	if to.Missing {
		t.elements = append(t.elements, mark)
	}
}

// Unwrap returns the agent's policy.
func (t *translated) Unwrap() any { return t.inner }

// see returns the round with the context translated, which is valid until the next call.
func (t *translated) see(r bandit.Round) bandit.Round {
	r.T += t.pulls
	if t.elements == nil {
		return r
	}
	for i, e := range t.elements {
		t.context[i] = 0
		if e.from >= 0 && (e.missing < 0 || r.Context[e.missing] != 1) {
			t.context[i] = float32(float64(float64(r.Context[e.from])*e.scale) + e.shift)
		}
	}
	r.Context = t.context
	return r
}

func (t *translated) Act(r bandit.Round) (int, error) { return t.inner.Act(t.see(r)) }

func (t *translated) Learn(r bandit.Round, arm int, reward float64) error {
	return t.inner.Learn(t.see(r), arm, reward)
}

// EndRound trains the policy, if it trains.
func (t *translated) EndRound(ctx context.Context, round int) error {
	return bandit.EndRound(ctx, t.inner, round)
}
