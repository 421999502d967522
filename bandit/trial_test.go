package bandit_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/must"
)

// coins is an environment with two arms. The reward of arm 0 is 0. That of arm 1 is +3 in even contexts; in
// odd ones it is +1 or −2 with probability ½ each (mean −½).
type coins struct {
	r     *stream.Stream
	ahead bool
	left  int // pulls until the data end; negative: they do not end
}

func (c *coins) Spec() bandit.Spec {
	return bandit.Spec{Dim: 1, Arms: []string{"pass", "play"}, IgnoresActions: c.ahead}
}

func (c *coins) Next(r *bandit.Round, o *bandit.Outcome) error {
	if c.left == 0 {
		return io.EOF
	}
	c.left--
	r.Row = c.r.IntN(100)
	r.Context[0] = float32(r.Row % 2)
	lucky := c.r.IntN(2) == 0
	o.Reward[0], o.Mean[0] = 0, 0
	switch {
	case r.Row%2 == 0:
		o.Reward[1], o.Mean[1] = 3, 3
	case lucky:
		o.Reward[1], o.Mean[1] = 1, -0.5
	default:
		o.Reward[1], o.Mean[1] = -2, -0.5
	}
	return nil
}

// player always pulls the same arm and records its calls.
type player struct {
	closed  int // number of calls of Close
	arm     int
	acted   []int     // numbers of the pulls it acted on
	learned []float64 // rewards
	rounds  []int
}

func (p *player) Close() error { p.closed++; return nil }
func (p *player) Act(r bandit.Round) (int, error) {
	p.acted = append(p.acted, r.T)
	return p.arm, nil
}

func (p *player) Learn(_ bandit.Round, _ int, reward float64) error {
	p.learned = append(p.learned, reward)
	return nil
}

func (p *player) EndRound(_ context.Context, round int) error {
	p.rounds = append(p.rounds, round)
	return nil
}

// sink keeps a copy of every record.
type sink struct{ records []bandit.RoundRecord }

func (s *sink) Record(r *bandit.RoundRecord) error {
	c := *r
	c.Arms = append([]int(nil), r.Arms...)
	c.Mistakes = append([]bandit.Mistake(nil), r.Mistakes...)
	s.records = append(s.records, c)
	return nil
}

func play(t *testing.T, policy bandit.Policy, protocol bandit.Protocol, ahead bool) []bandit.RoundRecord {
	t.Helper()
	var s sink
	env := &coins{r: stream.Root(1).Child("environment"), ahead: ahead, left: -1}
	trial := must.Get(bandit.NewTrial(env, policy, protocol, stream.Root(1).Child("burn-in"), &s))(t)
	must.OK(t, trial.Run(t.Context()))
	return s.records
}

// TestRegretOfAKnownGame compares the records of always pulling arm 1 with those computed from the environment's draws.
func TestRegretOfAKnownGame(t *testing.T) {
	p := &player{arm: 1}
	records := play(t, p, bandit.Protocol{Rounds: 3, Pulls: 50}, true)
	env := &coins{r: stream.Root(1).Child("environment"), left: -1}
	r, o := bandit.Round{Context: make([]float32, 1)}, bandit.Outcome{Reward: make([]float64, 2), Mean: make([]float64, 2)}
	for i, got := range records {
		want := bandit.RoundRecord{Round: i + 1, Arms: []int{0, 50}}
		for range 50 {
			must.OK(t, env.Next(&r, &o))
			best := max(o.Mean[0], o.Mean[1])
			want.Realised += best - o.Reward[1]
			want.Expected += best - o.Mean[1]
			if o.Mean[1] < best {
				want.Mistakes = append(want.Mistakes, bandit.Mistake{Row: r.Row, Arm: 1})
			}
		}
		must.That(t, reflect.DeepEqual(got, want), "round %d:\n got %+v\nwant %+v", i+1, got, want)
	}
	must.That(t, len(p.learned) == 150 && len(p.rounds) == 3,
		"received %d rewards and %d rounds, want 150 and 3", len(p.learned), len(p.rounds))
}

