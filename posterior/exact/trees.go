package exact

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"banditsim/bandit/stream"
	"banditsim/internal/check"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// TreesOptions are the options of Trees.
type TreesOptions struct {
	Models int     `json:"models"` // number of trees per arm, 1 to 1,000
	Leaf   int     `json:"leaf"`   // least number of rewards in a leaf, each counted as often as its weight says
	Depth  int     `json:"depth"`  // maximum number of splits above a leaf
	Bins   int     `json:"bins"`   // maximum number of bins of a column, 2 to 256; trees split between bins
	Growth float64 `json:"growth"` // trees are refitted when their arm's number of rewards has grown by this factor; at least 1
	Prior  float64 `json:"prior"`  // mean weight of each pseudo-reward of a leaf, in rewards; 0: none
	// Which rewards any of the arms can give. With a likelihood, prior is the exact weight, not its mean, and above 0.
	Likelihood Likelihood `json:"likelihood,omitzero"`
}

// Trees is the bootstrap of decision trees, one forest per arm (TreeBootstrap: Elmachtoub, McNellis, Oh and Petrik, A
// practical method for solving contextual bandit problems using decision trees, UAI 2017). A draw takes the trees of
// all arms with one random index, so Thompson sampling pulls an arm with a probability of about the share of bootstrap
// samples whose trees prefer it.
//
// The paper draws a bootstrap sample and fits a tree in every pull. Here the samples are online: the weight of a reward
// in each tree is drawn from the Poisson distribution with mean 1, and trees are fitted anew at the end of rounds. Each
// leaf has pseudo-rewards, the lowest and the highest reward of all arms so far, with random weights; the paper gives
// each arm one success and one failure. With a likelihood each leaf has a posterior of its mean reward instead.
// docs/algorithms.md has the equations.
//
// A fit costs O(models · rewards · columns · depth), and all fits together cost growth/(growth − 1) times as much as
// the last. A prediction costs O(models · depth).
func Trees() posterior.Kind[TreesOptions] {
	return posterior.Kind[TreesOptions]{
		Name: "TreeBootstrap", Doc: "online bootstrap of decision trees, 10 for each arm (Elmachtoub et al. 2017)",
		Defaults: func() TreesOptions {
			return TreesOptions{Models: 10, Leaf: 1, Depth: 12, Bins: 32, Growth: 1.25, Prior: 1}
		},
		New:    TreesOptions.build,
		Claims: posterior.Claims{Rounds: 1}, // no Spread: trees do not split where there are no data
		Draws:  true,
	}
}

func (o TreesOptions) build(setup posterior.Setup) (posterior.Posterior, error) {
	if err := cmp.Or(
		check.Within("models", o.Models, 1, 1000), check.Within("leaf", o.Leaf, 1, 1e6), check.Within("depth", o.Depth, 0, 100),
		check.Within("bins", o.Bins, 2, 256), check.NotNegative("prior", o.Prior), check.Finite("growth", o.Growth),
		o.Likelihood.validate(false, ""), check.That(o.Growth >= 1, "growth: %g, want at least 1", o.Growth),
		// with the prior 0, a leaf without rewards would have no posterior
		check.That(o.Prior > 0 || o.Likelihood.Kind == "", "prior: 0, want a number above 0 with a likelihood"),
	); err != nil {
		return nil, fmt.Errorf("exact: trees: %w", err)
	}
	t := &trees{pool: pool{o: o, values: slices.Clone(o.Likelihood.Values)}, counts: setup.Stream.Child("bootstrap")}
	t.base = newBase(setup, t, t.state, t.learn)
	for arm := range setup.Arms {
		f := &forest{history: history{dim: setup.Dim}, counts: make([][]uint8, o.Models), prior: setup.Stream.Child("prior", arm)}
		t.fit(f, 0)
		t.forests = append(t.forests, f)
	}
	return t, nil
}

// trees is the posterior that Trees declares.
type trees struct {
	base
	pool
	forests []*forest
	counts  *stream.Stream // draws the weights of rewards
	now     []float32      // the current context
	drawn   int            // index of the drawn tree in every forest
}

// A forest holds the trees of an arm.
type forest struct {
	history
	counts [][]uint8 // by tree, the weight of each reward
	fitted int       // number of rewards that the trees were fitted to
	trees  []tree
	prior  *stream.Stream // its children draw the weights of the pseudo-rewards
}

// fit fits the trees to the first n rewards. It then adds the later rewards to the leaves or, with a likelihood, all.
func (t *trees) fit(f *forest, n int) {
	part := f.history
	part.rewards = part.rewards[:n]
	rows := newFitting(t.o, &part)
	f.trees, f.fitted = nil, n
	for m, counts := range f.counts {
		f.trees = append(f.trees, rows.fit(counts[:n], f.prior.Child(n, m)))
	}
	if t.o.Likelihood.Kind != "" {
		n = 0 // the posterior of a leaf counts each reward once
	}
	for i := n; i < len(f.rewards); i++ {
		t.toLeaves(f, i)
	}
}

