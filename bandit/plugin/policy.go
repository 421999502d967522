package plugin

import (
	"context"
	"fmt"
	"slices"

	"banditsim/bandit"
	"banditsim/bandit/diagnostics"
	"banditsim/internal/state"
	"banditsim/policy"
)

// Policy is a child process as a policy. It is a bandit.Randomizer if the child knows its propensities: NewPolicy
// returns one that is.
type Policy struct {
	link
	spec   bandit.Spec
	rounds int // of the trial

	// What was learned and not sent yet.
	pulls, arms                 []int
	rewards, contexts, features []float64

	journal   journal
	predicted float64 // sum of the values of the arms chosen in this round
	valued    int     // number of them
	series    []diagnostics.Series
}

var (
	_ bandit.Policy        = (*Policy)(nil)
	_ bandit.BatchActor    = (*Policy)(nil)
	_ bandit.RoundEnder    = (*Policy)(nil)
	_ diagnostics.Reporter = (*Policy)(nil)
	_ bandit.Replayer      = (*Policy)(nil)
	_ bandit.Randomizer    = (*randomizer)(nil)
)

// maxUnsent is the number of pulls learned that are kept until the next answer is due.
const maxUnsent = 256

// newPolicy returns the policy of a program, whose child starts with its first request.
func newPolicy(program Program, p *probes, s policy.Setup) (bandit.Policy, error) {
	h := helloPolicy(s)
	ready, err := p.ready(program, h)
	if err != nil {
		return nil, err
	}
	q := &Policy{link: link{program: program, hello: h, ready: ready}, spec: s.Spec, rounds: s.Protocol.Rounds}
	if ready.Propensities {
		return &randomizer{Policy: q}, nil
	}
	return q, nil
}

// Act chooses an arm for one pull.
func (p *Policy) Act(r bandit.Round) (int, error) {
	var arm [1]int
	err := p.act(arm[:], []bandit.Round{r}, nil)
	return arm[0], err
}

