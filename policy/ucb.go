package policy

import (
	"banditsim/bandit"
	"banditsim/internal/check"
	"banditsim/posterior"
)

// UCBOptions are the options of UCB over a posterior with options O.
type UCBOptions[O any] struct {
	Alpha float64 `json:"alpha"`                                      // number of standard deviations added to the mean, α, at least 0
	Model Model   `json:"model,omitzero" enum:"disjoint,shared,auto"` // disjoint: one output per arm; shared: one output for (context, arm)
	Covering
	Posterior O `json:"posterior"`
}

// UCBKind declares UCB over a posterior, under the posterior's name.
//
// UCB pulls the arm with the highest mean(a) + α·spread(a), the posterior mean and standard deviation of the arm's
// value. Over posterior/exact.Linear with noise 1 it is LinUCB (Li, Chu, Langford and Schapire, WWW 2010, algorithm 1).
func UCBKind[O any](k posterior.Kind[O], alpha float64) Kind[UCBOptions[O]] {
	return Kind[UCBOptions[O]]{
		Name: k.Name, Doc: "upper confidence bounds over " + k.Doc,
		Defaults: func() UCBOptions[O] { return UCBOptions[O]{Alpha: alpha, Posterior: k.Defaults()} },
		New: func(o UCBOptions[O], s Setup) (bandit.Policy, error) {
			l, err := configure(k, o.Posterior).learner(s, o.Model, o.Covering, check.NotNegative("alpha", o.Alpha))
			if err != nil {
				return nil, err
			}
			return &greedy{learner: l, alpha: o.Alpha}, l.useSpread("UCB", k.Name)
		},
	}
}
