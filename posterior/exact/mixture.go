package exact

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"banditsim/internal/kernel"
	"banditsim/internal/state"
)

// A mixture is a Dirichlet process mixture over contexts: a context's attributes are independent in its
// cluster. Those of one-hot groups have a Dirichlet prior s_g·m_g, whose strength and mean are learnt;
// numbers have a normal-inverse-gamma prior about the mean of all contexts.
type mixture struct {
	group, slot []int32 // by column: its group (−1: a number) and its category
	offset      []int32 // by group: of its first category among all; the last of a group is 'none of the columns'
	numbers     []int   // columns that are numbers

	code  []int32   // of the context at hand: the categories
	x     []float64 // and the numbers
	key   []byte
	index map[string]int32 // contexts by key

	codes  []int32 // of all contexts
	xs     []float64
	points []point
	pulls  int

	strength, mean []float64 // of the groups, s; of the categories, m
	origin         []float64 // numbers are held less those of the first context
	sum, squares   []float64 // of the numbers of all contexts
	centre, scale  []float64 // prior of the numbers: mean and sum of squares 2b₀
	weights        []float64 // by n; NaN: not computed since the strengths changed
	ratio          []float64 // log Γ(a+½)/Γ(a) for a = 1 + n/2, by n

	logConcentration float64
	blank            cluster // without contexts: the prior
	clusters         []cluster
	arms             []laws
	scratch          []float64
	parts            []part // of merge and split
	members          []int
	version          int // grows with each change of rewards or laws
}

// A point is a context that was met.
type point struct {
	cluster int32
	seen    []tallied // rewards of each arm; nil: none
}

type cluster struct {
	n, pulls     int
	tried        int       // n when it was last tried for merging and splitting
	count        []int32   // of each category
	log          []float64 // of the category's count and prior
	weight       float64   // log n, or of the concentration, less Σ log (n + s) over groups
	sum, squares []float64 // of the numbers
	student      []student
	seen         []tallied // rewards of each arm
	law          []int     // of each arm, −1 without rewards
	beliefs      [][]belief
	version      int // of the beliefs
}

// A student is a predictive distribution: log density = constant − power·log(1 + ((x−mean)²·scale).
type student struct{ constant, mean, scale, power float64 }

// maxClusters bounds time and memory; a context that wants a cluster of its own beyond it joins one.
const maxClusters = 500

const (
	numberWeight = 0.1 // contexts that the prior's mean of a number counts for, κ₀
	numberShare  = 0.1 // variance within a cluster, as a share of that of all contexts, that the prior expects
)

func newMixture(dim, arms int, groups []int, concentration, strength float64, w laws) (*mixture, error) {
	m := &mixture{index: make(map[string]int32), logConcentration: kernel.Log(concentration), version: 1}
	if groups != nil && len(groups) != dim {
		return nil, fmt.Errorf("groups of %d columns, want %d", len(groups), dim)
	}
	known := map[int]int32{}
	var width []int32
	for i := range dim {
		g := 0
		if groups != nil {
			g = groups[i]
		}
		if g == 0 {
			m.group, m.slot = append(m.group, -1), append(m.slot, int32(len(m.numbers)))
			m.numbers = append(m.numbers, i)
			continue
		}
		j, ok := known[g]
		if !ok {
			j = int32(len(width))
			known[g] = j
			width = append(width, 0)
		}
		m.group, m.slot = append(m.group, j), append(m.slot, width[j])
		width[j]++
	}
	total := int32(0)
	for _, n := range width {
		m.offset = append(m.offset, total)
		m.strength = append(m.strength, strength*float64(n))
		for range n + 1 {
			m.mean = append(m.mean, 1/float64(n+1))
		}
		total += n + 1
	}
	m.offset = append(m.offset, total)
	m.code = make([]int32, len(width))
	d := len(m.numbers)
	m.x, m.origin, m.sum, m.squares = make([]float64, d), make([]float64, d), make([]float64, d), make([]float64, d)
	m.centre, m.scale = make([]float64, d), make([]float64, d)
	for j := range m.scale {
		m.scale[j] = 1
	}
	for range arms {
		m.arms = append(m.arms, w)
	}
	m.blank = m.newCluster()
	m.parts = []part{{}}
	m.refresh(&m.blank)
	return m, nil
}

