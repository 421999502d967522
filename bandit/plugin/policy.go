package plugin

import (
	"context"
	"fmt"
	"slices"

	"banditsim/bandit"
	"banditsim/bandit/diagnostics"
	"banditsim/internal/lists"
	"banditsim/policy"
)

// childPolicy is a policy that a child process implements. A randomizer wraps it if the child states its propensities.
type childPolicy struct {
	learner
	rounds    int                  // rounds of the trial
	predicted float64              // sum over this round of the values that the child predicted for the arms it chose
	valued    int                  // number of values in that sum
	series    []diagnostics.Series // of the last round
}

var (
	_ bandit.BatchActor    = (*childPolicy)(nil)
	_ bandit.RoundEnder    = (*childPolicy)(nil)
	_ diagnostics.Reporter = (*childPolicy)(nil)
	_ bandit.Replayer      = (*childPolicy)(nil)
	_ bandit.Randomizer    = (*randomizer)(nil)
)

// NewPolicy returns a policy that a program implements; it is a bandit.Randomizer if the program states its
// propensities. NewPolicy starts the program once to learn its abilities. The first call of a method of the policy
// starts the program again. The policy is an io.Closer.
func NewPolicy(program Program, s policy.Setup) (bandit.Policy, error) {
	return newPolicy(program, &probes{}, s)
}

// newPolicy is NewPolicy with a cache of probes. If the probe fails, it and the methods of its policy return the error.
func newPolicy(program Program, p *probes, s policy.Setup) (bandit.Policy, error) {
	h := helloPolicy(s)
	ready, err := p.ready(program, h)
	q := &childPolicy{rounds: s.Protocol.Rounds}
	q.learner = learner{link: link{program: program, hello: h, ready: ready, broken: err}, lesson: "learn", spec: s.Spec}
	if ready.Propensities {
		return &randomizer{childPolicy: q}, err
	}
	return q, err
}

func (p *childPolicy) Act(r bandit.Round) (int, error) {
	var arm [1]int
	err := p.act(arm[:], []bandit.Round{r}, nil)
	return arm[0], err
}

// ActBatch chooses an arm for each of several pulls, with a single request if the child accepts several.
func (p *childPolicy) ActBatch(arms []int, rounds []bandit.Round) error {
	if p.ready.Batch {
		return p.act(arms, rounds, nil)
	}
	for i := range rounds {
		if err := p.act(arms[i:i+1], rounds[i:i+1], nil); err != nil {
			return err
		}
	}
	return nil
}

// act asks the child for an arm for each pull in rounds, and writes the answers to arms. If propensities is not nil,
// rounds must have one pull, and act writes the probabilities of all arms in it to propensities.
func (p *childPolicy) act(arms []int, rounds []bandit.Round, propensities []float64) error {
	c, err := p.begin()
	if err != nil {
		return err
	}
	kind := "act of pull " + fmt.Sprint(rounds[0].T)
	if len(rounds) > 1 {
		kind = fmt.Sprintf("act of pulls %d to %d", rounds[0].T, rounds[len(rounds)-1].T)
	}
	for _, r := range rounds {
		p.add(r)
	}
	if err := p.write(c, message{Type: "act", Pulls: p.pulls, Available: p.available(rounds)}); err != nil {
		return err
	}
	width := len(p.spec.Arms)
	a, _, err := c.ask(kind, len(rounds)*(1+2*width))
	if err != nil {
		return err
	}
	if cause := p.wrong(a, rounds); cause != "" {
		return c.fail(kind, cause)
	}
	for i, arm := range a.Arms {
		arms[i] = int(arm)
		if p.ready.Values {
			p.predicted += float64(a.Values[i][arm])
			p.valued++
		}
		if err := p.note(c, kind, uint32(arm), "pull %d: on replay the child chose another arm (%d)", rounds[i].T, arm); err != nil {
			return err
		}
	}
	if propensities != nil {
		copy(propensities, flatten(nil, a.Propensities))
	}
	return nil
}

// available returns the arms that can be pulled in each pull, or nil if all can or the child does not ask for them.
func (p *childPolicy) available(rounds []bandit.Round) [][]int {
	if !p.ready.Available || !slices.ContainsFunc(rounds, func(r bandit.Round) bool { return r.Available != nil }) {
		return nil
	}
	return lists.Each(rounds, func(r bandit.Round) []int { return r.Pullable(nil, len(p.spec.Arms)) })
}

