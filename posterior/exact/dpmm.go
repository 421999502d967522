package exact

import (
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
	Strength      float64 `json:"strength"`             // Dirichlet parameter of a value of a group before any context; above 0
	Sweep         int     `json:"sweep"`                // contexts that are assigned again at the end of a round, in turn
	Moves         int     `json:"moves"`                // clusters that are merged or split, if that is better, at the end of a round, in turn
	Laws          float64 `json:"laws"`                 // weight of a new law of rewards, in clusters; above 0
	Beta          float64 `json:"beta"`                 // Dirichlet parameter of a value of the rewards; above 0
	PoolValues    bool    `json:"pool_values,omitzero"` // whether an arm may give the values that other arms have given
	// What rewards an arm can give, or with pool_values all arms together; not gaussian.
	Likelihood Likelihood `json:"likelihood,omitzero"`
}

// DPMM is a Dirichlet process mixture of contexts (Escobar and West, JASA 90, 1995) whose clusters share
// laws of rewards. In a cluster the attributes of a context (posterior.Setup.Groups) are independent: a
// one-hot group is categorical, a number is normal. The rewards of an arm in a cluster follow one of
// the arm's laws, categorical distributions over the values that rewards have had (of the arm, or of all with pool_values; up
// to 64, others count as the nearest or, with a likelihood, are refused), and the laws are themselves a Dirichlet process: that the arm gave −35 once in other clusters like
// this one is known from the second such cluster on.
//
// Assignments are not drawn but set to the most probable value, one at a time: a context when it is met
// (the sequential search of Wang and Dunson, Journal of Computational and Graphical Statistics 20, 2011),
// and again at the end of rounds, in turn, given all others and all rewards (a Gibbs sampler, MacEachern
// 1994, with the mode in place of the draw). Clusters are merged with another, or split by a value of an attribute, where that
// is more probable (as Jain and Neal, Journal of Computational and Graphical Statistics 13, 2004, propose by
// chance). A context counts once, however often it is met. The Dirichlet
// priors of the groups are learnt (Minka, Estimating a Dirichlet distribution, 2000).
//
// A prediction is a mixture: over clusters, by the probability that the context belongs to each, and over
// laws, by that of the cluster's rewards. Draws are of one cluster and one law each, with a normal
// distribution of the law's mean.
//
// A context costs O(clusters · attributes), a reward O(values).
var DPMM = posterior.Kind[DPMMOptions]{
	Name: "DPMM", Doc: "Dirichlet process mixture of contexts; its clusters share laws of rewards",
	Defaults: func() DPMMOptions {
		return DPMMOptions{Concentration: 10, Strength: 0.02, Sweep: 100, Moves: 4, Laws: 10, Beta: 0.02, PoolValues: true}
	},
	New:    DPMMOptions.New,
	Claims: posterior.Claims{Rounds: 20, Spread: true},
}

// New returns the posterior before any context.
func (o DPMMOptions) New(setup posterior.Setup) (posterior.Posterior, error) {
	m, err := newMixture(setup.Dim, setup.Arms, setup.Groups, o.Concentration, o.Strength, laws{concentration: o.Laws, beta: o.Beta})
	if err := check.First(
		check.Positive("concentration", o.Concentration), check.Positive("strength", o.Strength),
		check.Within("sweep", o.Sweep, 0, 1e6), check.Within("moves", o.Moves, 0, maxClusters),
		check.Positive("laws", o.Laws), check.Positive("beta", o.Beta),
		o.Likelihood.validate(false, "none: rewards are categorical in a law, and count as the nearest of 64 values"), err,
	); err != nil {
		return nil, fmt.Errorf("exact: dpmm: %w", err)
	}
	for a := range m.arms {
		for _, v := range o.Likelihood.Values {
			m.arms[a].know(v)
		}
	}
	return &dpmm{o: o, dim: setup.Dim, m: m, rand: setup.Stream.Child("draw")}, nil
}

// dpmm is the posterior that DPMM declares.
type dpmm struct {
	o      DPMMOptions
	dim    int
	m      *mixture
	next   int // the point that is swept next
	turn   int // the cluster that was last tried for merging and splitting
	rand   *stream.Stream
	shares []share
	normal [1]float32
}

// A share is the probability that a context belongs to a cluster.
type share struct {
	c        *cluster
	id       int // −1: a new one
	score, p float64
}

