package mixture

import (
	"fmt"
	"math"
	"slices"

	"banditsim/internal/state"
)

func (m *mixture) save(w *state.Writer) {
	for a := range m.arms {
		m.arms[a].save(w)
	}
	w.Float64s(m.strength)
	w.Float64s(m.mean)
	w.Float64s(m.origin)
	w.Float64s(m.sum)
	w.Float64s(m.squares)
	w.Float64s(m.centre)
	w.Float64s(m.scale)
	w.Int(len(m.clusters))
	for k := range m.clusters {
		c := &m.clusters[k]
		w.Float64s(c.sum) // they have rounding errors of points that came and went
		w.Float64s(c.squares)
		w.Int(c.tried)
		for _, l := range c.law {
			w.Int(l)
		}
	}
	w.Int(len(m.points))
	for i := range m.points {
		p := &m.points[i]
		w.Int(int(p.cluster))
		w.Int32s(m.codes[i*len(m.code) : (i+1)*len(m.code)])
		w.Float64s(m.xs[i*len(m.x) : (i+1)*len(m.x)])
		w.Bool(p.seen != nil)
		for a := range p.seen {
			w.Int(len(p.seen[a].count))
			w.Int32s(p.seen[a].count)
		}
	}
}

// restore reads the points and adds up what follows from them.
func (m *mixture) restore(r *state.Reader) {
	for a := range m.arms {
		m.arms[a].restore(r)
	}
	r.Float64s(m.strength)
	r.Float64s(m.mean)
	r.Float64s(m.origin)
	r.Float64s(m.sum)
	r.Float64s(m.squares)
	r.Float64s(m.centre)
	r.Float64s(m.scale)
	m.clusters = nil
	for range r.Int("clusters", 0, math.MaxInt32) {
		c := m.newCluster()
		r.Float64s(c.sum)
		r.Float64s(c.squares)
		c.tried = r.Int("contexts", 0, math.MaxInt32)
		for a := range c.law {
			c.law[a] = r.Int("law", -1, len(m.arms[a].list)-1)
		}
		if r.Err() != nil {
			return
		}
		m.clusters = append(m.clusters, c)
	}
	m.points, m.codes, m.xs, m.pulls, m.weights = nil, nil, nil, 0, nil
	clear(m.index)
	for i := range r.Int("contexts", 0, math.MaxInt32) {
		p := point{cluster: int32(r.Int("cluster", 0, len(m.clusters)-1))}
		r.Int32s("category", m.code, 0, len(m.mean)-1)
		for g, v := range m.code {
			if r.Err() == nil && (v < m.offset[g] || v >= m.offset[g+1]) {
				r.Fail(fmt.Errorf("exact: context %d has category %d of another group than %d", i, v, g))
			}
		}
		r.Float64s(m.x)
		if r.Bool() {
			p.seen = make([]tallied, len(m.arms))
			for a := range p.seen {
				for range r.Int("values", 0, len(m.arms[a].first)) {
					p.seen[a].count = append(p.seen[a].count, 0)
				}
				r.Int32s("rewards of a value", p.seen[a].count, 0, math.MaxInt32)
				for _, n := range p.seen[a].count {
					p.seen[a].total += int(n)
				}
			}
		}
		if r.Err() != nil {
			return
		}
		m.points, m.codes, m.xs = append(m.points, p), append(m.codes, m.code...), append(m.xs, m.x...)
		c := &m.clusters[p.cluster]
		c.n++
		for _, v := range m.code {
			c.count[v]++
		}
		for a := range p.seen {
			for v, n := range p.seen[a].count {
				if n > 0 {
					c.seen[a].add(v, int(n))
				}
			}
		}
		c.pulls += p.pulls()
		m.pulls += p.pulls()
		m.setKey()
		m.index[string(m.key)] = int32(i)
	}
	if m.checkRewards(r); r.Err() != nil {
		return
	}
	for a := range m.arms {
		m.arms[a].tables()
	}
	for k := range m.clusters {
		c := &m.clusters[k]
		m.refresh(c)
		for a, l := range c.law {
			if l >= 0 {
				m.arms[a].list[l].n++
				m.arms[a].move(l, &c.seen[a], 1)
			}
		}
	}
	m.refresh(&m.blank)
	m.version++
}

// checkRewards fails r if the rewards of the clusters are not those that the arms have, or a cluster has
// rewards without a law or a law without rewards.
func (m *mixture) checkRewards(r *state.Reader) {
	for a := range m.arms {
		left := slices.Clone(m.arms[a].number)
		for i := range m.points {
			if m.points[i].seen == nil {
				continue
			}
			for v, n := range m.points[i].seen[a].count {
				left[v] -= int(n)
			}
		}
		for k := range m.clusters {
			c := &m.clusters[k]
			if (c.law[a] >= 0) != (c.seen[a].total > 0) {
				r.Fail(fmt.Errorf("mixture: cluster %d has %d rewards of arm %d and the law %d", k, c.seen[a].total, a, c.law[a]))
			}
		}
		if slices.ContainsFunc(left, func(n int) bool { return n != 0 }) {
			r.Fail(fmt.Errorf("mixture: the contexts have other numbers of rewards of arm %d than its values", a))
		}
	}
}