func (m *mixture) newCluster() cluster {
	c := cluster{
		count: make([]int32, len(m.mean)), log: make([]float64, len(m.mean)),
		sum: make([]float64, len(m.numbers)), squares: make([]float64, len(m.numbers)), student: make([]student, len(m.numbers)),
		seen: make([]tallied, len(m.arms)), law: make([]int, len(m.arms)), beliefs: make([][]belief, len(m.arms)),
	}
	for a := range c.law {
		c.law[a] = -1
	}
	return c
}

// read sets m.code and m.x.
func (m *mixture) read(context []float32) error {
	for g := range m.code {
		m.code[g] = m.offset[g+1] - 1
	}
	for i, v := range context {
		g := m.group[i]
		switch {
		case g < 0:
			m.x[m.slot[i]] = float64(v)
		case v == 0:
		case v != 1:
			return fmt.Errorf("column %d of a context is %g, want 0 or 1, as it is in a group of the environment's", i, v)
		case m.code[g] != m.offset[g+1]-1:
			return fmt.Errorf("column %d of a context and another of its group are 1, want at most one", i)
		default:
			m.code[g] = m.offset[g] + m.slot[i]
		}
	}
	if len(m.points) == 0 {
		copy(m.origin, m.x)
	}
	for j := range m.x {
		m.x[j] -= m.origin[j]
	}
	return nil
}

// setKey sets m.key to the context at hand.
func (m *mixture) setKey() {
	m.key = m.key[:0]
	for _, v := range m.code {
		m.key = binary.LittleEndian.AppendUint32(m.key, uint32(v))
	}
	for _, v := range m.x {
		m.key = binary.LittleEndian.AppendUint64(m.key, math.Float64bits(v))
	}
}

// meet returns the point of the context that was read, which it adds if it is new.
func (m *mixture) meet() int {
	if i := m.known(); i >= 0 {
		return i
	}
	i := len(m.points)
	m.index[string(m.key)] = int32(i)
	m.points = append(m.points, point{cluster: -1})
	m.codes = append(m.codes, m.code...)
	m.xs = append(m.xs, m.x...)
	for j, x := range m.x {
		m.sum[j] += x
		m.squares[j] += float64(x * x)
	}
	m.assign(i)
	return i
}

// known returns the point of the context that was read, −1 if it is new, and sets m.key.
func (m *mixture) known() int {
	m.setKey()
	if i, ok := m.index[string(m.key)]; ok {
		return int(i)
	}
	return -1
}

// load sets code and x to those of a point.
func (m *mixture) load(i int) {
	copy(m.code, m.codes[i*len(m.code):])
	copy(m.x, m.xs[i*len(m.x):])
}

// score returns the log density of the context at hand in a cluster, times the prior of the cluster.
func (m *mixture) score(c *cluster) float64 {
	s := c.weight
	for _, v := range m.code {
		s += c.log[v]
	}
	for j, x := range m.x {
		t := &c.student[j]
		d := x - t.mean
		s += t.constant - float64(t.power*kernel.Log(1+float64(float64(d*d)*t.scale)))
	}
	return s
}

// weight returns log n less Σ log (n + s) over the groups; with n = 0 the concentration in place of n.
func (m *mixture) weight(n int) float64 {
	for len(m.weights) <= n {
		m.weights = append(m.weights, math.NaN())
	}
	if math.IsNaN(m.weights[n]) {
		w := m.logConcentration
		if n > 0 {
			w = kernel.Log(float64(n))
		}
		for _, s := range m.strength {
			w -= kernel.Log(float64(n) + s)
		}
		m.weights[n] = w
	}
	return m.weights[n]
}