// TestDrawingAheadChangesNothing checks that rounds drawn at once have the same records as rounds drawn pull by pull.
func TestDrawingAheadChangesNothing(t *testing.T) {
	protocol := bandit.Protocol{Rounds: 5, Pulls: 7, BurnIn: 10}
	a := play(t, &player{arm: 1}, protocol, true)
	b := play(t, &player{arm: 1}, protocol, false)
	must.That(t, reflect.DeepEqual(a, b), "ahead\n%+v\none by one\n%+v", a, b)
}

// TestBurnIn checks that the first pulls are not chosen by the policy, are the same for every policy,
// use all arms, and are learned from.
func TestBurnIn(t *testing.T) {
	protocol := bandit.Protocol{Rounds: 4, Pulls: 25, BurnIn: 60}
	never, always := &player{arm: 0}, &player{arm: 1}
	a, b := play(t, never, protocol, true), play(t, always, protocol, true)
	must.That(t, reflect.DeepEqual(a[:2], b[:2]), "two policies burn in differently")
	must.That(t, a[0].Arms[0] != 0 && a[0].Arms[1] != 0, "burn-in pulled the arms %v times, want some of each", a[0].Arms)
	must.That(t, len(always.acted) == 40 && always.acted[0] == 61, "acted on pulls %v, want 61 to 100", always.acted)
	must.Equal(t, "pulls that it learned", len(always.learned), 100)
	must.That(t, !reflect.DeepEqual(a[2], b[2]), "after burn-in two different policies do the same")
}

func TestAfterBurnIn(t *testing.T) {
	// Burn-in ends within round 52 (twice), with round 51 and within round 1; there is none; it ends with round 3.
	for _, c := range []struct{ pulls, burnIn, want int }{{20, 1024, 53}, {20, 1023, 53}, {20, 1020, 52}, {20, 1, 2},
		{20, 0, 1}, {1, 3, 4}} {
		got := (bandit.Protocol{Rounds: 1, Pulls: c.pulls, BurnIn: c.burnIn}).AfterBurnIn()
		must.That(t, got == c.want, "burn-in of %d in rounds of %d: %d, want %d", c.burnIn, c.pulls, got, c.want)
	}
}

// broken is a player whose methods return the errors in its fields.
type broken struct {
	player
	act, learn, end error
}

func (b *broken) Act(r bandit.Round) (int, error)         { return b.arm, b.act }
func (b *broken) Learn(bandit.Round, int, float64) error  { return b.learn }
func (b *broken) EndRound(_ context.Context, _ int) error { return b.end }

type failing struct{ err error }

func (f failing) Record(*bandit.RoundRecord) error { return f.err }

func TestErrorsNameTheRound(t *testing.T) {
	boom := errors.New("boom")
	for _, c := range []struct {
		name     string
		policy   bandit.Policy
		recorder bandit.Recorder
		left     int
		want     string
	}{
		{"act", &broken{act: boom}, &sink{}, -1, "bandit: round 1: boom"},
		{"learn", &broken{learn: boom}, &sink{}, -1, "bandit: round 1: boom"},
		{"train", &broken{end: boom}, &sink{}, -1, "bandit: round 1: boom"},
		{"record", &player{}, failing{boom}, -1, "bandit: round 1: boom"},
		{"end", &broken{act: fmt.Errorf("read: %w", io.EOF)}, &sink{}, -1, "bandit: round 1: read: EOF"}, // a wrapped EOF does not end the trial
		{"arm too high", &broken{player: player{arm: 2}}, &sink{}, -1, "round 1: the policy chose arm 2, want 0 to 1"},
		{"arm below 0", &broken{player: player{arm: -1}}, &sink{}, -1, "round 1: the policy chose arm -1"},
		{"data end", &player{}, &sink{}, 7, "bandit: round 2: the environment's data end after 7 pulls"},
	} {
		t.Run(c.name, func(t *testing.T) {
			env := &coins{r: stream.Root(1), left: c.left, ahead: true}
			trial, err := bandit.NewTrial(env, c.policy, bandit.Protocol{Rounds: 3, Pulls: 5}, stream.Root(2), c.recorder)
			must.OK(t, err)
			must.Fail(t, trial.Run(t.Context()), c.want)
			must.Fail(t, trial.Round(t.Context()), "the trial is over")
		})
	}
}

// noState is an empty state.
type noState struct{}

func (noState) MarshalBinary() ([]byte, error) { return nil, nil }
func (noState) UnmarshalBinary([]byte) error   { return nil }

type savedCoins struct {
	*coins
	noState
}

