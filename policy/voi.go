package policy

import (
	"context"
	"fmt"
	"math"
	"slices"

	"banditsim/bandit"
	"banditsim/internal/check"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// VOIOptions are the options of VOI over a posterior with options O.
type VOIOptions[O any] struct {
	// Tests is the number of pulls after which the value of an arm in a cluster of contexts is expected to be known. The
	// cost of a test is multiplied by it. Above 0.
	Tests     float64 `json:"tests"`
	Posterior O       `json:"posterior"`
}

// VOIKind declares VOI over a posterior, under the posterior's name.
//
// VOI weighs the cost of testing (pulling) an arm against the value of the result for the rest of the trial (Howard,
// Information value theory, IEEE Transactions on Systems Science and Cybernetics 2, 1966). Let v(a) be the value of arm
// a in the context, m(a) its posterior mean, m* the highest of these means, and N the number of pulls left times the
// share of the context's cluster in all pulls. Apart from the arm with mean m*, VOI pulls that with the highest
//
//	N·E[max(0, v(a) − m*)] − tests·(m* − m(a))
//
// if this is above 0. Otherwise it pulls the arm with mean m*. While the reward of a test is outstanding, the arm is
// not tested again in the same cluster.
func VOIKind[O any](k posterior.Kind[O]) Kind[VOIOptions[O]] {
	return Kind[VOIOptions[O]]{
		Name: k.Name, Doc: "value of information over " + k.Doc,
		Defaults: func() VOIOptions[O] { return VOIOptions[O]{Tests: 2, Posterior: k.Defaults()} },
		New: func(o VOIOptions[O], s Setup) (bandit.Policy, error) {
			l, err := configure(k, o.Posterior).learner(s, Disjoint, Covering{}, check.Positive("tests", o.Tests))
			if err != nil {
				return nil, err
			}
			clusterer, ok := l.posterior.(posterior.Clusterer)
			if !ok {
				return nil, fmt.Errorf("policy: VOI over %s: it has no clusters of contexts (posterior.Clusterer)", k.Name)
			}
			v := &voi{learner: l, clusterer: clusterer, tests: o.Tests, pulls: s.Protocol.AllPulls(), gain: make([]float64, l.arms)}
			v.Fields = v.state
			return v, nil
		},
	}
}

// voi is the policy of VOIKind.
type voi struct {
	*learner
	state.Fields
	clusterer posterior.Clusterer // the posterior
	tests     float64
	pulls     int // pulls of the whole trial
	pending   []test
	gain      []float64
	id        [1]int
	share     [1]float64
}

// A test is a pull that VOI has made for its information, and whose reward is not learned yet.
type test struct {
	t, arm, cluster int
	context         []float32
}

func (v *voi) Act(r bandit.Round) (int, error) {
	one := []bandit.Round{r}
	v.setContexts(one)
	if err := v.clusterer.Meet(v.contexts); err != nil {
		return 0, err
	}
	means, err := v.predict(one, posterior.Mean)
	if err != nil {
		return 0, err
	}
	best, err := argmax(means, r.Available)
	if err != nil {
		return 0, err
	}
	if err := v.clusterer.Clusters(v.id[:], v.share[:], v.contexts); err != nil {
		return 0, err
	}
	if err := v.clusterer.Improvement(v.gain, v.contexts, means[best:best+1]); err != nil {
		return 0, err
	}
	left := float64(max(0, v.pulls-r.T)) * v.share[0]
	arm, highest := best, 0.0
	for a, gain := range v.gain {
		if a == best || !r.CanPull(a) || left == 0 || v.tested(a) {
			continue
		}
		if worth := float64(left*gain) - float64(v.tests*(means[best]-means[a])); worth > highest {
			arm, highest = a, worth
		}
	}
	if arm != best || math.IsInf(v.gain[best], 1) {
		v.pending = append(v.pending, test{r.T, arm, v.id[0], slices.Clone(r.Context)})
	}
	return arm, nil
}

// tested reports whether a test of the arm in the current cluster is outstanding.
func (v *voi) tested(arm int) bool {
	return slices.ContainsFunc(v.pending, func(p test) bool { return p.arm == arm && p.cluster == v.id[0] })
}

// Learn adds the pull to the posterior's data and, if the pull is a test, removes it from the outstanding ones.
func (v *voi) Learn(r bandit.Round, arm int, reward float64) error {
	v.pending = slices.DeleteFunc(v.pending, func(p test) bool { return p.t == r.T })
	return v.learner.Learn(r, arm, reward)
}

// EndRound trains the posterior and updates the clusters of the outstanding tests, which training may have changed.
func (v *voi) EndRound(ctx context.Context, round int) error {
	if err := v.learner.EndRound(ctx, round); err != nil {
		return err
	}
	for i := range v.pending {
		p := &v.pending[i]
		if err := v.clusterer.Clusters(v.id[:], v.share[:], [][]float32{p.context}); err != nil {
			return err
		}
		p.cluster = v.id[0]
	}
	return nil
}

func (v *voi) state(c *state.Codec) {
	c.Object(v.learner)
	state.Slice(c, "tests", &v.pending, v.pulls, func(p *test) {
		c.Int("pull", &p.t, 0, math.MaxInt)
		c.Int("arm", &p.arm, 0, v.arms-1)
		c.Int("cluster", &p.cluster, -1, math.MaxInt)
		p.context = state.Resize(c, "length of a context", p.context, 1<<24)
		c.Float32s(p.context)
	})
}
