package exact

import (
	"cmp"
	"context"
	"fmt"

	"banditsim/internal/check"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// DPMMOptions are the options of DPMM.
type DPMMOptions struct {
	Concentration float64 `json:"concentration"`        // weight of a new cluster, in contexts; above 0
	Strength      float64 `json:"strength"`             // Dirichlet parameter of a value of a group before any context; above 0
	Sweep         int     `json:"sweep"`                // contexts that are assigned again at the end of a round, in turn
	Moves         int     `json:"moves"`                // clusters that are merged or split, if that is better, at the end of a round, in turn
	Laws          float64 `json:"laws"`                 // weight of a new law of rewards, in clusters; above 0
	Beta          float64 `json:"beta"`                 // Dirichlet parameter of a value of the rewards; above 0
	PoolValues    bool    `json:"pool_values,omitzero"` // whether an arm can give rewards that only other arms have given so far
	// Linear averages the mixture with a linear regression per arm, weighted by how well each has predicted rewards.
	Linear bool `json:"linear,omitzero"`
	// What rewards an arm can give, or with pool_values all arms together; not gaussian.
	Likelihood Likelihood `json:"likelihood,omitzero"`
}

// DPMM is a Dirichlet process mixture of contexts (Escobar and West, JASA 90, 1995). In a cluster the attributes of a
// context (posterior.Setup.Groups) are independent: a one-hot group is categorical, a number is normal. Each arm has
// several laws, categorical distributions over the values of its rewards, and in each cluster the arm's rewards follow
// one of them. Clusters share the laws, so a few rewards in a new cluster show which law holds there. The laws have a
// Dirichlet process prior too. docs/algorithms.md has the equations.
//
// Assignments are not drawn but set to the most probable cluster, one context at a time: when a context is first seen
// (the sequential search of Wang and Dunson, Journal of Computational and Graphical Statistics 20, 2011) and again at
// the end of rounds (a Gibbs sampler, MacEachern 1994, with the mode in place of the draw). Clusters are merged and
// split where that is more probable; Jain and Neal (Journal of Computational and Graphical Statistics 13, 2004) draw
// such moves. A context counts once in its cluster, however often it is seen.
//
// A context costs O(clusters · attributes), a reward O(values).
func DPMM() posterior.Kind[DPMMOptions] {
	return posterior.Kind[DPMMOptions]{
		Name: "DPMM", Doc: "Dirichlet process mixture of contexts; its clusters share laws of rewards",
		Defaults: func() DPMMOptions {
			return DPMMOptions{Concentration: 10, Strength: 0.02, Sweep: 100, Moves: 4, Laws: 10, Beta: 0.02, PoolValues: true}
		},
		New:    DPMMOptions.build,
		Claims: posterior.Claims{Rounds: 20, Spread: true},
	}
}

func (o DPMMOptions) build(setup posterior.Setup) (posterior.Posterior, error) {
	m, err := newMixture(setup.Dim, setup.Arms, setup.Groups, o.Concentration, o.Strength, laws{concentration: o.Laws, beta: o.Beta})
	if err := cmp.Or(
		check.Positive("concentration", o.Concentration), check.Positive("strength", o.Strength),
		check.Within("sweep", o.Sweep, 0, 1e6), check.Within("moves", o.Moves, 0, maxClusters),
		check.Positive("laws", o.Laws), check.Positive("beta", o.Beta),
		o.Likelihood.validate(false, "none: rewards are categorical in a law, and count as the nearest of 64 values"), err,
	); err != nil {
		return nil, fmt.Errorf("mixture: dpmm: %w", err)
	}
	for a := range m.arms {
		for _, v := range o.Likelihood.Values {
			m.arms[a].know(v)
		}
	}
	d := &dpmm{o: o, m: m}
	d.base = newBase(setup, lawful{d}, d.state)
	if o.Linear {
		return newBlend(d, setup)
	}
	return d, nil
}

// dpmm is the posterior that DPMM declares.
type dpmm struct {
	base
	o      DPMMOptions
	m      *mixture
	next   int     // the point that is assigned again next
	turn   int     // the cluster that was last tried for merging and splitting
	shares []share // clusters of the current context
}

// Observe adds the reward to the point of its context, which it adds to the mixture if it is new.
func (d *dpmm) Observe(context []float32, arm int, reward float64) error {
	if err := d.checkRow(context, arm, reward, check.Reward(reward)); err != nil {
		return err
	}
	m := d.m
	if err := cmp.Or(d.o.Likelihood.admit(m.arms[arm].first, arm, reward), m.read(context)); err != nil {
		return fmt.Errorf("mixture: observe: %w", err)
	}
	p := &m.points[m.meet()]
	if p.seen == nil {
		p.seen = make([]tallied, len(m.arms))
	}
	if d.o.PoolValues {
		for a := range m.arms {
			m.arms[a].know(reward)
		}
	}
	one := tallied{}
	one.add(m.arms[arm].index(reward), 1)
	p.seen[arm].add(len(one.count)-1, 1)
	c := &m.clusters[p.cluster]
	m.reward(c, arm, &one, 1)
	c.pulls++
	m.pulls++
	return nil
}

// Meet adds contexts to the mixture before they have rewards. Known contexts are left as they are.
func (d *dpmm) Meet(contexts [][]float32) error {
	for _, c := range contexts {
		if err := cmp.Or(check.Row(c, d.dim, 0, 1, 0), d.m.read(c)); err != nil {
			return fmt.Errorf("mixture: meet: %w", err)
		}
		d.m.meet()
	}
	return nil
}

// Update assigns some contexts again, tries to merge and split clusters, chooses all laws again, and updates the prior of
// the attributes.
func (d *dpmm) Update(ctx context.Context) error {
	m := d.m
	for range min(d.o.Sweep, len(m.points)) {
		i := d.next % len(m.points)
		d.next = i + 1
		m.load(i)
		m.move(&m.points[i], -1)
		m.assign(i)
	}
	for range min(d.o.Moves, len(m.clusters)) {
		d.turn = (d.turn + 1) % len(m.clusters)
		if c := &m.clusters[d.turn]; c.n > 0 && 64*max(c.n-c.tried, c.tried-c.n) > c.n {
			c.tried = c.n
			if !m.merge(d.turn) {
				m.split(d.turn)
			}
		}
	}
	for a := range m.arms {
		w := &m.arms[a]
		for k := range m.clusters {
			c := &m.clusters[k]
			if l := c.law[a]; l >= 0 && len(w.first) > 1 {
				w.drop(l, &c.seen[a])
				c.law[a] = w.choose(&c.seen[a])
			}
		}
	}
	m.version++
	if len(m.points) > 0 {
		m.learnPrior(d.o.Strength)
	}
	return ctx.Err()
}

func (d *dpmm) state(c *state.Codec) {
	c.Object(d.rand)
	d.m.state(c)
	c.Int("the next context of the sweep", &d.next, 0, len(d.m.points))
	c.Int("the cluster that was tried for merging", &d.turn, 0, len(d.m.clusters))
}