// ActBatch chooses an arm for each of several pulls: at once, if the child says batch.
func (p *Policy) ActBatch(arms []int, rounds []bandit.Round) error {
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

// act asks for the arms of pulls and, if propensities is not nil, for those of one pull.
func (p *Policy) act(arms []int, rounds []bandit.Round, propensities []float64) error {
	c, err := p.connect()
	if err != nil {
		return err
	}
	p.flush(c)
	kind := "act of pull " + fmt.Sprint(rounds[0].T)
	if len(rounds) > 1 {
		kind = fmt.Sprintf("act of pulls %d to %d", rounds[0].T, rounds[len(rounds)-1].T)
	}
	c.message("act")
	for _, r := range rounds {
		p.pulls = append(p.pulls, r.T)
		p.contexts = appendContext(p.contexts, r.Context)
		for _, f := range r.Arms {
			p.features = appendContext(p.features, f)
		}
	}
	c.ints("pulls", p.pulls)
	c.blocks(p.blocks()...)
	p.empty()
	width := len(p.spec.Arms)
	a, _, err := c.ask(kind, len(rounds)*(1+2*width))
	if err != nil {
		return err
	}
	if cause := p.wrong(a, len(rounds)); cause != "" {
		return c.fail(kind, cause)
	}
	for i, arm := range a.Arms {
		arms[i] = int(arm)
		if p.ready.Values {
			p.predicted += float64(a.Values[i][arm])
			p.valued++
		}
		if p.ready.Save {
			continue
		}
		if err := p.journal.note(uint32(arm), func() string {
			return fmt.Sprintf("pull %d: on replay the child chose another arm (%d)", rounds[i].T, arm)
		}); err != nil {
			return c.fail(kind, err.Error())
		}
	}
	if propensities != nil {
		for k, v := range a.Propensities[0] {
			propensities[k] = float64(v)
		}
	}
	return nil
}

// wrong returns what is wrong with the answer for n pulls, "" if it is right.
func (p *Policy) wrong(a *answer, n int) string {
	width := len(p.spec.Arms)
	if len(a.Arms) != n {
		return fmt.Sprintf("its answer has %d arms, want %d", len(a.Arms), n)
	}
	for _, arm := range a.Arms {
		if arm < 0 || int(arm) >= width {
			return fmt.Sprintf("it chose arm %d, want 0 to %d", arm, width-1)
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
		for _, v := range row {
			if v < 0 {
				return fmt.Sprintf("a propensity is %g, want at least 0", float64(v))
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

// wrongRows returns what is wrong with the shape of a list of lists, "" if it is right.
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

// Learn keeps the pull for the next message.
func (p *Policy) Learn(r bandit.Round, arm int, reward float64) error {
	c, err := p.connect()
	if err != nil {
		return err
	}
	p.pulls, p.arms, p.rewards = append(p.pulls, r.T), append(p.arms, arm), append(p.rewards, reward)
	p.contexts = appendContext(p.contexts, r.Context)
	for _, f := range r.Arms {
		p.features = appendContext(p.features, f)
	}
	if len(p.pulls) < maxUnsent {
		return nil
	}
	p.flush(c)
	_, err = c.transfer("learn", 0)
	return err
}

// flush makes a message of what was learned.
func (p *Policy) flush(c *child) {
	if len(p.pulls) == 0 {
		return
	}
	c.message("learn")
	c.ints("pulls", p.pulls)
	c.ints("arms", p.arms)
	c.numbers("rewards", p.rewards)
	c.blocks(p.blocks()...)
	p.empty()
}

// blocks returns the contexts, and the features of arms that have some.
func (p *Policy) blocks() []block {
	list := []block{{key: "contexts", values: p.contexts, width: p.spec.Dim}}
	if p.spec.ArmDim > 0 {
		list = append(list, block{"features", p.features, len(p.spec.Arms), p.spec.ArmDim})
	}
	return list
}

func (p *Policy) empty() {
	p.pulls, p.arms, p.rewards = p.pulls[:0], p.arms[:0], p.rewards[:0]
	p.contexts, p.features = p.contexts[:0], p.features[:0]
}

func appendContext(to []float64, context []float32) []float64 {
	for _, v := range context {
		to = append(to, float64(v))
	}
	return to
}

// EndRound sends what was learned, and waits until the child has trained if it says end. After the last round it waits
// in any case, so that no error is missed.
func (p *Policy) EndRound(_ context.Context, round int) error {
	p.series = p.series[:0]
	if p.valued > 0 {
		p.series = append(p.series, diagnostics.Series{Name: "predicted reward", Values: []float64{p.predicted / float64(p.valued)}})
	}
	p.predicted, p.valued = 0, 0
	if !p.ready.End && round != p.rounds {
		return nil
	}
	c, err := p.connect()
	if err != nil {
		return err
	}
	p.flush(c)
	c.message("end")
	c.int("round", round)
	c.blocks()
	_, _, err = c.ask(fmt.Sprintf("end of round %d", round), 0)
	return err
}

// Diagnostics returns the mean of the rewards that the child predicted for the arms that it chose, if it predicts any.
func (p *Policy) Diagnostics() diagnostics.Round { return diagnostics.Round{Series: p.series} }

// MarshalBinary returns the state of the child.
func (p *Policy) MarshalBinary() ([]byte, error) {
	if !p.ready.Save {
		return nil, errNoState(p.program)
	}
	c, err := p.connect()
	if err != nil {
		return nil, err
	}
	p.flush(c)
	return p.save()
}

// UnmarshalBinary restores a state.
func (p *Policy) UnmarshalBinary(b []byte) error {
	if !p.ready.Save {
		return errNoState(p.program)
	}
	return p.restore(b)
}

func errNoState(program Program) error {
	return fmt.Errorf("plugin %s: the child does not save its state: %w", program, state.ErrNone)
}

// Journal returns the arms so far of a child that cannot be saved, nil of one that can.
func (p *Policy) Journal() []byte {
	if p.ready.Save {
		return nil
	}
	return p.journal.bytes()
}

// Replay compares the arms from now on with those of a journal.
func (p *Policy) Replay(journal []byte) error { return p.journal.read(journal) }

// A randomizer is a policy that knows its propensities. The child gives them with the arm, so Propensities asks for the
// arm too, and the Act of that pull returns it.
type randomizer struct {
	*Policy
	of   bandit.Round // the last pull that was asked for; T is 0 if there is none
	next int          // its arm
	last []float64    // its propensities
}

// Propensities writes the probabilities with which the child chose the arm that Act returns next.
func (z *randomizer) Propensities(dst []float64, r bandit.Round) error {
	if !z.asked(r) {
		z.last = slices.Grow(z.last[:0], len(dst))[:len(dst)]
		var arm [1]int
		z.of.T = 0
		if err := z.act(arm[:], []bandit.Round{r}, z.last); err != nil {
			return err
		}
		z.next, z.of.T = arm[0], r.T
		z.of.Context = append(z.of.Context[:0], r.Context...)
	}
	copy(dst, z.last)
	return nil
}

func (z *randomizer) asked(r bandit.Round) bool {
	return z.of.T != 0 && z.of.T == r.T && slices.Equal(z.of.Context, r.Context)
}

// Act chooses an arm for one pull.
func (z *randomizer) Act(r bandit.Round) (int, error) {
	if z.asked(r) {
		z.of.T = 0
		return z.next, nil
	}
	return z.Policy.Act(r)
}
