package policy

import (
	"errors"

	"banditsim/bandit"
	"banditsim/posterior"
)

// SupervisedOptions are the options of Supervised over a posterior with options O.
type SupervisedOptions[O any] struct {
	Model     Model `json:"model,omitzero" enum:"disjoint,shared,auto"` // disjoint: one output per arm; shared: one output for (context, arm)
	Posterior O     `json:"posterior"`
}

// SupervisedKind declares Supervised over a posterior, under the posterior's name.
//
// Supervised pulls the arm with the highest mean reward that its posterior predicts, and learns the rewards of all arms
// that could be pulled, so none of its regret is due to a lack of exploration. It is a yardstick, not a policy. It
// learns rewards without delay, even if the protocol has delays.
func SupervisedKind[O any](k posterior.Kind[O]) Kind[SupervisedOptions[O]] {
	return Kind[SupervisedOptions[O]]{
		Name: k.Name, Doc: "yardstick: learns from the rewards of all arms, by " + k.Doc,
		Defaults: func() SupervisedOptions[O] { return SupervisedOptions[O]{Posterior: k.Defaults()} },
		New: func(o SupervisedOptions[O], s Setup) (bandit.Policy, error) {
			l, err := configure(k, o.Posterior).learner(s, o.Model, Covering{})
			if err != nil {
				return nil, err
			}
			return &supervised{greedy{learner: l, how: posterior.Mean}}, nil
		},
	}
}

// supervised is the policy of SupervisedKind.
type supervised struct{ greedy }

// LearnOutcome adds the rewards of all arms that could be pulled to the data of the posterior.
func (s *supervised) LearnOutcome(r bandit.Round, _ int, o bandit.Outcome) error {
	for arm, reward := range o.Reward {
		if !r.CanPull(arm) {
			continue
		}
		if err := s.learner.Learn(r, arm, reward); err != nil {
			return err
		}
	}
	return nil
}

func (s *supervised) Learn(bandit.Round, int, float64) error {
	return errors.New("policy: the supervised yardstick learns from outcomes (bandit.OutcomeLearner), which only a bandit.Trial has")
}
