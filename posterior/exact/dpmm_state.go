package exact

import (
	"fmt"
	"math"
	"slices"

	"banditsim/internal/state"
)

func (m *mixture) state(c *state.Codec) {
	for a := range m.arms {
		m.arms[a].state(c)
	}
	for _, v := range [][]float64{m.strength, m.mean, m.origin, m.sum, m.squares, m.center, m.scale} {
		c.Float64s(v)
	}
	state.Slice(c, "clusters", &m.clusters, math.MaxInt32, func(k *cluster) {
		if c.Reading() {
			*k = m.newCluster()
		}
		c.Float64s(k.sum) // not recomputed: they have rounding errors of contexts that left the cluster
		c.Float64s(k.squares)
		c.Int("contexts", &k.tried, 0, math.MaxInt32)
		for a := range k.law {
			c.Int("law", &k.law[a], -1, len(m.arms[a].list)-1)
		}
	})
	n := c.Len("contexts", len(m.points), math.MaxInt32)
	if c.Reading() {
		m.points, m.codes, m.xs = nil, nil, nil
	}
	for i := 0; i < n && c.Err() == nil; i++ {
		if c.Reading() {
			m.points, m.codes, m.xs = append(m.points, point{}), append(m.codes, m.code...), append(m.xs, m.x...)
		}
		m.pointState(c, i)
	}
	if c.Reading() && c.Err() == nil {
		m.recount(c)
	}
}

func (m *mixture) pointState(c *state.Codec, i int) {
	p := &m.points[i]
	state.Integer(c, "cluster", &p.cluster, 0, int32(len(m.clusters)-1))
	code := m.codes[i*len(m.code) : (i+1)*len(m.code)]
	c.Int32s("category", code, 0, len(m.mean)-1)
	for g, v := range code {
		if c.Reading() && (v < m.offset[g] || v >= m.offset[g+1]) {
			c.Fail(fmt.Errorf("exact: context %d has category %d of another group than %d", i, v, g))
		}
	}
	c.Float64s(m.xs[i*len(m.x) : (i+1)*len(m.x)])
	seen := p.seen != nil
	if c.Bool(&seen); seen && c.Reading() {
		p.seen = make([]tallied, len(m.arms))
	}
	for a := range p.seen {
		t := &p.seen[a]
		t.count = state.Resize(c, "values", t.count, len(m.arms[a].first))
		c.Int32s("rewards of a value", t.count, 0, math.MaxInt32)
	}
}

// recount computes the fields that are not saved from the points and the clusters.
func (m *mixture) recount(restored *state.Codec) {
	m.pulls, m.weights = 0, nil
	clear(m.index)
	left := make([][]int, len(m.arms)) // by arm and value, rewards not found in a context yet
	for a := range left {
		left[a] = slices.Clone(m.arms[a].number)
	}
	for i := range m.points {
		p := &m.points[i]
		c := &m.clusters[p.cluster]
		m.load(i)
		c.n++
		for _, v := range m.code {
			c.count[v]++
		}
		for a := range p.seen {
			for v, n := range p.seen[a].count {
				p.seen[a].total += int(n)
				left[a][v] -= int(n)
			}
		}
		c.addRewards(p.seen, 1)
		c.pulls += p.pulls()
		m.pulls += p.pulls()
		m.setKey()
		m.index[string(m.key)] = int32(i)
	}
	for a := range m.arms {
		w := &m.arms[a]
		if slices.ContainsFunc(left[a], func(n int) bool { return n != 0 }) {
			restored.Fail(fmt.Errorf("mixture: the contexts have other numbers of rewards of arm %d than its values", a))
			return
		}
		for k := range m.clusters {
			c := &m.clusters[k]
			l, seen := c.law[a], &c.seen[a]
			if (l >= 0) != (seen.total > 0) {
				restored.Fail(fmt.Errorf("mixture: cluster %d has %d rewards of arm %d and the law %d", k, seen.total, a, l))
				return
			}
			if l >= 0 {
				w.list[l].n++
				w.list[l].addAll(seen, 1)
			}
		}
		w.tables()
	}
	for k := range m.clusters {
		m.refresh(&m.clusters[k])
	}
	m.refresh(&m.blank)
	m.version++
}
