package exact

import (
	"math"
	"slices"

	"banditsim/internal/kernel"
)

// A part is some contexts of a cluster, or of two: what their marginal likelihood depends on.
type part struct {
	n            int
	count        []int32   // counts of each category
	sum, squares []float64 // sums and sums of squares of each number
	seen         []tallied // rewards of each arm
}

func (p *part) reset(m *mixture) {
	p.n = 0
	p.count = append(p.count[:0], m.blank.count...)
	p.sum, p.squares = append(p.sum[:0], m.blank.sum...), append(p.squares[:0], m.blank.sum...)
	if len(p.seen) == 0 {
		p.seen = make([]tallied, len(m.arms))
	}
	for a := range p.seen {
		clear(p.seen[a].count)
		p.seen[a].total = 0
	}
}

// add adds sign times the contexts of another part.
func (p *part) add(n int, count []int32, sum, squares []float64, seen []tallied, sign int) {
	p.n += sign * n
	for v, k := range count {
		p.count[v] += int32(sign) * k
	}
	for j := range sum {
		p.sum[j] += float64(float64(sign) * sum[j])
		p.squares[j] += float64(float64(sign) * squares[j])
	}
	for a := range seen {
		for v, k := range seen[a].count {
			if k != 0 {
				p.seen[a].add(v, sign*int(k))
			}
		}
	}
}

// addPoint adds context i.
func (p *part) addPoint(m *mixture, i int) {
	p.n++
	for _, v := range m.codes[i*len(m.code) : (i+1)*len(m.code)] {
		p.count[v]++
	}
	for j, x := range m.xs[i*len(m.x) : (i+1)*len(m.x)] {
		p.sum[j] += x
		p.squares[j] += float64(x * x)
	}
	for a, k := range m.points[i].seen {
		for v, n := range k.count {
			if n != 0 {
				p.seen[a].add(v, int(n))
			}
		}
	}
}

// likelihood returns the log probability of a part as one cluster, times that of the cluster in the Dirichlet
// process, concentration·Γ(n).
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
	k := numberWeight + n
	for j := range p.sum {
		mean := (float64(numberWeight*m.center[j]) + p.sum[j]) / k
		b2 := m.scale[j] + max(0, p.squares[j]+float64(numberWeight*float64(m.center[j]*m.center[j]))-float64(k*float64(mean*mean)))
		sum += halves(p.n) + kernel.Log(m.scale[j]) - float64((1+n/2)*kernel.Log(b2)) +
			kernel.Log(numberWeight/k)/2 - float64(n/2*kernel.Log(math.Pi))
	}
	for a := range p.seen {
		if w := &m.arms[a]; p.seen[a].total > 0 && len(w.first) > 1 {
			var v float64
			m.scratch, v = w.weigh(m.scratch, &p.seen[a], nil, -1)
			clusters := w.concentration
			for _, l := range w.list {
				clusters += float64(l.n)
			}
			sum += v - kernel.Log(clusters)
		}
	}
	return sum
}

// logRising returns log x↑n = log Γ(x+n)/Γ(x).
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

// stirling is log Γ less a constant, for x of at least 8: the error is below 1e-11.
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

// release takes a cluster's rewards from their laws, so that its parts can be weighed; bind gives them laws.
func (m *mixture) release(c *cluster) {
	for a, l := range c.law {
		if l >= 0 {
			m.arms[a].drop(l, &c.seen[a])
			c.law[a] = -1
		}
	}
}

func (m *mixture) bind(c *cluster) {
	m.version++
	for a := range c.law {
		if c.seen[a].total > 0 {
			c.law[a], m.scratch = m.arms[a].choose(m.scratch, &c.seen[a])
		}
	}
}

// merge joins a cluster with the other that makes the contexts and rewards of both most probable, if that
// is more probable than two clusters.
func (m *mixture) merge(k int) bool {
	c := &m.clusters[k]
	p := &m.parts[0]
	m.release(c)
	p.reset(m)
	p.add(c.n, c.count, c.sum, c.squares, c.seen, 1)
	alone := m.likelihood(p)
	best, gain := -1, 0.0
	for i := range m.clusters {
		o := &m.clusters[i]
		if i == k || o.n == 0 {
			continue
		}
		m.release(o)
		p.reset(m)
		p.add(o.n, o.count, o.sum, o.squares, o.seen, 1)
		other := m.likelihood(p)
		p.add(c.n, c.count, c.sum, c.squares, c.seen, 1)
		if v := m.likelihood(p) - alone - other; v > gain {
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

// maxParts bounds the numbers that split holds; groups with more values divide no cluster.
const maxParts = 1 << 22

// split divides a cluster in two by one value of a group, or by whether a number is above its mean, if that
// makes its contexts and rewards more probable, in the best way. One context at a time would not
// begin it: the first would be alone.
func (m *mixture) split(k int) {
	c := &m.clusters[k]
	m.members = m.members[:0]
	used := 0
	for i := range m.points {
		if int(m.points[i].cluster) == k {
			m.members = append(m.members, i)
		}
	}
	for o := range m.clusters {
		used += min(m.clusters[o].n, 1)
	}
	if used == maxClusters {
		return
	}
	m.release(c)
	whole := &m.parts[0]
	whole.reset(m)
	whole.add(c.n, c.count, c.sum, c.squares, c.seen, 1)
	before := m.likelihood(whole)
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
		for len(m.parts) < width+2 {
			m.parts = append(m.parts, part{})
		}
		rest, sides := &m.parts[1], m.parts[2:width+2]
		for v := range sides {
			sides[v].reset(m)
		}
		for _, i := range m.members {
			if v := m.side(c, i, by); v >= 0 && (by >= len(m.code) || int(c.count[m.codes[i*len(m.code)+by]]) < c.n) {
				sides[v].addPoint(m, i)
			}
		}
		for v := range sides {
			p := &sides[v]
			if p.n == 0 || p.n == c.n {
				continue
			}
			rest.reset(m)
			rest.add(c.n, c.count, c.sum, c.squares, c.seen, 1)
			rest.add(p.n, p.count, p.sum, p.squares, p.seen, -1)
			if g := m.likelihood(p) + m.likelihood(rest) - before; g > gain {
				bestBy, bestSide, gain = by, v, g
			}
		}
	}
	m.bind(c)
	if gain == 0 {
		return
	}
	m.members = slices.DeleteFunc(m.members, func(i int) bool { return m.side(c, i, bestBy) != bestSide })
	to := m.free()
	for _, i := range m.members {
		m.transfer(i, to)
	}
}

// side returns on which side context i of a cluster is, divided by a group (its category, from 0) or a number
// (0 above the mean, −1 not).
func (m *mixture) side(c *cluster, i, by int) int {
	if by < len(m.code) {
		return int(m.codes[i*len(m.code)+by] - m.offset[by])
	}
	by -= len(m.code)
	if float64(m.xs[i*len(m.x)+by]*float64(c.n)) > c.sum[by] {
		return 0
	}
	return -1
}

// free returns an empty cluster.
func (m *mixture) free() int {
	for k := range m.clusters {
		if m.clusters[k].n == 0 {
			return k
		}
	}
	m.clusters = append(m.clusters, m.newCluster())
	return len(m.clusters) - 1
}
