package bandit_test

import (
	"slices"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/must"
)

// seer is a yardstick of both kinds.
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

// TestYardsticks: a trial gives a yardstick the outcome of the pull at hand, also in rounds drawn ahead,
// after burn-in and with a delay. Its regret is then 0.
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
			if len(s.seen) != 40 || len(s.acted) != 0 || len(s.learned) != 0 {
				t.Errorf("%d outcomes, %d acts, %d rewards, want 40, 0, 0", len(s.seen), len(s.acted), len(s.learned))
			}
			for i, o := range s.seen[burnIn:] {
				if best := o.Mean[1] > o.Mean[0]; best != (s.arms[burnIn+i] == 1) {
					t.Fatalf("ahead %t: pull %d has arm %d of means %v", ahead, burnIn+i+1, s.arms[burnIn+i], o.Mean)
				}
			}
			for _, r := range k.records[1:] {
				if r.Expected != 0 {
					t.Errorf("expected regret %g, want 0", r.Expected)
				}
			}
		}
	}
}