// wrong returns what is wrong with a, the answer to the message act for the pulls in rounds, or "".
func (p *childPolicy) wrong(a *answer, rounds []bandit.Round) string {
	n, width := len(rounds), len(p.spec.Arms)
	if len(a.Arms) != n {
		return fmt.Sprintf("its answer has %d arms, want %d", len(a.Arms), n)
	}
	for i, arm := range a.Arms {
		switch {
		case arm < 0 || int(arm) >= width:
			return fmt.Sprintf("it chose arm %d, want 0 to %d", arm, width-1)
		case p.ready.Available && !rounds[i].CanPull(int(arm)): // from other children a Trial refuses the arm; 'evaluate' takes another
			return fmt.Sprintf("it chose arm %d for pull %d, want one of those in available", arm, rounds[i].T)
		}
	}
	if p.ready.Values {
		if cause := wrongRows("values", a.Values, n, width); cause != "" {
			return cause
		}
	}
	if !p.ready.Propensities {
		return ""
	}
	if cause := wrongRows("propensities", a.Propensities, n, width); cause != "" {
		return cause
	}
	for i, row := range a.Propensities {
		sum := 0.0
		for arm, v := range row {
			if v < 0 || v > 0 && p.ready.Available && !rounds[i].CanPull(arm) {
				return fmt.Sprintf("the propensity of arm %d is %g, want at least 0, and 0 if it cannot be pulled", arm, float64(v))
			}
			sum += float64(v)
		}
		switch {
		case sum < 1-1e-9 || sum > 1+1e-9:
			return fmt.Sprintf("the propensities %g sum to %g, want 1", row, sum)
		case row[a.Arms[i]] == 0:
			return fmt.Sprintf("it chose arm %d, whose propensity is 0", a.Arms[i])
		}
	}
	return ""
}

// wrongRows returns how the shape of rows differs from n lists of width numbers, or "".
func wrongRows(name string, rows [][]number, n, width int) string {
	if len(rows) != n {
		return fmt.Sprintf("its answer has %d lists of %s, want %d, as ready promised them", len(rows), name, n)
	}
	for _, row := range rows {
		if len(row) != width {
			return fmt.Sprintf("a list of its %s has %d numbers, want %d", name, len(row), width)
		}
	}
	return ""
}

func (p *childPolicy) Learn(r bandit.Round, arm int, reward float64) error {
	return p.keep(r, arm, reward)
}

// EndRound sets the series of the round. It then sends the kept pulls and the message end, and waits for the answer, if
// the child asked for this message. After the last round it does so for every child, so that no error goes unnoticed.
func (p *childPolicy) EndRound(_ context.Context, round int) error {
	p.series = p.series[:0]
	if p.valued > 0 {
		p.series = append(p.series, diagnostics.Series{Name: "predicted reward", Values: []float64{p.predicted / float64(p.valued)}})
	}
	p.predicted, p.valued = 0, 0
	if !p.ready.End && round != p.rounds {
		return nil
	}
	c, err := p.begin()
	if err == nil {
		_, _, err = c.request(fmt.Sprintf("end of round %d", round), message{Type: "end", Round: round}, 0)
	}
	return err
}

// Diagnostics returns the mean reward that the child predicted for the arms it chose in the last round, if any.
func (p *childPolicy) Diagnostics() diagnostics.Round { return diagnostics.Round{Series: p.series} }

// A randomizer is a childPolicy that states its propensities. The child answers with arm and propensities at once, so
// Propensities gets the arm too, and keeps it for the call of Act on the same pull that follows.
type randomizer struct {
	*childPolicy
	of   bandit.Round // the pull for which next and last are kept; T is 0 if there is none
	next int          // the arm that the child chose
	last []float64    // the propensities
}

// Propensities writes the probability of each arm to dst. Act on the same pull then returns the arm drawn with them.
func (z *randomizer) Propensities(dst []float64, r bandit.Round) error {
	if !z.asked(r) {
		z.last = slices.Grow(z.last[:0], len(dst))[:len(dst)]
		var arm [1]int
		z.of.T = 0
		if err := z.act(arm[:], []bandit.Round{r}, z.last); err != nil {
			return err
		}
		z.next, z.of.T = arm[0], r.T
		z.of.Context, z.of.Available = append(z.of.Context[:0], r.Context...), append(z.of.Available[:0], r.Available...)
	}
	copy(dst, z.last)
	return nil
}

// asked reports whether next and last are kept for this pull.
func (z *randomizer) asked(r bandit.Round) bool {
	return z.of.T != 0 && z.of.T == r.T && slices.Equal(z.of.Context, r.Context) && slices.Equal(z.of.Available, r.Available)
}

func (z *randomizer) Act(r bandit.Round) (int, error) {
	if z.asked(r) {
		z.of.T = 0
		return z.next, nil
	}
	return z.childPolicy.Act(r)
}
