package policy

import (
	"fmt"

	"banditsim/bandit"
	"banditsim/bandit/diagnostics"
	"banditsim/posterior"
)

// ThompsonOptions are the options of Thompson sampling over a posterior with options O.
type ThompsonOptions[O any] struct {
	// Act is "mean" (the mean of the chains' current draws, as the paper acts) or "sample"
	// (one draw for each pull).
	Act   string `json:"act" enum:"mean,sample"`
	Model Model  `json:"model,omitzero" enum:"disjoint,shared,auto"` // outputs for each arm, or one of (context, arm)
	Covering
	Posterior O `json:"posterior"`
}

// ThompsonKind declares Thompson sampling over a posterior, under the posterior's name.
//
// Thompson pulls the arm with the highest reward that its posterior predicts.
//
// With posterior.Mean the prediction is the mean of the chains' current draws, weighted where
// the posterior weights its chains. The paper's experiment acts so; it explores by the noise
// that the mean of a few draws keeps. With posterior.Draw the prediction is one draw for each
// pull, from a chain drawn by weight: Thompson sampling as it is usually defined.
func ThompsonKind[O any](k posterior.Kind[O]) Kind[ThompsonOptions[O]] {
	return Kind[ThompsonOptions[O]]{
		Name: k.Name, Doc: k.Doc,
		Defaults: func() ThompsonOptions[O] {
			act := "mean"
			if k.Draws {
				act = "sample"
			}
			return ThompsonOptions[O]{Act: act, Posterior: k.Defaults()}
		},
		New: func(o ThompsonOptions[O], s Setup) (bandit.Policy, error) {
			return newThompson(s, o.Act, o.Model, o.Covering, configure(k, o.Posterior))
		},
	}
}

func newThompson(s Setup, act string, model Model, cover Covering, c configured) (bandit.Policy, error) {
	how, ok := map[string]posterior.Predict{"mean": posterior.Mean, "sample": posterior.Draw}[act]
	if !ok {
		return nil, fmt.Errorf("act: %q, want one of mean, sample", act)
	}
	l, err := newLearner(s, model, cover, c)
	if err != nil {
		return nil, err
	}
	return &thompson{l, how}, nil
}

// SamplingKind is ThompsonKind with draws by default.
func SamplingKind[O any](k posterior.Kind[O]) Kind[ThompsonOptions[O]] {
	k.Draws = true
	return ThompsonKind(k)
}

// thompson is the policy of ThompsonKind.
type thompson struct {
	learner
	how posterior.Predict
}

var (
	_ bandit.Policy        = (*thompson)(nil)
	_ bandit.BatchActor    = (*thompson)(nil)
	_ bandit.RoundEnder    = (*thompson)(nil)
	_ diagnostics.Reporter = (*thompson)(nil)
)

// NewThompson returns the policy over a posterior for the given number of arms.
func NewThompson(p posterior.Posterior, how posterior.Predict, arms int) bandit.Policy {
	return &thompson{learner: learner{posterior: p, arms: arms}, how: how}
}

// Act chooses an arm for one pull.
func (t *thompson) Act(r bandit.Round) (int, error) {
	var arm [1]int
	err := t.ActBatch(arm[:], []bandit.Round{r})
	return arm[0], err
}

// ActBatch chooses an arm for each of several pulls.
func (t *thompson) ActBatch(arms []int, rounds []bandit.Round) error {
	return t.best(arms, rounds, t.how)
}
