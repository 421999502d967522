package exact

import (
	"math"
	"slices"

	"banditsim/internal/kernel"
)

// A part is a set of contexts, reduced to the statistics that their marginal likelihood depends on.
type part struct {
	n            int           // number of contexts
	count        []int32       // by category
	sum, squares []float64     // sum and sum of squares of each number
	seen         []valueCounts // rewards of each arm
}

func (m *mixture) newPart() part {
	d := len(m.numbers)
	return part{count: make([]int32, len(m.mean)), sum: make([]float64, d), squares: make([]float64, d),
		seen: make([]valueCounts, len(m.arms))}
}

// addContext adds a context without its rewards (sign 1) or removes it (−1).
func (p *part) addContext(q *point, sign int) {
	p.n += sign
	for _, v := range q.code {
		p.count[v] += int32(sign)
	}
	for j, v := range q.x {
		p.sum[j] += float64(float64(sign) * v)
		p.squares[j] += float64(float64(sign) * float64(v*v))
	}
}

func (p *part) addRewards(seen []valueCounts, sign int) {
	for a := range seen {
		p.seen[a].addAll(&seen[a], sign)
	}
}

// pulls returns the number of rewards.
func (p *part) pulls() (n int) {
	for a := range p.seen {
		n += p.seen[a].total
	}
	return n
}

// addPoint adds a context with its rewards.
func (p *part) addPoint(q *point) {
	p.addContext(q, 1)
	p.addRewards(q.seen, 1)
}

// likelihood returns the log of the marginal likelihood of a part as one cluster, plus the log of concentration·Γ(n),
// the cluster's factor in the Dirichlet process prior.
func (m *mixture) likelihood(p *part) float64 {
	sum := m.logConcentration + logRising(1, p.n-1)
	for g, s := range m.strength {
		for v := m.offset[g]; v < m.offset[g+1]; v++ {
			if k := p.count[v]; k > 0 {
				sum += logRising(float64(s*m.mean[v]), int(k))
			}
		}
		sum -= logRising(s, p.n)
	}
	n := float64(p.n)
	for j := range p.sum {
		_, k, b2 := m.number(p, j)
		sum += halves(p.n) + kernel.Log(m.scale[j]) - float64((1+n/2)*kernel.Log(b2)) +
			kernel.Log(numberWeight/k)/2 - float64(n/2*kernel.Log(math.Pi))
	}
	for a := range p.seen {
		if w := &m.arms[a]; p.seen[a].total > 0 && len(w.first) > 1 {
			clusters := w.concentration
			for _, l := range w.list {
				clusters += float64(l.n)
			}
			sum += w.weigh(&p.seen[a], &none, -1) - kernel.Log(clusters)
		}
	}
	return sum
}

// logRising returns the logarithm of the rising factorial x↑n = Γ(x+n)/Γ(x).
func logRising(x float64, n int) float64 {
	const near = 8
	product := 1.0
	for i := range min(n, near) {
		product *= x + float64(i)
	}
	sum := kernel.Log(product)
	if n > near {
		sum += stirling(x+float64(n)) - stirling(x+near)
	}
	return sum
}

// stirling returns log Γ(x) minus a constant, for x of at least 8, with an error below 1e-11.
func stirling(x float64) float64 {
	f := 1 / float64(x*x)
	return float64((x-0.5)*kernel.Log(x)) - x + float64((1./12-float64(f*(1./360-float64(f*(1./1260-f/1680)))))/x)
}

// halves returns log Γ(1+n/2).
func halves(n int) float64 {
	if n%2 == 0 {
		return logRising(1, n/2)
	}
	return kernel.Log(math.Pi)/2 - math.Ln2 + logRising(1.5, n/2)
}

// release removes c's rewards from their laws, so that likelihood can be computed for parts of c. Call bind afterwards.
func (m *mixture) release(c *cluster) {
	for a, l := range c.law {
		if l >= 0 {
			m.arms[a].drop(l, &c.seen[a])
			c.law[a] = -1
		}
	}
}

// bind assigns the rewards of each arm in a cluster to their most probable law.
func (m *mixture) bind(c *cluster) {
	m.version++
	for a := range c.law {
		if c.seen[a].total > 0 {
			c.law[a] = m.arms[a].choose(&c.seen[a])
		}
	}
}

