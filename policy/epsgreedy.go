package policy

import (
	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/check"
	"banditsim/internal/kernel"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// EpsGreedyOptions are the options of ε-greedy over a posterior with options O.
type EpsGreedyOptions[O any] struct {
	Epsilon     float64 `json:"epsilon"`                                    // probability ε₁ with which the arm is drawn at random in the first pull, 0 to 1
	Harmonic    float64 `json:"harmonic,omitzero"`                          // rate h of a decay of ε to ε₁/(1 + h(t−1)) in pull t; 0: no decay
	Exponential float64 `json:"exponential,omitzero"`                       // rate e of a decay of ε to ε₁·exp(−e(t−1)) in pull t; 0: no decay
	Floor       float64 `json:"floor,omitzero"`                             // ε does not decay below this, 0 to epsilon
	Model       Model   `json:"model,omitzero" enum:"disjoint,shared,auto"` // disjoint: one output per arm; shared: one output for (context, arm)
	Covering
	Posterior O `json:"posterior"`
}

// EpsGreedyKind declares ε-greedy over a posterior, under the posterior's name.
//
// EpsGreedy pulls the arm with the highest mean reward that its posterior predicts or, with
// probability ε, an arm drawn uniformly (Sutton and Barto, Reinforcement Learning, 2018, section 2.2;
// decays: Auer, Cesa-Bianchi and Fischer, Machine Learning 47, 2002, figure 3).
func EpsGreedyKind[O any](k posterior.Kind[O], epsilon float64) Kind[EpsGreedyOptions[O]] {
	return Kind[EpsGreedyOptions[O]]{
		Name: k.Name, Doc: "ε-greedy over " + k.Doc,
		Defaults: func() EpsGreedyOptions[O] {
			return EpsGreedyOptions[O]{Epsilon: epsilon, Posterior: k.Defaults()}
		},
		New: func(o EpsGreedyOptions[O], s Setup) (bandit.Policy, error) {
			return newEpsGreedy(s, decay{o.Epsilon, o.Harmonic, o.Exponential, o.Floor}, o.Model, o.Covering, configure(k, o.Posterior))
		},
	}
}

func newEpsGreedy(s Setup, d decay, model Model, cover Covering, c configured) (bandit.Policy, error) {
	l, err := c.learner(s, model, cover,
		check.That(d.epsilon >= 0 && d.epsilon <= 1, "epsilon: %g, want 0 to 1", d.epsilon),
		check.That(d.floor >= 0 && d.floor <= d.epsilon, "floor: %g, want 0 to epsilon, %g", d.floor, d.epsilon),
		check.NotNegative("harmonic", d.harmonic), check.NotNegative("exponential", d.exponential))
	if err != nil {
		return nil, err
	}
	e := &epsGreedy{greedy: greedy{learner: l, how: posterior.Mean}, decay: d, explore: s.Stream.Child("explore")}
	e.Fields = func(c *state.Codec) {
		c.Object(e.learner)
		c.Object(e.explore)
	}
	return e, nil
}

// epsGreedy is the policy of EpsGreedyKind.
type epsGreedy struct {
	greedy // chooses by the posterior mean
	state.Fields
	decay   decay
	explore *stream.Stream
}

// decay defines ε as a function of the number of the pull.
type decay struct{ epsilon, harmonic, exponential, floor float64 }

// at returns ε of pull t: max(floor, ε₁·exp(−e(t−1))/(1 + h(t−1))).
func (d decay) at(t int) float64 {
	n := float64(t - 1)
	return max(d.floor, d.epsilon*kernel.Exp(-d.exponential*n)/(1+float64(d.harmonic*n)))
}

func (e *epsGreedy) Act(r bandit.Round) (int, error) { return actOne(e, r) }

func (e *epsGreedy) ActBatch(arms []int, rounds []bandit.Round) error {
	if err := e.greedy.ActBatch(arms, rounds); err != nil {
		return err
	}
	for i, r := range rounds {
		e.pullable = r.Pullable(e.pullable[:0], e.arms)
		// Both numbers are drawn in every pull, so that variants with another ε draw the same numbers.
		u, k := e.explore.Float64(), e.explore.IntN(len(e.pullable))
		if u < e.decay.at(r.T) {
			arms[i] = e.pullable[k]
		}
	}
	return nil
}

// Propensities writes ε/K for each of the K arms that can be pulled, plus 1−ε for the arm that e.greedy chooses.
func (e *epsGreedy) Propensities(dst []float64, r bandit.Round) error {
	arm, err := actOne(&e.greedy, r)
	if err != nil {
		return err
	}
	clear(dst)
	dst[arm] = 1
	mixUniform(dst, e.decay.at(r.T), r, e.pullable)
	return nil
}