// toLeaves adds reward i to its leaf in each tree.
func (t *trees) toLeaves(f *forest, i int) {
	for m := range f.trees {
		v, w := f.trees[m].leaf(f.row(i)), float64(f.counts[m][i])
		if v.rewards != nil {
			v.rewards.add(&t.pool, f.rewards[i])
			continue
		}
		v.n += w
		v.sum += float64(w * f.rewards[i])
	}
}

// learn adds the reward to the arm's trees, with a weight drawn for each.
func (t *trees) learn(context []float32, arm int, reward float64) error {
	if err := cmp.Or(check.Reward(reward), t.o.Likelihood.admit(t.values, arm, reward)); err != nil {
		return err
	}
	t.add(reward)
	f := t.forests[arm]
	f.add(context, reward)
	for m := range f.counts {
		f.counts[m] = append(f.counts[m], uint8(t.counts.Poisson()))
	}
	t.toLeaves(f, len(f.rewards)-1)
	return nil
}

// Update refits the trees of each arm that has new rewards and at least Growth times as many as at its last fit.
func (t *trees) Update(ctx context.Context) error {
	for _, f := range t.forests {
		if err := ctx.Err(); err != nil {
			return err
		}
		if n := len(f.rewards); n > f.fitted && float64(n) >= float64(t.o.Growth*float64(f.fitted)) {
			t.fit(f, n)
		}
	}
	return ctx.Err()
}

func (t *trees) setContext(context []float32, how posterior.Prediction) error {
	t.now = context
	if how == posterior.Draw {
		t.drawn = t.rand.IntN(t.o.Models)
	}
	return nil
}

// DrawJoint draws one tree per arm, all with the same index. With a likelihood it draws the mean of each leaf once.
func (t *trees) DrawJoint(dst []float64, contexts [][]float32) error {
	leaves := map[*treeNode]float64{}
	t.drawn = t.rand.IntN(t.o.Models)
	return t.each(dst, contexts, posterior.Mean, func(_, arm int) float64 {
		v := t.leaf(arm, t.drawn)
		if _, ok := leaves[v]; !ok {
			leaves[v] = t.drawLeaf(v)
		}
		return leaves[v]
	})
}

// leaf returns the leaf of the current context in a tree of an arm.
func (t *trees) leaf(arm, tree int) *treeNode { return t.forests[arm].trees[tree].leaf(t.now) }

func (t *trees) draw(arm int) float64 { return t.drawLeaf(t.leaf(arm, t.drawn)) }

// drawLeaf draws a leaf's mean reward or, without a likelihood, returns the leaf's value.
func (t *trees) drawLeaf(v *treeNode) float64 {
	if v.rewards != nil {
		return v.rewards.draw(&t.pool, t.rand)
	}
	value, _ := v.moments(&t.pool)
	return value
}

// moments returns the mean and standard deviation of a draw, which is random in its tree and in the leaf's posterior.
func (t *trees) moments(arm int) (mean, sd float64) {
	within := 0.0 // mean of the leaves' variances
	mean, sd = momentsOf(t.o.Models, func(m int) float64 {
		mean, variance := t.leaf(arm, m).moments(&t.pool)
		within += variance / float64(t.o.Models)
		return mean
	})
	if within > 0 {
		sd = math.Sqrt(float64(sd*sd) + within)
	}
	return mean, sd
}

// state saves or restores the rewards, their weights, and the last fit's number of rewards. Restoring repeats that fit.
func (t *trees) state(c *state.Codec) {
	c.Object(t.counts)
	c.Object(t.rand)
	if c.Reading() {
		t.pool = pool{o: t.o}
	}
	if t.o.Likelihood.discrete() {
		t.values = state.Resize(c, "values", t.values, maxValues)
		c.Float64s(t.values)
	}
	for _, f := range t.forests {
		f.state(c)
		c.Object(f.prior)
		fitted := c.Len("fitted rewards", f.fitted, len(f.rewards))
		for m := range f.counts {
			c.Blob(&f.counts[m])
			if len(f.counts[m]) != len(f.rewards) {
				c.Fail(fmt.Errorf("exact: trees: %d counts of %d rewards", len(f.counts[m]), len(f.rewards)))
			}
		}
		if !c.Reading() || c.Err() != nil {
			continue
		}
		for _, reward := range f.rewards {
			t.add(reward)
		}
		t.fit(f, fitted)
	}
}
