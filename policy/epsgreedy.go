package policy

import (
	"fmt"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// EpsGreedyOptions are the options of ε-greedy over a posterior with options O.
type EpsGreedyOptions[O any] struct {
	Epsilon   float64 `json:"epsilon"` // probability of an arm at random, 0 to 1
	Posterior O       `json:"posterior"`
}

// EpsGreedyKind declares ε-greedy over a posterior, under the posterior's name.
func EpsGreedyKind[O any](k posterior.Kind[O], epsilon float64) Kind[EpsGreedyOptions[O]] {
	return Kind[EpsGreedyOptions[O]]{
		Name: k.Name, Doc: "ε-greedy over " + k.Doc,
		Defaults: func() EpsGreedyOptions[O] {
			return EpsGreedyOptions[O]{Epsilon: epsilon, Posterior: k.Defaults()}
		},
		New: func(o EpsGreedyOptions[O], s Setup) (bandit.Policy, error) {
			if !(o.Epsilon >= 0 && o.Epsilon <= 1) {
				return nil, fmt.Errorf("epsilon: %g, want 0 to 1", o.Epsilon)
			}
			p, err := k.New(o.Posterior, s.Posterior())
			if err != nil {
				return nil, err
			}
			return NewEpsGreedy(p, o.Epsilon, len(s.Spec.Arms), s.Stream.Child("explore")), nil
		},
	}
}

// EpsGreedy pulls the arm with the highest mean reward that its posterior predicts or, with
// probability ε, an arm drawn uniformly.
type EpsGreedy struct {
	learner
	epsilon float64
	explore *stream.Stream
}

var (
	_ bandit.Policy     = (*EpsGreedy)(nil)
	_ bandit.BatchActor = (*EpsGreedy)(nil)
	_ bandit.RoundEnder = (*EpsGreedy)(nil)
	_ bandit.Diagnoser  = (*EpsGreedy)(nil)
)

// NewEpsGreedy returns the policy over a posterior for the given number of arms. It draws from the
// stream explore.
func NewEpsGreedy(p posterior.Posterior, epsilon float64, arms int, explore *stream.Stream) *EpsGreedy {
	return &EpsGreedy{learner: learner{posterior: p, arms: arms}, epsilon: epsilon, explore: explore}
}

// Act chooses an arm for one pull.
func (e *EpsGreedy) Act(r bandit.Round) (int, error) {
	var arm [1]int
	err := e.ActBatch(arm[:], []bandit.Round{r})
	return arm[0], err
}

// ActBatch chooses an arm for each of several pulls.
func (e *EpsGreedy) ActBatch(arms []int, rounds []bandit.Round) error {
	if err := e.best(arms, rounds, posterior.Mean); err != nil {
		return err
	}
	for i := range arms {
		// Both numbers are drawn every time, so that variants with another ε stay
		// in step.
		u, arm := e.explore.Float64(), e.explore.IntN(e.arms)
		if u < e.epsilon {
			arms[i] = arm
		}
	}
	return nil
}

// MarshalBinary saves the posterior and the stream. It returns an error if the posterior cannot be
// saved.
func (e *EpsGreedy) MarshalBinary() ([]byte, error) {
	var w state.Writer
	w.Object(&e.learner)
	w.Object(e.explore)
	return w.Bytes()
}

// UnmarshalBinary restores the state that MarshalBinary saved.
func (e *EpsGreedy) UnmarshalBinary(b []byte) error {
	r := state.NewReader(b)
	r.Object(&e.learner)
	r.Object(e.explore)
	return r.Close()
}