// journaled has a journal in place of a state.
type journaled struct{ *coins }

func (journaled) Journal() []byte     { return []byte("answers") }
func (journaled) Replay([]byte) error { return nil }

type savedPlayer struct {
	*broken
	noState
}

// TestSaving checks the errors for parts without a state and for a trial that cannot go on.
func TestSaving(t *testing.T) {
	build := func(env bandit.Environment, policy bandit.Policy) *bandit.Trial {
		trial, err := bandit.NewTrial(env, policy, bandit.Protocol{Rounds: 3, Pulls: 5}, stream.Root(2), &sink{})
		must.OK(t, err)
		return trial
	}
	env := &coins{r: stream.Root(1), left: -1}
	must.Refuse(build(env, &player{}).MarshalBinary())(t, "the environment: a *bandit_test.coins cannot be saved")
	over := build(savedCoins{coins: env}, savedPlayer{broken: &broken{end: errors.New("boom")}})
	must.Get(over.MarshalBinary())(t)
	err := over.Round(t.Context())
	must.Hold(t, err != nil, "no error")
	must.Refuse(over.MarshalBinary())(t, "it failed, was scored or was closed in round 1")
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	stopped := build(savedCoins{coins: env}, savedPlayer{broken: &broken{}})
	must.Is(t, stopped.Round(canceled), context.Canceled)
	if _, err := stopped.MarshalBinary(); err != nil {
		t.Errorf("stopped between two rounds: %v", err)
	}
	if err := stopped.UnmarshalBinary([]byte("nonsense")); err == nil {
		t.Error("nonsense is restored")
	}
	if _, err := stopped.MarshalBinary(); err == nil {
		t.Error("a trial of which nothing is certain is saved")
	}
	first := build(journaled{env}, &player{})
	must.OK(t, first.Round(t.Context()))
	saved := must.Get(first.MarshalBinary())(t)
	restored := build(journaled{&coins{r: stream.Root(1), left: -1}}, &player{})
	must.OK(t, restored.UnmarshalBinary(saved))
	must.Refuse(restored.MarshalBinary())(t, "has played 0 of 1 rounds again: call Round first")
	must.Is(t, restored.Round(canceled), context.Canceled)
	must.OK(t, restored.Round(t.Context()))
	must.Get(restored.MarshalBinary())(t)
}

func TestNewTrialRefusesBadProtocols(t *testing.T) {
	for _, p := range []bandit.Protocol{
		{Rounds: 0, Pulls: 1}, {Rounds: 1, Pulls: 0}, {Rounds: -1, Pulls: 1}, {Rounds: 1, Pulls: 1, BurnIn: -1},
		// Too many to count, or to hold in memory.
		{Rounds: math.MaxInt, Pulls: 1}, {Rounds: 1, Pulls: 1e6}, {Rounds: 1, Pulls: 1, BurnIn: math.MaxInt},
	} {
		_, err := bandit.NewTrial(&coins{}, &player{}, p, stream.Root(1), &sink{})
		must.That(t, err != nil, "%+v: no error", p)
	}
	d := &player{} // closed once
	trial := must.Get(bandit.NewTrial(&coins{}, d, bandit.Protocol{Rounds: 1, Pulls: 1}, stream.Root(1), nil))(t)
	must.OK(t, errors.Join(trial.Close(), trial.Close()))
	must.Equal(t, "calls of Close", d.closed, 1)
}

type (
	outer struct{ inner any }
	inner string
)

func (o outer) Unwrap() any    { return o.inner }
func (i inner) String() string { return string(i) }

// TestAs checks that As finds the first value of a chain that has the type, and nothing if none has it.
func TestAs(t *testing.T) {
	for _, c := range []struct {
		v    any
		want string
	}{{inner("a"), "a"}, {outer{outer{inner("b")}}, "b"}, {outer{nil}, ""}, {outer{3}, ""}, {nil, ""}} {
		s, ok := bandit.As[fmt.Stringer](c.v)
		must.That(t, ok == (c.want != "") && (!ok || s.String() == c.want), "of %v: %v, %t, want %q", c.v, s, ok, c.want)
	}
}

// seer is an OutcomeActor and an OutcomeLearner.
type seer struct {
	player
	seen []bandit.Outcome
	arms []int
}

