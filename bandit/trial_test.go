package bandit_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/must"
)

// coins is an environment of two arms: 0 has reward 0, 1 has +1 or −2 with probability ½ each in odd
// contexts (mean −½) and +3 in even ones.
type coins struct {
	r     *stream.Stream
	ahead bool
	left  int // pulls until the data end
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

// player always plays and records its calls.
type player struct {
	arm     int
	acted   []int     // numbers of the pulls it acted on
	learned []float64 // rewards
	rounds  []int
}

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

// TestRegretOfAKnownGame recomputes the record of always playing from the numbers of the environment.
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
		if !reflect.DeepEqual(got, want) {
			t.Errorf("round %d:\n got %+v\nwant %+v", i+1, got, want)
		}
	}
	if len(p.learned) != 150 || len(p.rounds) != 3 {
		t.Errorf("received %d rewards and %d rounds, want 150 and 3", len(p.learned), len(p.rounds))
	}
}

// TestDrawingAheadChangesNothing compares rounds drawn at once with rounds drawn pull by pull.
func TestDrawingAheadChangesNothing(t *testing.T) {
	protocol := bandit.Protocol{Rounds: 5, Pulls: 7, BurnIn: 10}
	a := play(t, &player{arm: 1}, protocol, true)
	b := play(t, &player{arm: 1}, protocol, false)
	if !reflect.DeepEqual(a, b) {
		t.Errorf("ahead\n%+v\none by one\n%+v", a, b)
	}
}

// TestBurnIn checks that the first pulls are not chosen by the policy, are the same for every policy,
// use all arms, and are learned from.
func TestBurnIn(t *testing.T) {
	protocol := bandit.Protocol{Rounds: 4, Pulls: 25, BurnIn: 60}
	never, always := &player{arm: 0}, &player{arm: 1}
	a, b := play(t, never, protocol, true), play(t, always, protocol, true)
	if !reflect.DeepEqual(a[:2], b[:2]) {
		t.Error("two policies burn in differently")
	}
	if a[0].Arms[0] == 0 || a[0].Arms[1] == 0 {
		t.Errorf("burn-in pulled the arms %v times, want some of each", a[0].Arms)
	}
	if len(always.acted) != 40 || always.acted[0] != 61 {
		t.Errorf("acted on pulls %v, want 61 to 100", always.acted)
	}
	if len(always.learned) != 100 {
		t.Errorf("learned from %d pulls, want all 100", len(always.learned))
	}
	if reflect.DeepEqual(a[2], b[2]) {
		t.Error("after burn-in two different policies do the same")
	}
}

func TestAfterBurnIn(t *testing.T) {
	// The paper: burn-in ends within round 52; the authors' loop; at the end of a round; others.
	for _, c := range []struct{ pulls, burnIn, want int }{{20, 1024, 53}, {20, 1023, 53}, {20, 1020, 52}, {20, 1, 2},
		{20, 0, 1}, {1, 3, 4}} {
		if got := (bandit.Protocol{Rounds: 1, Pulls: c.pulls, BurnIn: c.burnIn}).AfterBurnIn(); got != c.want {
			t.Errorf("burn-in of %d in rounds of %d: %d, want %d", c.burnIn, c.pulls, got, c.want)
		}
	}
}

// broken fails as its fields say.
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
		{"end", &broken{act: fmt.Errorf("read: %w", io.EOF)}, &sink{}, -1, "bandit: round 1: read: EOF"}, // not the end of the trial
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
	if err := over.Round(t.Context()); err == nil {
		t.Fatal("no error")
	}
	must.Refuse(over.MarshalBinary())(t, "round 1 ended with an error")
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	stopped := build(savedCoins{coins: env}, savedPlayer{broken: &broken{}})
	if err := stopped.Round(canceled); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if _, err := stopped.MarshalBinary(); err != nil {
		t.Errorf("stopped between two rounds: %v", err)
	}
	if err := stopped.UnmarshalBinary([]byte("nonsense")); err == nil {
		t.Error("nonsense is restored")
	}
	if _, err := stopped.MarshalBinary(); err == nil {
		t.Error("a trial of which nothing is certain is saved")
	}
}

func TestNewTrialRefusesBadProtocols(t *testing.T) {
	for _, p := range []bandit.Protocol{
		{Rounds: 0, Pulls: 1}, {Rounds: 1, Pulls: 0}, {Rounds: -1, Pulls: 1}, {Rounds: 1, Pulls: 1, BurnIn: -1},
		// Too many to count, or to hold in memory.
		{Rounds: math.MaxInt, Pulls: 1}, {Rounds: 1, Pulls: 1e6}, {Rounds: 1, Pulls: 1, BurnIn: math.MaxInt},
	} {
		if _, err := bandit.NewTrial(&coins{}, &player{}, p, stream.Root(1), &sink{}); err == nil {
			t.Errorf("%+v: no error", p)
		}
	}
}
