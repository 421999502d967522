package policy

import (
	"context"
	"testing"

	"banditsim/bandit"
	"banditsim/posterior"
)

func TestOracle(t *testing.T) {
	p := make3(t, OracleKind(), nil)
	arm, err := p.(bandit.OutcomeActor).ActOnOutcome(bandit.Round{}, bandit.Outcome{Reward: []float64{9, 0, 0}, Mean: []float64{1, 2, 2}})
	if arm != 1 || err != nil {
		t.Errorf("arm %d, %v, want 1, the lowest of the best means", arm, err)
	}
	if _, err := p.Act(bandit.Round{}); err == nil {
		t.Error("the oracle acts without an outcome")
	}
}

// averages predicts the mean reward of each arm so far.
type averages struct{ sum, n []float64 }

func (m averages) Observe(_ []float32, arm int, reward float64) error {
	m.sum[arm] += reward
	m.n[arm]++
	return nil
}
func (averages) Update(context.Context) error { return nil }
func (m averages) Predict(dst []float64, contexts [][]float32, _ posterior.Prediction) error {
	for i := range dst {
		arm := i % len(m.n)
		dst[i] = m.sum[arm] / max(m.n[arm], 1)
	}
	return nil
}

// TestSupervised: every arm's reward reaches the posterior, as the mean of each arm then shows.
func TestSupervised(t *testing.T) {
	k := posterior.Kind[struct{}]{Name: "means", Defaults: oracleKind.Defaults, New: func(struct{}, posterior.Setup) (posterior.Posterior, error) {
		return averages{make([]float64, 3), make([]float64, 3)}, nil
	}}
	p := make3(t, SupervisedKind(k), nil).(*supervised)
	for _, rewards := range [][]float64{{1, 2, 3}, {3, 2, 2}, {1, 2, 0}} {
		must(t, p.LearnOutcome(bandit.Round{Context: []float32{0, 0, 0}}, 0, bandit.Outcome{Reward: rewards}))
	}
	arm, err := p.Act(bandit.Round{Context: []float32{0, 0, 0}})
	if arm != 1 || err != nil {
		t.Errorf("arm %d, %v, want 1: its mean is 2, the others' 5/3", arm, err)
	}
	if p.Learn(bandit.Round{}, 0, 1) == nil {
		t.Error("the yardstick learns from one arm")
	}
}