func (s *seer) ActOnOutcome(_ bandit.Round, o bandit.Outcome) (int, error) {
	if o.Mean[1] > o.Mean[0] {
		return 1, nil
	}
	return 0, nil
}

func (s *seer) LearnOutcome(_ bandit.Round, arm int, o bandit.Outcome) error {
	s.seen = append(s.seen, bandit.Outcome{Reward: slices.Clone(o.Reward), Mean: slices.Clone(o.Mean)})
	s.arms = append(s.arms, arm)
	return nil
}

// TestYardsticks checks that a trial passes an OutcomeActor and OutcomeLearner the outcome of the current pull, also in
// rounds drawn at once, after burn-in and with a delay, so that the regret after burn-in is 0.
func TestYardsticks(t *testing.T) {
	for _, ahead := range []bool{false, true} {
		for _, delay := range []bandit.Delay{{}, {Kind: "fixed", Pulls: 3}} {
			const burnIn = 3
			s := &seer{}
			k := &sink{}
			env := &coins{r: stream.Root(1), ahead: ahead, left: 40}
			trial, err := bandit.NewTrial(env, s, bandit.Protocol{Rounds: 5, Pulls: 8, BurnIn: burnIn, Delay: delay},
				stream.Root(2), k)
			must.OK(t, err)
			must.OK(t, trial.Run(t.Context()))
			must.That(t, len(s.seen) == 40 && len(s.acted) == 0 && len(s.learned) == 0,
				"%d outcomes, %d acts, %d rewards, want 40, 0, 0", len(s.seen), len(s.acted), len(s.learned))
			for i, o := range s.seen[burnIn:] {
				if best := o.Mean[1] > o.Mean[0]; best != (s.arms[burnIn+i] == 1) {
					t.Fatalf("ahead %t: pull %d has arm %d of means %v", ahead, burnIn+i+1, s.arms[burnIn+i], o.Mean)
				}
			}
			for _, r := range k.records[1:] {
				must.Equal(t, "expected regret", r.Expected, 0)
			}
		}
	}
}

// chooser plays arm 1 and records each call in order: a for Act, l for Learn.
type chooser struct {
	player
	calls []byte
	arms  []int // arms that Learn was called with
}

func (c *chooser) Act(r bandit.Round) (int, error) {
	c.calls = append(c.calls, 'a')
	return 1, nil
}

func (c *chooser) Learn(r bandit.Round, arm int, reward float64) error {
	c.calls, c.arms = append(c.calls, 'l'), append(c.arms, arm)
	return nil
}

func choose(t *testing.T, p bandit.Protocol) *chooser {
	t.Helper()
	c := &chooser{player: player{arm: 1}}
	root := stream.Root(3)
	trial, err := bandit.NewTrial(&coins{r: root.Child("environment"), ahead: true, left: 100}, c, p, root.Child("burn-in"), &sink{})
	must.OK(t, err)
	must.OK(t, trial.Run(t.Context()))
	return c
}

// TestInitialPulls checks that initial pulls take the arms in turn, also across rounds, and that the rest of
// burn-in is random before the policy acts.
func TestInitialPulls(t *testing.T) {
	for _, sequential := range []bool{false, true} {
		c := choose(t, bandit.Protocol{Rounds: 4, Pulls: 4, Initial: 3, Sequential: sequential})
		must.Equal(t, "arms", c.arms, []int{0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1})
		with := choose(t, bandit.Protocol{Rounds: 4, Pulls: 4, BurnIn: 12, Initial: 1, Sequential: sequential})
		random := choose(t, bandit.Protocol{Rounds: 4, Pulls: 4, BurnIn: 10, Sequential: sequential})
		must.That(t, slices.Equal(with.arms[:2], []int{0, 1}) && slices.Equal(with.arms[2:12], random.arms[:10]),
			"arms %v, want 0 1 and then those of burn-in %v", with.arms, random.arms)
		// Burn-in has 12 pulls, including the initial ones, so the policy acts on the last 4 of 16.
		must.Equal(t, "the policy acts on pulls", bytes.Count(with.calls, []byte("a")), 4)
	}
}

