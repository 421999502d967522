package bandit_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/stream"
)

// leaving has three arms with the rewards 0, 1 and 2. Arm 2 is there up to pull 6, arm 0 from pull 4 on.
type leaving struct{ none bool }

func (leaving) Spec() bandit.Spec {
	return bandit.Spec{Dim: 1, Arms: []string{"zero", "one", "two"}, IgnoresActions: true, UniformRegret: math.NaN()}
}

func (l leaving) Next(r *bandit.Round, o *bandit.Outcome) error {
	r.Available = append(r.Available[:0], r.T >= 4, !l.none, r.T <= 6 && !l.none)
	copy(o.Mean, []float64{0, 1, 2})
	copy(o.Reward, o.Mean)
	return nil
}

// stubborn always pulls an arm.
type stubborn int

func (s stubborn) Act(bandit.Round) (int, error)        { return int(s), nil }
func (stubborn) Learn(bandit.Round, int, float64) error { return nil }

func playPulls(t *testing.T, env leaving, p stubborn, protocol bandit.Protocol) ([]bandit.PullRecord, error) {
	t.Helper()
	trial, err := bandit.NewTrial(env, p, protocol, stream.Root(1).Child("burn-in"), nil)
	if err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{1, 1, 2} { // arm 0 is not there in pull 1: the next takes its turn
		if list[i].Arm != want {
			t.Errorf("initial pull %d: arm %d, want %d", i+1, list[i].Arm, want)
		}
	}
	for _, p := range list {
		best, there := 1.0, 2.0
		if p.T <= 6 {
			best = 2
		}
		if p.T >= 4 && p.T <= 6 {
			there = 3
		}
		if p.Best != best || p.Arm == 2 && p.T > 6 || p.Arm == 0 && p.T < 4 {
			t.Errorf("pull %d: arm %d with the best reward %g, want %g", p.T, p.Arm, p.Best, best)
		}
		if p.T > 3 && p.T <= 12 && p.Propensity != 1/there {
			t.Errorf("pull %d: propensity %g, want %g", p.T, p.Propensity, 1/there)
		}
	}
}

func TestArmsThatCannotBePulled(t *testing.T) {
	for _, c := range []struct {
		env  leaving
		want string
	}{
		{leaving{}, "round 7: the policy chose arm 2, two, which cannot be pulled in pull 7"},
		{leaving{none: true}, "pull 1: none of the 3 arms can be pulled"},
	} {
		_, err := playPulls(t, c.env, stubborn(2), bandit.Protocol{Rounds: 10, Pulls: 1})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
