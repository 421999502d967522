package policy

import (
	"banditsim/bandit"
	"banditsim/posterior"
)

// Thompson acts by the highest reward that its posterior predicts.
//
// With posterior.Draw every pull is acted on by one chain, drawn by weight:
// Thompson sampling proper. With posterior.Mean it is the weighted mean over the
// chains, which is what the paper's experiment does: there, exploration comes from the
// noise in the chains themselves.
type Thompson struct {
	learner
	how posterior.Predict
}

var (
	_ bandit.Policy     = (*Thompson)(nil)
	_ bandit.BatchActor = (*Thompson)(nil)
	_ bandit.RoundEnder = (*Thompson)(nil)
	_ bandit.Diagnoser  = (*Thompson)(nil)
)

// NewThompson returns the policy over a posterior for the given number of arms.
func NewThompson(p posterior.Posterior, how posterior.Predict, arms int) *Thompson {
	return &Thompson{learner: learner{posterior: p, arms: arms}, how: how}
}

// Act chooses an arm for one pull.
func (t *Thompson) Act(r bandit.Round) (int, error) {
	var arm [1]int
	err := t.ActBatch(arm[:], []bandit.Round{r})
	return arm[0], err
}

// ActBatch chooses an arm for each of several pulls.
func (t *Thompson) ActBatch(arms []int, rounds []bandit.Round) error {
	return t.best(arms, rounds, t.how)
}
