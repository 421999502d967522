package exact

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"banditsim/bandit/stream"
	"banditsim/internal/kernel"
	"banditsim/posterior"
)

// A share is the probability that a context belongs to a cluster.
type share struct {
	c        *cluster
	id       int // index of the cluster; −1: a new one
	score, p float64
}

// look sets d.shares to the clusters to which a context may belong, the most probable first, and brings
// their beliefs up to date.
func (d *dpmm) look(context []float32, _ posterior.Prediction) error {
	m := d.m
	if err := m.read(context); err != nil {
		return fmt.Errorf("mixture: predict: %w", err)
	}
	if i := m.known(); i >= 0 {
		id := int(m.points[i].cluster)
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

// weigh sets d.shares for the current context if it is new to the mixture.
func (d *dpmm) weigh() {
	m := d.m
	d.shares = append(d.shares[:0], share{c: &m.blank, id: -1, score: m.score(&m.blank)})
	for k := range m.clusters {
		if c := &m.clusters[k]; c.n > 0 {
			d.shares = append(d.shares, share{c: c, id: k, score: m.score(c)})
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

// draw returns a draw of a value: a belief by its probability, then a normal number. An arm that was never
// pulled has the value 0, or a standard normal.
func (d *dpmm) draw(arm int) float64 {
	u, z := d.rand.Float64(), d.normal()
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

// A choice identifies a random choice that DrawSamples makes once per sample: the cluster of a context, the law of an arm
// in a cluster, or the standard normal number by which the mean reward of a law deviates. A new cluster belongs to one
// context only, and a new law to one cluster only.
type choice struct {
	of           string // "cluster", "law" or "mean"
	context      string // mixture.key of the context, for the choice of its cluster and for new clusters; else ""
	cluster, law int    // −1: new
	arm          int
}

// DrawSamples writes samples of the values. All values of a sample follow from one draw of each choice.
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
			return once(choice{of: "mean", arm: arm}, d.normal)
		}
		key := string(d.m.key)
		u := once(choice{of: "cluster", context: key}, d.rand.Float64)
		s := d.shares[stream.Choose(len(d.shares), u, func(i int) float64 { return d.shares[i].p })]
		own := choice{of: "law", cluster: s.id, arm: arm}
		if s.id < 0 {
			own.context = key
		}
		beliefs := s.c.beliefs[arm]
		u = once(own, d.rand.Float64)
		b := beliefs[stream.Choose(len(beliefs), u, func(i int) float64 { return beliefs[i].weight })]
		mean := choice{of: "mean", law: b.law, arm: arm}
		if b.law < 0 {
			mean.context, mean.cluster = own.context, own.cluster
		}
		return b.mean + float64(b.sd*once(mean, d.normal))
	})
}

// Improvement writes E[max(0, value − over)], with the value under each law fixed at its mean; +Inf for an arm without
// rewards.
func (d *dpmm) Improvement(dst []float64, contexts [][]float32, over []float64) error {
	err := d.each(dst, contexts, posterior.Mean, func(i, arm int) float64 {
		sum := 0.0
		for _, s := range d.shares {
			for _, b := range s.c.beliefs[arm] {
				sum += float64(s.p * b.weight * max(0, b.mean-over[i]))
			}
		}
		return sum
	})
	for i := range dst {
		if d.m.arms[i%d.arms].total == 0 {
			dst[i] = math.Inf(1)
		}
	}
	return err
}

// Clusters writes the most probable cluster of each context and the cluster's share of the pulls so far,
// counting one more pull in it.
func (d *dpmm) Clusters(ids []int, shares []float64, contexts [][]float32) error {
	for i, c := range contexts {
		if err := d.look(c, posterior.Mean); err != nil {
			return err
		}
		ids[i] = d.shares[0].id
		shares[i] = float64(d.shares[0].c.pulls+1) / float64(d.m.pulls+1)
	}
	return nil
}