var (
	_ posterior.Posterior    = (*dpmm)(nil)
	_ posterior.Spreader     = (*dpmm)(nil)
	_ posterior.SampleDrawer = (*dpmm)(nil)
	_ posterior.Meeter       = (*dpmm)(nil)
	_ posterior.Clusterer    = (*dpmm)(nil)
)

// maxReward bounds rewards, so that their squares are finite.
const maxReward = 1e100

// Observe adds the reward to the context, which it meets if it is new.
func (d *dpmm) Observe(context []float32, arm int, reward float64) error {
	if err := checkRow(context, d.dim, arm, len(d.m.arms), reward); err != nil {
		return err
	}
	if math.Abs(reward) > maxReward {
		return fmt.Errorf("exact: observe: a reward of %g, want at most %g in size", reward, maxReward)
	}
	m := d.m
	if err := d.o.Likelihood.admit(m.arms[arm].first, arm, reward); err != nil {
		return err
	}
	if err := m.read(context); err != nil {
		return fmt.Errorf("exact: observe: %w", err)
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

// Meet adds contexts that have no reward yet.
func (d *dpmm) Meet(contexts [][]float32) error {
	for _, c := range contexts {
		if err := checkRow(c, d.dim, 0, 1, 0); err != nil {
			return err
		}
		if err := d.m.read(c); err != nil {
			return fmt.Errorf("exact: meet: %w", err)
		}
		d.m.meet()
	}
	return nil
}

// Update assigns contexts and laws again, and learns the prior of the attributes.
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
				c.law[a], m.scratch = w.choose(m.scratch, &c.seen[a])
			}
		}
	}
	m.version++
	if len(m.points) > 0 {
		m.learnPrior(d.o.Strength)
	}
	return ctx.Err()
}

// belong sets d.shares to the clusters to which a context may belong, the most probable first, and brings
// their beliefs up to date.
func (d *dpmm) belong(context []float32) error {
	if len(context) != d.dim {
		return fmt.Errorf("exact: predict: a context of %d numbers, want %d", len(context), d.dim)
	}
	m := d.m
	if err := m.read(context); err != nil {
		return fmt.Errorf("exact: predict: %w", err)
	}
	if i := m.known(); i >= 0 {
		id := int(m.points[i].cluster)
		d.shares = append(d.shares[:0], share{c: &m.clusters[id], id: id, p: 1})
		d.renew()
		return nil
	}
	d.shares = append(d.shares[:0], share{c: &m.blank, id: -1, score: m.score(&m.blank)})
	for k := range m.clusters {
		if c := &m.clusters[k]; c.n > 0 {
			d.shares = append(d.shares, share{c: c, id: k, score: m.score(c)})
		}
	}
	slices.SortStableFunc(d.shares, func(a, b share) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return 0
	})
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
	d.renew()
	return nil
}

// renew brings the beliefs about the clusters in d.shares up to date.
func (d *dpmm) renew() {
	m := d.m
	for i := range d.shares {
		c := d.shares[i].c
		if c.version == m.version {
			continue
		}
		for a := range c.beliefs {
			if m.arms[a].total == 0 {
				continue
			}
			c.beliefs[a], m.scratch = m.arms[a].believe(c.beliefs[a], m.scratch, &c.seen[a], c.law[a])
		}
		c.version = m.version
	}
}

// each sets dst to f of the beliefs about every arm in every context, each with its probability.
func (d *dpmm) each(dst []float64, contexts [][]float32, f func(i int, arm int) float64) error {
	if len(dst) != len(contexts)*len(d.m.arms) {
		panic(fmt.Sprintf("exact: predict: room for %d values of %d contexts with %d arms", len(dst), len(contexts), len(d.m.arms)))
	}
	for i, c := range contexts {
		if err := d.belong(c); err != nil {
			return err
		}
		for a := range d.m.arms {
			dst[i*len(d.m.arms)+a] = f(i, a)
		}
	}
	return nil
}

// moments returns the mean and the standard deviation of the value of an arm.
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