// evidence returns the log probability of a point's rewards in a cluster.
func (m *mixture) evidence(p *point, c *cluster) float64 {
	sum := 0.0
	for a := range p.seen {
		k := &p.seen[a]
		w := &m.arms[a]
		if k.total == 0 || len(w.first) < 2 {
			continue
		}
		var with, without float64
		m.scratch, with = w.weigh(m.scratch, &c.seen[a], k, c.law[a])
		m.scratch, without = w.weigh(m.scratch, &c.seen[a], nil, c.law[a])
		sum += with - without
	}
	return sum
}

// assign puts point i, which is at hand, into the most probable cluster. The evidence of its rewards is
// never above 0, which spares most of it.
func (m *mixture) assign(i int) {
	p := &m.points[i]
	free, best := -1, -1
	score := math.Inf(-1)
	try := func(k int, c *cluster) {
		if s := m.score(c); s > score {
			if s += m.evidence(p, c); s > score {
				score, best = s, k
			}
		}
	}
	old := int(p.cluster)
	if old >= 0 && m.clusters[old].n > 0 {
		try(old, &m.clusters[old])
	}
	used := 0
	for k := range m.clusters {
		switch c := &m.clusters[k]; {
		case c.n == 0:
			if free < 0 {
				free = k
			}
		default:
			used++
			if k != old {
				try(k, c)
			}
		}
	}
	if used < maxClusters {
		try(-1, &m.blank)
	}
	if best < 0 {
		if best = free; best < 0 {
			best = len(m.clusters)
			m.clusters = append(m.clusters, m.newCluster())
		}
	}
	p.cluster = int32(best)
	m.move(p, 1)
}

// move adds a point, which is at hand, to its cluster (sign 1), or takes it away (−1).
func (m *mixture) move(p *point, sign int) {
	c := &m.clusters[p.cluster]
	c.n += sign
	c.weight = m.weight(c.n)
	if c.n == 1 && sign > 0 { // a slot that was free has logarithms of another prior
		defer m.refresh(c)
	}
	for g, v := range m.code {
		c.count[v] += int32(sign)
		c.log[v] = kernel.Log(float64(c.count[v]) + float64(m.strength[g]*m.mean[v]))
	}
	for j, x := range m.x {
		if c.n == 0 { // without rounding errors
			c.sum[j], c.squares[j] = 0, 0
			continue
		}
		c.sum[j] += float64(sign) * x
		c.squares[j] += float64(sign) * float64(x*x)
		c.student[j] = m.student(c, j)
	}
	for a := range p.seen {
		if k := &p.seen[a]; k.total > 0 {
			m.reward(c, a, k, sign)
		}
	}
	c.pulls += sign * p.pulls()
}

func (p *point) pulls() (n int) {
	for a := range p.seen {
		n += p.seen[a].total
	}
	return n
}

// reward adds rewards to a cluster, or takes them away.
func (m *mixture) reward(c *cluster, a int, k *tallied, sign int) {
	w := &m.arms[a]
	m.version++
	if c.law[a] >= 0 {
		w.move(c.law[a], k, sign)
	}
	for v, n := range k.count {
		if n > 0 {
			c.seen[a].add(v, sign*int(n))
		}
	}
	switch {
	case c.seen[a].total == 0:
		w.drop(c.law[a], &c.seen[a])
		c.law[a] = -1
	case c.law[a] < 0:
		c.law[a], m.scratch = w.choose(m.scratch, &c.seen[a])
	}
}

