package policy

import (
	"testing"

	"banditsim/bandit"
	"banditsim/internal/must"
)

func TestOracle(t *testing.T) {
	p := make3(t, OracleKind(), nil)
	arm, err := p.(bandit.OutcomeActor).ActOnOutcome(bandit.Round{}, bandit.Outcome{Reward: []float64{9, 0, 0},
		Mean: []float64{1, 2, 2}})
	if arm != 1 || err != nil {
		t.Errorf("arm %d, %v, want 1, the lowest of the best means", arm, err)
	}
	if _, err := p.Act(bandit.Round{}); err == nil {
		t.Error("the oracle acts without an outcome")
	}
}

// TestSupervised: every arm's reward reaches the posterior, by which it acts.
func TestSupervised(t *testing.T) {
	p := make3(t, SupervisedKind(oracleKind), nil).(*supervised)
	for range 3 {
		must.OK(t, p.LearnOutcome(bandit.Round{Context: []float32{0, 0, 0}}, 0, bandit.Outcome{Reward: []float64{1, 2, 3}}))
	}
	arm, err := p.Act(bandit.Round{Context: []float32{0, 5, 0}})
	if got := p.posterior.(*oracle).observed; arm != 1 || got != 9 || err != nil {
		t.Errorf("arm %d after %d rewards, %v, want 1 after 9", arm, got, err)
	}
	if p.Learn(bandit.Round{}, 0, 1) == nil {
		t.Error("the yardstick learns from one arm")
	}
}
