package bandit_test

import (
	"bytes"
	"slices"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/must"
)

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

// Initial pulls take the arms in turn, also across rounds; then come the random ones that are left of
// burn-in, then the policy.
func TestInitialPulls(t *testing.T) {
	for _, sequential := range []bool{false, true} {
		c := choose(t, bandit.Protocol{Rounds: 4, Pulls: 4, Initial: 3, Sequential: sequential})
		if want := []int{0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}; !slices.Equal(c.arms, want) {
			t.Errorf("arms %v, want %v", c.arms, want)
		}
		with := choose(t, bandit.Protocol{Rounds: 4, Pulls: 4, BurnIn: 12, Initial: 1, Sequential: sequential})
		random := choose(t, bandit.Protocol{Rounds: 4, Pulls: 4, BurnIn: 10, Sequential: sequential})
		if !slices.Equal(with.arms[:2], []int{0, 1}) || !slices.Equal(with.arms[2:12], random.arms[:10]) {
			t.Errorf("arms %v, want 0 1 and then those of burn-in %v", with.arms, random.arms)
		}
		// Burn-in has 12 pulls with the initial ones: the policy acts on the other 4.
		if acts := bytes.Count(with.calls, []byte("a")); acts != 4 {
			t.Errorf("the policy acts on %d pulls, want 4", acts)
		}
	}
}

func TestSequential(t *testing.T) {
	if got := string(choose(t, bandit.Protocol{Rounds: 2, Pulls: 3, Sequential: true}).calls); got != "alalalalalal" {
		t.Errorf("calls %s", got)
	}
	if got := string(choose(t, bandit.Protocol{Rounds: 2, Pulls: 3}).calls); got != "aaalllaaalll" {
		t.Errorf("calls %s of a round at once", got)
	}
}

// The last round may be shorter, however pulls are drawn: the policy meets each pull once, and round records add up.
func TestShortLastRound(t *testing.T) {
	for _, sequential := range []bool{false, true} {
		p := bandit.Protocol{Rounds: 3, Pulls: 4, Last: 1, Sequential: sequential}
		if got := len(choose(t, p).arms); got != 9 || p.AllPulls() != 9 || p.PullsUntil(2) != 8 {
			t.Errorf("%d pulls, %+v has %d, want 9", got, p, p.AllPulls())
		}
	}
	if err := (bandit.Protocol{Rounds: 3, Pulls: 4, Last: 5}).Validate(); err == nil {
		t.Error("a last round longer than the others is accepted")
	}
}
