package policy

import (
	"errors"

	"banditsim/bandit"
)

// OracleKind declares Oracle, which has no options.
func OracleKind() Kind[struct{}] {
	return Kind[struct{}]{
		Name: "Oracle", Doc: "yardstick: the arm with the highest expected reward, which no policy can know",
		Defaults: func() struct{} { return struct{}{} },
		New:      func(struct{}, Setup) (bandit.Policy, error) { return Oracle{}, nil },
	}
}

// Oracle pulls the arm with the highest expected reward, the lowest of equals: its expected regret is 0
// after burn-in. It is a yardstick, not a policy: it sees the means that the environment keeps.
type Oracle struct{}

var (
	_ bandit.Policy       = Oracle{}
	_ bandit.OutcomeActor = Oracle{}
)

// ActOnOutcome returns the best arm.
func (Oracle) ActOnOutcome(_ bandit.Round, o bandit.Outcome) (int, error) { return argmax(o.Mean) }

// Act returns an error.
func (Oracle) Act(bandit.Round) (int, error) {
	return 0, errors.New("policy: the oracle acts on outcomes (bandit.OutcomeActor), which only a bandit.Trial has")
}

// Learn does nothing.
func (Oracle) Learn(bandit.Round, int, float64) error { return nil }

// MarshalBinary returns no bytes: there is no state.
func (Oracle) MarshalBinary() ([]byte, error) { return nil, nil }

// UnmarshalBinary returns an error if there are bytes.
func (Oracle) UnmarshalBinary(b []byte) error {
	if len(b) > 0 {
		return errors.New("policy: restore the oracle: it has no state")
	}
	return nil
}