// draw returns a value of an arm: a belief by its probability, then a normal number.
func (d *dpmm) draw(arm int) float64 {
	u := d.rand.Float64()
	d.rand.Normals(d.normal[:])
	z := float64(d.normal[0])
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

// Predict writes the means of the mixture, or a draw for each arm in each context. An arm that was never
// pulled has the value 0, or a standard normal.
func (d *dpmm) Predict(dst []float64, contexts [][]float32, how posterior.Predict) error {
	if err := how.Validate(); err != nil {
		return err
	}
	return d.each(dst, contexts, func(_, arm int) float64 {
		if how == posterior.Draw {
			return d.draw(arm)
		}
		mean, _ := d.moments(arm)
		return mean
	})
}

// A choice is what DrawSamples draws once a sample: the cluster of a context, the law of an arm in a cluster, or how far the mean
// reward of a law is from what is believed of it. A new cluster is its context's own, a new law its cluster's.
type choice struct {
	of           string // "cluster", "law" or "mean"
	context      string // key of the mixture; "" but for clusters that are chosen, and new ones
	cluster, law int    // −1: new
	arm          int
}

// DrawSamples writes the values under one draw of all choices for each sample.
func (d *dpmm) DrawSamples(dst []float64, contexts [][]float32) error {
	for sample := range slices.Chunk(dst, len(contexts)*len(d.m.arms)) {
		if err := d.drawSample(sample, contexts); err != nil {
			return err
		}
	}
	return nil
}

func (d *dpmm) drawSample(dst []float64, contexts [][]float32) error {
	made := map[choice]float64{}
	uniform := func(c choice) float64 {
		if _, ok := made[c]; !ok {
			made[c] = d.rand.Float64()
		}
		return made[c]
	}
	normal := func(c choice) float64 {
		if _, ok := made[c]; !ok {
			d.rand.Normals(d.normal[:])
			made[c] = float64(d.normal[0])
		}
		return made[c]
	}
	return d.each(dst, contexts, func(_, arm int) float64 {
		if d.m.arms[arm].total == 0 {
			return normal(choice{of: "mean", arm: arm})
		}
		key := string(d.m.key)
		u := uniform(choice{of: "cluster", context: key})
		s := d.shares[pick(len(d.shares), u, func(i int) float64 { return d.shares[i].p })]
		own := choice{of: "law", cluster: s.id, arm: arm}
		if s.id < 0 {
			own.context = key
		}
		beliefs := s.c.beliefs[arm]
		u = uniform(own)
		b := beliefs[pick(len(beliefs), u, func(i int) float64 { return beliefs[i].weight })]
		mean := choice{of: "mean", law: b.law, arm: arm}
		if b.law < 0 {
			mean.context, mean.cluster = own.context, own.cluster
		}
		return b.mean + float64(b.sd*normal(mean))
	})
}

// pick returns the one of n that u in [0, 1) falls on, by their weights.
func pick(n int, u float64, weight func(i int) float64) int {
	for i := range n {
		if u -= weight(i); u < 0 {
			return i
		}
	}
	return n - 1
}

// Spread writes the standard deviations of the draws.
func (d *dpmm) Spread(dst []float64, contexts [][]float32) error {
	return d.each(dst, contexts, func(_, arm int) float64 {
		_, sd := d.moments(arm)
		return sd
	})
}

// Improvement sums over the laws, taking the value of each as its mean.
func (d *dpmm) Improvement(dst []float64, contexts [][]float32, over []float64) error {
	return d.each(dst, contexts, func(i, arm int) float64 {
		if d.m.arms[arm].total == 0 {
			return math.Inf(1)
		}
		sum := 0.0
		for _, s := range d.shares {
			for _, b := range s.c.beliefs[arm] {
				sum += float64(s.p * b.weight * max(0, b.mean-over[i]))
			}
		}
		return sum
	})
}

// Clusters writes the most probable cluster of each context, and its share of the pulls so far, with
// the present one as if it were pulled.
func (d *dpmm) Clusters(ids []int, shares []float64, contexts [][]float32) error {
	for i, c := range contexts {
		if err := d.belong(c); err != nil {
			return err
		}
		ids[i] = d.shares[0].id
		shares[i] = float64(d.shares[0].c.pulls+1) / float64(d.m.pulls+1)
	}
	return nil
}

// MarshalBinary saves contexts, assignments, rewards and priors.
func (d *dpmm) MarshalBinary() ([]byte, error) {
	var w state.Writer
	w.Object(d.rand)
	d.m.save(&w)
	w.Int(d.next)
	w.Int(d.turn)
	return w.Bytes()
}

// UnmarshalBinary restores the state that MarshalBinary saved.
func (d *dpmm) UnmarshalBinary(b []byte) error {
	r := state.NewReader(b)
	r.Object(d.rand)
	d.m.restore(r)
	d.next = r.Int("the next context of the sweep", 0, len(d.m.points))
	d.turn = r.Int("the cluster that was tried for merging", 0, len(d.m.clusters))
	return r.Close()
}
