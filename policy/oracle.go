package policy

import (
	"errors"

	"banditsim/bandit"
	"banditsim/internal/state"
)

// OracleKind declares Oracle, which has no options.
//
// Oracle pulls the arm with the highest expected reward, the first one in a tie, so its expected regret is 0 after
// burn-in. It is a yardstick, not a policy: it sees the expected rewards, which the environment hides from policies.
func OracleKind() Kind[struct{}] {
	return Kind[struct{}]{
		Name: "Oracle", Doc: "yardstick: the arm with the highest expected reward, which no policy can know",
		Defaults: func() struct{} { return struct{}{} },
		New: func(struct{}, Setup) (bandit.Policy, error) {
			return oraclePolicy{func(*state.Codec) {}}, nil // no state
		},
	}
}

type oraclePolicy struct{ state.Fields }

func (oraclePolicy) ActOnOutcome(r bandit.Round, o bandit.Outcome) (int, error) {
	return argmax(o.Mean, r.Available)
}

func (oraclePolicy) Act(bandit.Round) (int, error) {
	return 0, errors.New("policy: the oracle acts on outcomes (bandit.OutcomeActor), which only a bandit.Trial has")
}

func (oraclePolicy) Learn(bandit.Round, int, float64) error { return nil }
