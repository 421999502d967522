package policy

import (
	"context"
	"fmt"
	"slices"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/check"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// Exploring has the option of uniform pulls. The options of any policy may embed it.
type Exploring struct {
	// Explore is the share of pulls, 0 to 1, whose arm is drawn uniformly. Above 0, each choice's probability is known.
	// For that, a policy that acts by posterior samples draws 100, and an arm's probability is its frequency among them.
	Explore float64 `json:"explore,omitzero"`
}

// exploring lets Kind.Build find the option in options of any type that embeds Exploring.
func (e Exploring) exploring() float64 { return e.Explore }

// Build returns the policy of k.New. If the options embed Exploring with Explore above 0, it mixes in uniform pulls.
func (k Kind[O]) Build(o O, s Setup) (bandit.Policy, error) {
	p, err := k.New(o, s)
	if e, ok := any(o).(interface{ exploring() float64 }); ok && err == nil {
		return mix(p, e.exploring(), s)
	}
	return p, err
}

// mix returns p with a share of uniform pulls, or p itself if the share is 0.
func mix(p bandit.Policy, share float64, s Setup) (bandit.Policy, error) {
	if share == 0 {
		return p, nil
	}
	if err := check.That(share > 0 && share <= 1, "explore: %g, want 0 to 1", share); err != nil {
		return nil, err
	}
	m := &mixture{inner: p, share: share, streams: s.Stream.Child("mixture"), p: make([]float64, len(s.Spec.Arms)), pullable: make([]int, 0, len(s.Spec.Arms))}
	m.Fields = func(c *state.Codec) {
		c.Any("the policy", m.inner)
		c.Object(m.streams)
	}
	return m, nil
}

// Samples reports whether p chooses by a posterior sample, so that its choice is random with unknown probabilities. It
// returns false for a policy with uniform pulls mixed in (Exploring), because its probabilities are known.
func Samples(p bandit.Policy) bool {
	switch p := p.(type) {
	case *greedy:
		return p.how == posterior.Draw
	case *tally:
		return p.draws != nil
	}
	return false
}

// samplesOfPull is the number of posterior samples that a mixture draws in each pull.
const samplesOfPull = 100

// mixture chooses arm a with the probability share/K + (1 − share)·q(a), where K is the number of arms that can be
// pulled. If the inner policy is a bandit.Randomizer, q(a) is its propensity. If it acts by samples, q(a) is the share
// of samplesOfPull samples in which it chooses a. Otherwise q(a) is 1 for the arm that it chooses.
//
// However few the samples are, an estimate that divides rewards by these probabilities is unbiased: given the samples,
// the arm is drawn with exactly these probabilities, and the reward depends on the samples only through the arm.
type mixture struct {
	state.Fields
	inner     bandit.Policy
	share     float64
	streams   *stream.Stream // for the draw of the arm and for normal samples
	p         []float64      // probabilities of the arms in pull t
	t         int            // number of the pull that p is for; 0 if p is not valid
	context   []float32      // context of pull t
	available []bool         // Available of the round of pull t
	pullable  []int
}

// Unwrap returns the policy without its uniform pulls.
func (m *mixture) Unwrap() any { return m.inner }

// Propensities writes the probabilities in round r. If Act is called next for the same round, it draws with these.
func (m *mixture) Propensities(dst []float64, r bandit.Round) error {
	if m.t != r.T || m.t == 0 || !slices.Equal(m.context, r.Context) || !slices.Equal(m.available, r.Available) {
		n, err := m.choices(r)
		if err != nil {
			return err
		}
		for arm := range m.p {
			m.p[arm] /= float64(n)
		}
		mixUniform(m.p, m.share, r, m.pullable)
		m.t, m.context, m.available = r.T, append(m.context[:0], r.Context...), append(m.available[:0], r.Available...)
	}
	copy(dst, m.p)
	return nil
}

// Act draws an arm with the probabilities in round r.
func (m *mixture) Act(r bandit.Round) (int, error) {
	if err := m.Propensities(m.p, r); err != nil {
		return 0, err
	}
	m.t = 0
	return draw(m.p, m.streams.Float64())
}

// choices sets p(a) to the number of times that the inner policy chooses arm a in n samples, and returns n. If the
// inner policy is a bandit.Randomizer, p has its propensities, and n is 1.
func (m *mixture) choices(r bandit.Round) (n int, err error) {
	switch inner := m.inner.(type) {
	case bandit.Randomizer:
		return 1, inner.Propensities(m.p, r)
	case *greedy:
		if normal, ok := inner.posterior.(posterior.NormalDrawer); ok && inner.how == posterior.Draw && inner.joint == nil {
			return m.normalChoices(inner, normal, r)
		}
	}
	if n = 1; Samples(m.inner) {
		n = samplesOfPull
	}
	arms := make([]int, n)
	if b, ok := m.inner.(bandit.BatchActor); ok {
		err = b.ActBatch(arms, slices.Repeat([]bandit.Round{r}, n))
	} else {
		for i := 0; i < n && err == nil; i++ {
			arms[i], err = m.inner.Act(r)
		}
	}
	if err != nil {
		return 0, err
	}
	clear(m.p)
	for _, arm := range arms {
		if arm < 0 || arm >= len(m.p) {
			return 0, fmt.Errorf("the policy chose arm %d, want 0 to %d", arm, len(m.p)-1)
		}
		m.p[arm]++
	}
	return n, nil
}

// normalChoices is choices for a policy whose posterior draws independent normal numbers. It predicts once, not in each
// sample, and the counts in p have the same distribution as those of choices.
func (m *mixture) normalChoices(g *greedy, normal posterior.NormalDrawer, r bandit.Round) (n int, err error) {
	var forced [1]int
	values, err := g.ask(forced[:], []bandit.Round{r})
	if err != nil {
		return 0, err
	}
	clear(m.p)
	if forced[0] >= 0 {
		m.p[forced[0]] = 1
		return 1, nil
	}
	k := len(values)
	spread, drawn, normals := make([]float64, k), make([]float64, k), make([]float32, samplesOfPull*k)
	if err := normal.Spread(spread, g.contexts); err != nil {
		return 0, g.blame(err)
	}
	m.streams.Normals(normals)
	for z := range slices.Chunk(normals, k) {
		for arm, v := range values {
			drawn[arm] = v + float64(spread[arm]*float64(z[arm]))
		}
		best, err := argmax(drawn, r.Available)
		if err != nil {
			return 0, err
		}
		m.p[best]++
	}
	return samplesOfPull, nil
}

func (m *mixture) Learn(r bandit.Round, arm int, reward float64) error {
	return m.inner.Learn(r, arm, reward)
}

func (m *mixture) EndRound(ctx context.Context, round int) error {
	return bandit.EndRound(ctx, m.inner, round)
}