// combine returns the part of a and b together (sign 1), or of a without b (−1).
func (m *mixture) combine(a, b *part, sign int) *part {
	p := m.newPart()
	p.n = a.n + sign*b.n
	for v, k := range b.count {
		p.count[v] = a.count[v] + int32(sign)*k
	}
	kernel.AddScaled(p.sum, 1, a.sum)
	kernel.AddScaled(p.sum, float64(sign), b.sum)
	kernel.AddScaled(p.squares, 1, a.squares)
	kernel.AddScaled(p.squares, float64(sign), b.squares)
	p.addRewards(a.seen, 1)
	p.addRewards(b.seen, sign)
	return &p
}

// improve merges cluster k with the cluster for which that raises the likelihood most. If no merger raises it, improve
// splits cluster k in the way that raises the likelihood most, if any does.
func (m *mixture) improve(k int) {
	c := &m.clusters[k]
	var members []*point
	for _, p := range m.points {
		if int(p.cluster) == k {
			members = append(members, p)
		}
	}
	m.release(c)
	to := m.partner(c)
	if to < 0 {
		members = m.half(c, members)
	}
	m.bind(c)
	if to < 0 && members != nil {
		to = m.free()
	}
	for _, p := range members {
		m.transfer(p, to)
	}
}

// partner returns the index of the cluster with which the released cluster c is to be merged, −1 if there is none.
func (m *mixture) partner(c *cluster) int {
	best, gain, alone := -1, 0.0, m.likelihood(&c.part)
	for i := range m.clusters {
		o := &m.clusters[i]
		if o == c || o.n == 0 {
			continue
		}
		m.release(o)
		if v := m.likelihood(m.combine(&o.part, &c.part, 1)) - alone - m.likelihood(&o.part); v > gain {
			best, gain = i, v
		}
		m.bind(o)
	}
	return best
}

// transfer moves a point to another cluster.
func (m *mixture) transfer(p *point, to int) {
	m.move(p, -1)
	p.cluster = int32(to)
	m.move(p, 1)
}

// maxParts bounds time: mixture.half skips groups whose number of categories times that of all groups exceeds maxParts.
const maxParts = 1 << 22

// half returns the members that are to leave the released cluster c, or nil if no split raises the likelihood. It tries
// the members with each category and those with each number above its mean in c, and chooses the split with the highest
// likelihood. Moving single contexts rarely finds it: the first, alone in a new cluster, would lower the likelihood.
func (m *mixture) half(c *cluster, members []*point) (leaving []*point) {
	if m.used() == maxClusters {
		return nil
	}
	before, gain := m.likelihood(&c.part), 0.0
	try := func(side []*point) {
		if len(side) == 0 || len(side) == c.n {
			return
		}
		p := m.newPart()
		for _, q := range side {
			p.addPoint(q)
		}
		if g := m.likelihood(&p) + m.likelihood(m.combine(&c.part, &p, -1)) - before; g > gain {
			leaving, gain = side, g
		}
	}
	for g := range m.strength {
		sides := make([][]*point, m.offset[g+1]-m.offset[g])
		if len(sides)*len(m.mean) > maxParts {
			continue
		}
		for _, p := range members {
			v := p.code[g] - m.offset[g]
			sides[v] = append(sides[v], p)
		}
		for _, side := range sides {
			try(side)
		}
	}
	for j, sum := range c.sum {
		var above []*point
		for _, p := range members {
			if float64(p.x[j]*float64(c.n)) > sum {
				above = append(above, p)
			}
		}
		try(above)
	}
	return leaving
}

// used returns the number of nonempty clusters.
func (m *mixture) used() (n int) {
	for k := range m.clusters {
		n += min(m.clusters[k].n, 1)
	}
	return n
}

// free returns the index of an empty cluster, which it adds if there is none.
func (m *mixture) free() int {
	if k := slices.IndexFunc(m.clusters, func(c cluster) bool { return c.n == 0 }); k >= 0 {
		return k
	}
	m.clusters = append(m.clusters, m.newCluster())
	return len(m.clusters) - 1
}
