package exact

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"banditsim/bandit/stream"
	"banditsim/internal/check"
	"banditsim/internal/kernel"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// DPMMOptions are the options of DPMM.
type DPMMOptions struct {
	Concentration float64 `json:"concentration"`        // weight of a new cluster, in contexts; above 0
	Strength      float64 `json:"strength"`             // prior mode of a group's Dirichlet strength, per column; above 0
	Sweep         int     `json:"sweep"`                // number of contexts assigned anew at the end of a round, in turn
	Moves         int     `json:"moves"`                // number of clusters tried for merging and splitting at the end of a round, in turn
	Laws          float64 `json:"laws"`                 // weight of a new law (distribution of rewards), in clusters; above 0
	Beta          float64 `json:"beta"`                 // Dirichlet parameter of each value of rewards in a law; above 0
	PoolValues    bool    `json:"pool_values,omitzero"` // whether an arm can give rewards that only other arms have given so far
	// Linear averages the mixture and a linear regression per arm, weighted by how well each has predicted rewards.
	Linear bool `json:"linear,omitzero"`
	// Which rewards an arm can give; with pool_values, which rewards all arms together can give. Not gaussian.
	Likelihood Likelihood `json:"likelihood,omitzero"`
}

// DPMM is a Dirichlet process mixture of contexts (Escobar and West, JASA 90, 1995). In a cluster the attributes of a
// context are independent. An attribute is a one-hot group of columns (posterior.Setup.Groups), which is categorical,
// or a number, which is normal. Each arm has several laws, categorical distributions over the values of its rewards,
// and in each cluster the arm's rewards follow one of them. Clusters share the laws, so a few rewards in a new cluster
// show which law holds there. The laws have a Dirichlet process prior too. docs/algorithms.md has the equations.
//
// Assignments are not drawn but set to the most probable cluster, one context at a time. This happens when a context is
// first seen (the sequential search of Wang and Dunson, Journal of Computational and Graphical Statistics 20, 2011) and
// again at the end of rounds (the Gibbs sampler of MacEachern 1994, with the mode in place of the draw). Clusters are
// merged and split where that is more probable; Jain and Neal (Journal of Computational and Graphical Statistics 13,
// 2004) draw such moves. A context counts once in its cluster, however often it is seen.
//
// A context costs O(clusters · attributes), a reward O(values), and the choice of laws at the end of a round
// O(arms · clusters · laws · values).
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
		return nil, fmt.Errorf("exact: dpmm: %w", err)
	}
	for a := range m.arms {
		for _, v := range o.Likelihood.Values {
			m.arms[a].addValue(v)
		}
	}
	d := &dpmm{o: o, m: m}
	d.base = newBase(setup, d, d.state, d.learn)
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
	next   int     // index of the next point that Update assigns anew
	turn   int     // index of the cluster last tried for merging and splitting
	shares []share // clusters to which the current context may belong
}

// learn adds the reward to the point of its context. A context that is new is added to the mixture first.
func (d *dpmm) learn(context []float32, arm int, reward float64) error {
	m := d.m
	if err := cmp.Or(check.Reward(reward), d.o.Likelihood.admit(m.arms[arm].first, arm, reward), m.read(context)); err != nil {
		return err
	}
	p := m.meet()
	if p.seen == nil {
		p.seen = make([]valueCounts, len(m.arms))
	}
	if d.o.PoolValues {
		for a := range m.arms {
			m.arms[a].addValue(reward)
		}
	}
	one := valueCounts{}
	one.add(m.arms[arm].index(reward), 1)
	p.seen[arm].add(len(one.count)-1, 1)
	m.reward(&m.clusters[p.cluster], arm, &one, 1)
	return nil
}

// Meet adds contexts to the mixture before they have rewards. Known contexts are left as they are.
func (d *dpmm) Meet(contexts [][]float32) error {
	for _, c := range contexts {
		if err := cmp.Or(check.Row(c, d.dim, 0, 1, 0), d.m.read(c)); err != nil {
			return fmt.Errorf("exact: meet: %w", err)
		}
		d.m.meet()
	}
	return nil
}