func TestSequential(t *testing.T) {
	got := string(choose(t, bandit.Protocol{Rounds: 2, Pulls: 3, Sequential: true}).calls)
	must.That(t, got == "alalalalalal", "calls %s", got)
	if got := string(choose(t, bandit.Protocol{Rounds: 2, Pulls: 3}).calls); got != "aaalllaaalll" {
		t.Errorf("calls %s of a round at once", got)
	}
}

// TestShortLastRound checks the number of pulls if the last round is shorter, for pulls drawn one by one and a round at once.
func TestShortLastRound(t *testing.T) {
	for _, sequential := range []bool{false, true} {
		p := bandit.Protocol{Rounds: 3, Pulls: 4, Last: 1, Sequential: sequential}
		got := len(choose(t, p).arms)
		must.That(t, got == 9 && p.AllPulls() == 9 && p.PullsUntil(2) == 8, "%d pulls, %+v has %d, want 9", got, p, p.AllPulls())
	}
	must.That(t, (bandit.Protocol{Rounds: 3, Pulls: 4, Last: 5}).Validate() != nil,
		"a last round longer than the others is accepted")
}

// leaving has arms with rewards 0, 1, 2. Arm 2 leaves after pull 6, arm 0 arrives at pull 4. If none is set, arms 1 and 2 are absent.
type leaving struct{ none, nan bool }

func (leaving) Spec() bandit.Spec {
	return bandit.Spec{Dim: 1, Arms: []string{"zero", "one", "two"}, IgnoresActions: true, UniformRegret: math.NaN()}
}

func (l leaving) Next(r *bandit.Round, o *bandit.Outcome) error {
	r.Available = append(r.Available[:0], r.T >= 4, !l.none, r.T <= 6 && !l.none)
	copy(o.Mean, []float64{0, 1, 2})
	copy(o.Reward, o.Mean)
	if l.nan {
		r.Context[0] = float32(math.NaN())
	}
	return nil
}

// stubborn is a policy that always pulls the arm whose index is its value.
type stubborn int

func (s stubborn) Act(bandit.Round) (int, error)        { return int(s), nil }
func (stubborn) Learn(bandit.Round, int, float64) error { return nil }

func playPulls(t *testing.T, env leaving, p stubborn, protocol bandit.Protocol) ([]bandit.PullRecord, error) {
	t.Helper()
	trial, err := bandit.NewTrial(env, p, protocol, stream.Root(1).Child("burn-in"), nil)
	must.OK(t, err)
	var list []bandit.PullRecord
	trial.RecordPulls(func(r *bandit.PullRecord) error {
		list = append(list, *r)
		return nil
	})
	err = trial.Run(context.Background())
	return list, err
}

func TestArmsThatComeAndGo(t *testing.T) {
	list, err := playPulls(t, leaving{}, stubborn(1), bandit.Protocol{Rounds: 10, Pulls: 2, Initial: 1, BurnIn: 12})
	must.OK(t, err)
	for i, want := range []int{1, 1, 2} { // arm 0 is unavailable in pull 1, so the next one is pulled
		must.Equal(t, fmt.Sprintf("initial pull %d: arm", i+1), list[i].Arm, want)
	}
	for _, p := range list {
		best, there := 1.0, 2.0
		if p.T <= 6 {
			best = 2
		}
		if p.T >= 4 && p.T <= 6 {
			there = 3
		}
		must.That(t, p.Best == best && (p.Arm != 2 || p.T <= 6) && (p.Arm != 0 || p.T >= 4),
			"pull %d: arm %d with the best reward %g, want %g", p.T, p.Arm, p.Best, best)
		must.That(t, p.T <= 3 || p.T > 12 || p.Propensity == 1/there,
			"pull %d: propensity %g, want %g", p.T, p.Propensity, 1/there)
	}
}

func TestArmsThatCannotBePulled(t *testing.T) {
	for _, c := range []struct {
		env  leaving
		want string
	}{
		{leaving{}, "round 7: the policy chose arm 2, two, which cannot be pulled in pull 7: want one of Round.Available"},
		{leaving{nan: true}, "pull 1: element 0 of the context is NaN, want finite numbers from the environment"},
		{leaving{none: true}, "pull 1: none of the 3 arms can be pulled"},
	} {
		_, err := playPulls(t, c.env, stubborn(2), bandit.Protocol{Rounds: 10, Pulls: 1})
		must.That(t, err != nil && strings.Contains(err.Error(), c.want), "%v, want %q", err, c.want)
	}
}
