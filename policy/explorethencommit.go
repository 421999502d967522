package policy

import (
	"banditsim/bandit"
	"banditsim/internal/check"
	"banditsim/posterior"
)

// ExploreThenCommitOptions are the options of ExploreThenCommit over a posterior with options O.
type ExploreThenCommitOptions[O any] struct {
	Explore   int   `json:"explore"`                                    // number of first pulls, burn-in included, in which arms are drawn uniformly; 0 to 10⁹
	KeepOn    bool  `json:"keep_on"`                                    // whether the posterior also learns from later pulls
	Model     Model `json:"model,omitzero" enum:"disjoint,shared,auto"` // disjoint: one output per arm; shared: one output for (context, arm)
	Posterior O     `json:"posterior"`
}

// ExploreThenCommitKind declares ExploreThenCommit over a posterior, under the posterior's name.
//
// ExploreThenCommit draws arms uniformly for a number of pulls, and then pulls the arm with the highest mean reward
// that its posterior predicts (Langford and Zhang, NIPS 2007: the epoch-greedy algorithm with one epoch). The posterior
// continues to train in later rounds, on the rewards of the uniform pulls or, if keep_on is true, of all pulls.
func ExploreThenCommitKind[O any](k posterior.Kind[O], explore int) Kind[ExploreThenCommitOptions[O]] {
	return Kind[ExploreThenCommitOptions[O]]{
		Name: k.Name, Doc: "explore then commit: arms at random, then the best one, by " + k.Doc + " (Langford and Zhang 2007)",
		Defaults: func() ExploreThenCommitOptions[O] {
			return ExploreThenCommitOptions[O]{Explore: explore, Posterior: k.Defaults()}
		},
		New: func(o ExploreThenCommitOptions[O], s Setup) (bandit.Policy, error) {
			uniformThenGreedy := func(p, _ []float64, t int) {
				if t > o.Explore {
					best, _ := argmax(p, nil)
					clear(p)
					p[best] = 1
					return
				}
				for i := range p {
					p[i] = 1 / float64(len(p))
				}
			}
			p, err := newSampled(s, o.Model, Covering{}, false, uniformThenGreedy, configure(k, o.Posterior),
				check.Within("explore", o.Explore, 0, 1e9))
			if err != nil {
				return nil, err
			}
			p.learns = func(t int) bool { return t <= o.Explore || o.KeepOn }
			return p, nil
		},
	}
}