// Update assigns the next contexts in turn anew. It then tries to merge or split the next clusters in turn, except
// those whose size has changed little since the last try. Finally it chooses the laws of all clusters anew, and updates
// the attributes' prior.
func (d *dpmm) Update(ctx context.Context) error {
	m := d.m
	for range min(d.o.Sweep, len(m.points)) {
		i := d.next % len(m.points)
		d.next = i + 1
		m.move(m.points[i], -1)
		m.assign(m.points[i])
	}
	for range min(d.o.Moves, len(m.clusters)) {
		d.turn = (d.turn + 1) % len(m.clusters)
		if c := &m.clusters[d.turn]; c.n > 0 && 64*max(c.n-c.tried, c.tried-c.n) > c.n {
			c.tried = c.n
			m.improve(d.turn)
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

// A share is the probability that a context belongs to a cluster.
type share struct {
	c        *cluster
	id       int     // index of the cluster; −1: a new one
	score, p float64 // mixture.score of the context, and the probability
}

// setContext sets d.shares to a context's possible clusters, the most probable first, and updates their beliefs.
func (d *dpmm) setContext(context []float32, _ posterior.Prediction) error {
	m := d.m
	if err := m.read(context); err != nil {
		return fmt.Errorf("exact: predict: %w", err)
	}
	if p := m.index[string(m.key)]; p != nil {
		id := int(p.cluster)
		d.shares = append(d.shares[:0], share{c: &m.clusters[id], id: id, p: 1})
	} else {
		d.weigh()
	}
	for _, s := range d.shares {
		if s.c.version == m.version {
			continue
		}
		for a := range s.c.beliefs {
			if m.arms[a].total > 0 {
				s.c.beliefs[a] = m.arms[a].believe(s.c.beliefs[a], &s.c.seen[a], s.c.law[a])
			}
		}
		s.c.version = m.version
	}
	return nil
}

// weigh sets d.shares for the current context, which must be new to the mixture.
func (d *dpmm) weigh() {
	m := d.m
	d.shares = append(d.shares[:0], share{c: &m.blank, id: -1, score: m.score(&m.blank, &m.now)})
	for k := range m.clusters {
		if c := &m.clusters[k]; c.n > 0 {
			d.shares = append(d.shares, share{c: c, id: k, score: m.score(c, &m.now)})
		}
	}
	slices.SortStableFunc(d.shares, func(a, b share) int { return cmp.Compare(b.score, a.score) })
	sum := 0.0
	for i := range d.shares {
		s := &d.shares[i]
		s.p = kernel.Exp(s.score - d.shares[0].score)
		if s.p < 1e-12 {
			d.shares = d.shares[:i]
			break
		}
		sum += s.p
	}
	for i := range d.shares {
		d.shares[i].p /= sum
	}
}

func (d *dpmm) moments(arm int) (mean, sd float64) {
	if d.m.arms[arm].total == 0 {
		return 0, 1
	}
	squares := 0.0
	for _, s := range d.shares {
		for _, b := range s.c.beliefs[arm] {
			w := s.p * b.weight
			mean += float64(w * b.mean)
			squares += float64(w * (float64(b.sd*b.sd) + float64(b.mean*b.mean)))
		}
	}
	return mean, math.Sqrt(max(0, squares-float64(mean*mean)))
}

// draw returns a draw of an arm's value: it draws a belief by its weight, and then a number from that belief's normal
// distribution. For an arm that was never pulled it returns a standard normal number.
func (d *dpmm) draw(arm int) float64 {
	u, z := d.rand.Float64(), d.rand.Normal()
	if d.m.arms[arm].total == 0 {
		return z
	}
	var last belief
	for _, s := range d.shares {
		for _, b := range s.c.beliefs[arm] {
			last = b
			if u -= float64(s.p * b.weight); u < 0 {
				return b.mean + float64(b.sd*z)
			}
		}
	}
	return last.mean + float64(last.sd*z)
}

// A choice identifies a random choice that DrawSamples makes once per sample: the cluster of a context, the law of an
// arm in a cluster, or the standard normal number z in the mean reward of a law, mean + sd·z. A new cluster belongs to
// one context only, and a new law to one cluster only.
type choice struct {
	kind    string // "cluster", "law" or "mean"
	context string // mixture.key of the context, if kind is "cluster" or the choice belongs to a new cluster; else ""
	cluster int    // −1: a new one
	law     int    // if kind is "mean", the index of the law in the arm's laws.list; the length of that list: a new law
	arm     int
}

// DrawSamples writes samples of the values. Each choice is drawn once per sample, for all values that depend on it.
func (d *dpmm) DrawSamples(dst []float64, contexts [][]float32) error {
	for sample := range slices.Chunk(dst, len(contexts)*d.arms) {
		if err := d.drawSample(sample, contexts); err != nil {
			return err
		}
	}
	return nil
}

func (d *dpmm) drawSample(dst []float64, contexts [][]float32) error {
	made := map[choice]float64{}
	once := func(c choice, draw func() float64) float64 {
		if _, ok := made[c]; !ok {
			made[c] = draw()
		}
		return made[c]
	}
	return d.each(dst, contexts, posterior.Mean, func(_, arm int) float64 {
		if d.m.arms[arm].total == 0 {
			return once(choice{kind: "mean", arm: arm}, d.rand.Normal)
		}
		key := string(d.m.key)
		u := once(choice{kind: "cluster", context: key}, d.rand.Float64)
		s := d.shares[stream.Choose(len(d.shares), u, func(i int) float64 { return d.shares[i].p })]
		own := choice{kind: "law", cluster: s.id, arm: arm}
		if s.id < 0 {
			own.context = key
		}
		beliefs := s.c.beliefs[arm]
		u = once(own, d.rand.Float64)
		b := beliefs[stream.Choose(len(beliefs), u, func(i int) float64 { return beliefs[i].weight })]
		mean := choice{kind: "mean", law: b.law, arm: arm}
		if b.law == len(d.m.arms[arm].list) {
			mean.context, mean.cluster = own.context, own.cluster
		}
		return b.mean + float64(b.sd*once(mean, d.rand.Normal))
	})
}

// Improvement writes E[max(0, value − over[i])] for context i, with each law's mean as its value; +Inf for an arm
// without rewards.
func (d *dpmm) Improvement(dst []float64, contexts [][]float32, over []float64) error {
	return d.improve(dst, contexts, func(i, arm int) float64 {
		sum := 0.0
		for _, s := range d.shares {
			for _, b := range s.c.beliefs[arm] {
				sum += float64(s.p * b.weight * max(0, b.mean-over[i]))
			}
		}
		return sum
	})
}

// improve writes gain(i, arm) for every arm in every context i, or +Inf if the arm has no rewards.
func (d *dpmm) improve(dst []float64, contexts [][]float32, gain func(i, arm int) float64) error {
	err := d.each(dst, contexts, posterior.Mean, gain)
	for i := range dst {
		if d.m.arms[i%d.arms].total == 0 {
			dst[i] = math.Inf(1)
		}
	}
	return err
}

// Clusters writes the index of each context's most probable cluster (−1: a new one), and the fraction of all pulls that
// this cluster has after one more pull in it.
func (d *dpmm) Clusters(ids []int, shares []float64, contexts [][]float32) error {
	pulls := 0
	for a := range d.m.arms {
		pulls += d.m.arms[a].total
	}
	for i, c := range contexts {
		if err := d.setContext(c, posterior.Mean); err != nil {
			return err
		}
		ids[i] = d.shares[0].id
		shares[i] = float64(d.shares[0].c.pulls()+1) / float64(pulls+1)
	}
	return nil
}
