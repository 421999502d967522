package policy

import (
	"banditsim/bandit"
	"banditsim/internal/check"
	"banditsim/posterior"
)

// ThompsonOptions are the options of Thompson sampling over a posterior with options O.
type ThompsonOptions[O any] struct {
	// Act is "mean" (the posterior mean; over chains, that of their current draws) or "sample" (one draw per pull).
	Act   string `json:"act" enum:"mean,sample"`
	Model Model  `json:"model,omitzero" enum:"disjoint,shared,auto"` // disjoint: one output per arm; shared: one output for (context, arm)
	Covering
	Posterior O `json:"posterior"`
}

// ThompsonKind declares Thompson sampling over a posterior, under the posterior's name.
//
// Thompson pulls the arm with the highest reward that its posterior predicts.
//
// If act is mean, the prediction is the posterior mean. Over chains it is the mean of their current draws, weighted if
// the posterior weights its chains. The experiment of Deng et al. (ICLR 2022, ICSGLD) acts in this way, and explores
// through the noise that is left in the mean of a few draws. If act is sample, the prediction is one draw for each
// pull; over chains, it is that of one chain, drawn by weight. This is Thompson sampling as it is usually defined.
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
			l, err := configure(k, o.Posterior).learner(s, o.Model, o.Covering, check.OneOf("act", o.Act, "mean", "sample"))
			how := map[string]posterior.Prediction{"mean": posterior.Mean, "sample": posterior.Draw}[o.Act]
			return &greedy{learner: l, how: how}, err
		},
	}
}

// SamplingKind is ThompsonKind with act sample by default.
func SamplingKind[O any](k posterior.Kind[O]) Kind[ThompsonOptions[O]] {
	k.Draws = true
	return ThompsonKind(k)
}

// NewThompson returns the policy over a posterior for the given number of arms.
func NewThompson(p posterior.Posterior, how posterior.Prediction, arms int) bandit.Policy {
	return &greedy{learner: newLearner(p, arms), how: how}
}

// greedy pulls the arm with the highest value: the posterior's prediction or, for UCB, the mean plus α standard
// deviations. It is the policy of ThompsonKind and UCBKind, and part of others.
type greedy struct {
	*learner
	how   posterior.Prediction
	alpha float64
}

func (g *greedy) Act(r bandit.Round) (int, error) { return actOne(g, r) }

// ActBatch chooses in each round the arm whose pull is forced, else the first arm with the highest value.
func (g *greedy) ActBatch(arms []int, rounds []bandit.Round) error {
	values, err := g.predict(rounds, g.how)
	if err != nil {
		return err
	}
	if err := g.setSpread(); err != nil {
		return err
	}
	for i, s := range g.spread {
		values[i] += float64(g.alpha * s)
	}
	for i := range arms {
		if arms[i], err = argmax(values[i*g.arms:(i+1)*g.arms], rounds[i].Available); err != nil {
			return err
		}
	}
	return g.seek(arms, rounds)
}
