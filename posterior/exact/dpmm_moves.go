package exact

import (
	"math"
	"slices"

	"banditsim/internal/kernel"
)

// A part is a set of contexts, reduced to the statistics that their marginal likelihood depends on.
type part struct {
	n            int       // number of contexts
	count        []int32   // by category
	sum, squares []float64 // sum and sum of squares of each number
	seen         []tallied // rewards of each arm
}

func (m *mixture) newPart() part {
	d := len(m.numbers)
	return part{count: make([]int32, len(m.mean)), sum: make([]float64, d), squares: make([]float64, d),
		seen: make([]tallied, len(m.arms))}
}

// add adds the contexts of another part (sign 1) or removes them (−1).
func (p *part) add(other *part, sign int) {
	p.n += sign * other.n
	for v, k := range other.count {
		p.count[v] += int32(sign) * k
	}
	for j := range other.sum {
		p.sum[j] += float64(float64(sign) * other.sum[j])
		p.squares[j] += float64(float64(sign) * other.squares[j])
	}
	p.addRewards(other.seen, sign)
}

// addContext adds a context without its rewards (sign 1) or removes it (−1).
func (p *part) addContext(code []int32, x []float64, sign int) {
	p.n += sign
	for _, v := range code {
		p.count[v] += int32(sign)
	}
	for j, v := range x {
		p.sum[j] += float64(float64(sign) * v)
		p.squares[j] += float64(float64(sign) * float64(v*v))
	}
}

func (p *part) addRewards(seen []tallied, sign int) {
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
	p.addContext(q.code, q.x, 1)
	p.addRewards(q.seen, 1)
}

// likelihood returns the log of the marginal likelihood of a part as one cluster, times the cluster's factor in the
// Dirichlet process prior, concentration·Γ(n).
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

// release removes a cluster's rewards from their laws, so that likelihood can take parts of the cluster. bind undoes it.
func (m *mixture) release(c *cluster) {
	for a, l := range c.law {
		if l >= 0 {
			m.arms[a].drop(l, &c.seen[a])
			c.law[a] = -1
		}
	}
}

// bind gives the rewards of each arm in a cluster their most probable law.
func (m *mixture) bind(c *cluster) {
	m.version++
	for a := range c.law {
		if c.seen[a].total > 0 {
			c.law[a] = m.arms[a].choose(&c.seen[a])
		}
	}
}

// merge joins cluster k with the other cluster for which that raises the likelihood most, and reports whether
// there was one.
func (m *mixture) merge(k int) bool {
	c := &m.clusters[k]
	m.release(c)
	alone := m.likelihood(&c.part)
	best, gain := -1, 0.0
	for i := range m.clusters {
		o := &m.clusters[i]
		if i == k || o.n == 0 {
			continue
		}
		m.release(o)
		both := m.newPart()
		both.add(&o.part, 1)
		both.add(&c.part, 1)
		if v := m.likelihood(&both) - alone - m.likelihood(&o.part); v > gain {
			best, gain = i, v
		}
		m.bind(o)
	}
	m.bind(c)
	if best < 0 {
		return false
	}
	for i := range m.points {
		if int(m.points[i].cluster) == k {
			m.transfer(i, best)
		}
	}
	return true
}

// transfer moves a point to another cluster.
func (m *mixture) transfer(i, to int) {
	m.load(i)
	p := &m.points[i]
	m.move(p, -1)
	p.cluster = int32(to)
	m.move(p, 1)
}

// maxParts bounds the memory of split, in numbers. Groups with more values than that allows are not tried.
const maxParts = 1 << 22

// split divides cluster k in two by one value of a group, or by whether a number is above its mean: in the
// way that raises the likelihood most, if any does. Assigning contexts one at a time does not find such splits,
// because the first context would have to form a cluster alone.
func (m *mixture) split(k int) {
	if m.used() == maxClusters {
		return
	}
	c := &m.clusters[k]
	var members []int
	for i := range m.points {
		if int(m.points[i].cluster) == k {
			members = append(members, i)
		}
	}
	m.release(c)
	before := m.likelihood(&c.part)
	var bestBy, bestSide int
	gain := 0.0
	for by := range len(m.code) + len(m.numbers) {
		width := 1
		if by < len(m.code) {
			width = int(m.offset[by+1] - m.offset[by])
		}
		if width*len(m.mean) > maxParts {
			continue
		}
		sides := make([]*part, width)
		for _, i := range members {
			p := &m.points[i]
			v := m.side(c, p, by)
			if v < 0 || by < len(m.code) && int(c.count[p.code[by]]) == c.n {
				continue
			}
			if sides[v] == nil {
				sides[v] = new(m.newPart())
			}
			sides[v].addPoint(p)
		}
		for v, p := range sides {
			if p == nil || p.n == c.n {
				continue
			}
			rest := m.newPart()
			rest.add(&c.part, 1)
			rest.add(p, -1)
			if g := m.likelihood(p) + m.likelihood(&rest) - before; g > gain {
				bestBy, bestSide, gain = by, v, g
			}
		}
	}
	m.bind(c)
	if gain == 0 {
		return
	}
	members = slices.DeleteFunc(members, func(i int) bool { return m.side(c, &m.points[i], bestBy) != bestSide })
	to := m.free()
	for _, i := range members {
		m.transfer(i, to)
	}
}

// side returns the side of a context when cluster c is divided by attribute by. For a group that is its category
// in the group, from 0. For a number, which follow the groups, it is 0 above the mean of the cluster and −1 else.
func (m *mixture) side(c *cluster, p *point, by int) int {
	if by < len(m.code) {
		return int(p.code[by] - m.offset[by])
	}
	by -= len(m.code)
	if float64(p.x[by]*float64(c.n)) > c.sum[by] {
		return 0
	}
	return -1
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
	for k := range m.clusters {
		if m.clusters[k].n == 0 {
			return k
		}
	}
	m.clusters = append(m.clusters, m.newCluster())
	return len(m.clusters) - 1
}