// student returns the predictive distribution of a number in a cluster.
func (m *mixture) student(c *cluster, j int) student {
	n := float64(c.n)
	for i := len(m.ratio); i <= c.n; i++ {
		switch i { // Γ(x+1) = xΓ(x)
		case 0:
			m.ratio = append(m.ratio, kernel.Log(math.Pi)/2-math.Ln2)
		case 1:
			m.ratio = append(m.ratio, math.Ln2-kernel.Log(math.Pi)/2)
		default:
			m.ratio = append(m.ratio, m.ratio[i-2]+kernel.Log(1+1/float64(i)))
		}
	}
	k := numberWeight + n
	mean := (float64(numberWeight*m.centre[j]) + c.sum[j]) / k
	b2 := m.scale[j] + max(0, c.squares[j]+float64(numberWeight*float64(m.centre[j]*m.centre[j]))-float64(k*float64(mean*mean)))
	scale := k / float64((k+1)*b2) // κ/(2b(κ+1))
	return student{
		constant: m.ratio[c.n] + kernel.Log(scale/math.Pi)/2,
		mean:     mean, scale: scale, power: 1.5 + n/2,
	}
}

// refresh computes all that a cluster holds of the priors.
func (m *mixture) refresh(c *cluster) {
	c.weight = m.weight(c.n)
	for g, s := range m.strength {
		for v := m.offset[g]; v < m.offset[g+1]; v++ {
			c.log[v] = kernel.Log(float64(c.count[v]) + float64(s*m.mean[v]))
		}
	}
	for j := range c.student {
		c.student[j] = m.student(c, j)
	}
}

// learnPrior sets the prior of the attributes by the clusters: s by a step of Minka's fixed point
// (Estimating a Dirichlet distribution, 2000, equation 55) under a gamma prior of rate 1, m to the mean of
// the clusters' frequencies; the prior of numbers by mean and variance of all contexts.
func (m *mixture) learnPrior(strength float64) {
	for g := range m.strength {
		low, high := m.offset[g], m.offset[g+1]
		s, numerator, denominator := m.strength[g], 0.0, 0.0
		for v := low; v < high; v++ {
			sm, sum := float64(s*m.mean[v]), 1/float64(high-low)
			for k := range m.clusters {
				if c := &m.clusters[k]; c.n > 0 {
					sum += float64(c.count[v]) / float64(c.n)
					numerator += float64(m.mean[v] * digammas(sm, int(c.count[v])))
				}
			}
			m.mean[v] = sum // normalised below, when all of the group are done
		}
		total := 0.0
		for _, f := range m.mean[low:high] {
			total += f
		}
		for v := low; v < high; v++ {
			m.mean[v] /= total
		}
		for k := range m.clusters {
			if c := &m.clusters[k]; c.n > 0 {
				denominator += digammas(s, c.n)
			}
		}
		m.strength[g] = (float64(strength*float64(high-low-1)) + float64(s*numerator)) / (1 + denominator)
	}
	for j := range m.scale {
		n := float64(len(m.points))
		mean := m.sum[j] / n
		m.centre[j] = mean
		m.scale[j] = float64(2*numberShare*max(0, m.squares[j]/n-float64(mean*mean))) + 1e-6
	}
	m.weights = m.weights[:0]
	for k := range m.clusters {
		if m.clusters[k].n > 0 {
			m.refresh(&m.clusters[k])
		}
	}
	m.refresh(&m.blank)
}

// digammas returns ψ(x+n) − ψ(x) = Σ_{i<n} 1/(x+i) for x > 0.
func digammas(x float64, n int) float64 {
	const near = 12
	sum := 0.0
	for i := range min(n, near) {
		sum += 1 / (x + float64(i))
	}
	if n <= near {
		return sum
	}
	return sum + digamma(x+float64(n)) - digamma(x+near)
}

// digamma is ψ by its asymptotic series, for x of at least 12: the error is below 1e-12.
func digamma(x float64) float64 {
	f := 1 / float64(x*x)
	return kernel.Log(x) - 0.5/x - float64(f*(1./12-float64(f*(1./120-float64(f*(1./252-float64(f/240)))))))
}

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
				r.Fail(fmt.Errorf("exact: cluster %d has %d rewards of arm %d and the law %d", k, c.seen[a].total, a, c.law[a]))
			}
		}
		if slices.ContainsFunc(left, func(n int) bool { return n != 0 }) {
			r.Fail(fmt.Errorf("exact: the contexts have other numbers of rewards of arm %d than its values", a))
		}
	}
}
