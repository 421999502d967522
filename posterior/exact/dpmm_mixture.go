package exact

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"banditsim/internal/kernel"
	"banditsim/internal/lists"
	"banditsim/internal/state"
)

// A mixture is a Dirichlet process mixture over contexts. Within a cluster the attributes of a context are
// independent. A one-hot group g has a Dirichlet prior s_g·m_g, whose strength s_g and mean m_g are learned.
// A number has a normal-inverse-gamma prior about its mean over all contexts.
type mixture struct {
	group, slot []int32 // by column: its group (−1: the column is a number), and its place in the group or among the numbers
	offset      []int32 // by group: index of its first category; its last category means that all columns are 0
	numbers     []int   // indices of the columns that are numbers

	now    point  // the current context, which need not be one of points
	key    []byte // code and x of now, as bytes
	points []*point
	index  map[string]*point // points by key

	strength, mean []float64 // strengths of the groups, s; means of the categories, m
	origin         []float64 // numbers of the first context, which are subtracted from those of all contexts
	sum, squares   []float64 // of each numeric column, less its origin: the sum and the sum of squares over all contexts
	center, scale  []float64 // prior of the numbers: the mean, and 2b₀, twice the scale of the inverse-gamma distribution

	logConcentration float64
	blank            cluster // a cluster without contexts, which stands for a new one
	clusters         []cluster
	arms             []laws
	version          int // grows with each change of rewards or laws
}

// A point is a distinct context of the mixture, with its rewards.
type point struct {
	cluster int32
	code    []int32       // its categories, by group
	x       []float64     // its numbers
	seen    []valueCounts // rewards of each arm; nil: none
}

type cluster struct {
	part
	tried   int        // n when the cluster was last tried for merging and splitting
	log     []float64  // by category, log(count + s·m), where s·m is the Dirichlet parameter of the category
	weight  float64    // log n − Σ log(n + s) over the groups; if n = 0, the concentration replaces the first n
	student []student  // by number, its predictive density
	law     []int      // by arm, index of its law in the list of the arm; −1 without rewards
	beliefs [][]belief // by arm
	version int        // mixture.version when beliefs was computed
}

// maxClusters bounds time and memory. Once there are this many clusters, every new context joins one of them.
const maxClusters = 500

func newMixture(dim, arms int, groups []int, concentration, strength float64, w laws) (*mixture, error) {
	m := &mixture{index: map[string]*point{}, logConcentration: kernel.Log(concentration), version: 1}
	if groups == nil {
		groups = make([]int, dim)
	}
	if len(groups) != dim {
		return nil, fmt.Errorf("groups of %d columns, want %d", len(groups), dim)
	}
	known := map[int]int32{}
	var width []int32
	for i, g := range groups {
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
		m.mean = append(m.mean, slices.Repeat([]float64{1 / float64(n+1)}, int(n+1))...)
		total += n + 1
	}
	m.offset = append(m.offset, total)
	d := len(m.numbers)
	m.now = *m.newPoint()
	m.origin, m.sum, m.squares = make([]float64, d), make([]float64, d), make([]float64, d)
	m.center, m.scale = make([]float64, d), slices.Repeat([]float64{1}, d)
	m.arms = slices.Repeat([]laws{w}, arms)
	m.blank = m.newCluster()
	m.refresh(&m.blank)
	return m, nil
}

func (m *mixture) newPoint() *point {
	return &point{cluster: -1, code: make([]int32, len(m.offset)-1), x: make([]float64, len(m.numbers))}
}

func (m *mixture) newCluster() cluster {
	return cluster{
		part: m.newPart(), log: make([]float64, len(m.mean)), student: make([]student, len(m.numbers)),
		law: slices.Repeat([]int{-1}, len(m.arms)), beliefs: make([][]belief, len(m.arms)),
	}
}

// read makes context the current one: it sets m.now and m.key.
func (m *mixture) read(context []float32) error {
	if len(context) != len(m.group) {
		return fmt.Errorf("a context of %d numbers, want %d", len(context), len(m.group))
	}
	code, x := m.now.code, m.now.x
	for g := range code {
		code[g] = m.offset[g+1] - 1
	}
	for i, v := range context {
		g := m.group[i]
		switch {
		case g < 0:
			x[m.slot[i]] = float64(v)
		case v == 0:
		case v != 1:
			return fmt.Errorf("column %d of a context is %g, want 0 or 1: the environment declares it in a one-hot group", i, v)
		case code[g] != m.offset[g+1]-1:
			return fmt.Errorf("column %d of a context and another of its group are 1, want at most one", i)
		default:
			code[g] = m.offset[g] + m.slot[i]
		}
	}
	if len(m.points) == 0 {
		copy(m.origin, x)
	}
	for j := range x {
		x[j] -= m.origin[j]
	}
	m.setKey(&m.now)
	return nil
}

// setKey sets m.key to the key of p.
func (m *mixture) setKey(p *point) {
	m.key = m.key[:0]
	for _, v := range p.code {
		m.key = binary.LittleEndian.AppendUint32(m.key, uint32(v))
	}
	for _, v := range p.x {
		m.key = binary.LittleEndian.AppendUint64(m.key, math.Float64bits(v))
	}
}

// meet returns the current context's point, which it adds to the mixture if it is new.
func (m *mixture) meet() *point {
	if p := m.index[string(m.key)]; p != nil {
		return p
	}
	p := &point{cluster: -1, code: slices.Clone(m.now.code), x: slices.Clone(m.now.x)}
	m.index[string(m.key)] = p
	m.points = append(m.points, p)
	for j, x := range p.x {
		m.sum[j] += x
		m.squares[j] += float64(x * x)
	}
	m.assign(p)
	return p
}

// evidence returns the log probability of a point's rewards in a cluster.
func (m *mixture) evidence(p *point, c *cluster) float64 {
	sum := 0.0
	for a := range p.seen {
		if k, w := &p.seen[a], &m.arms[a]; k.total > 0 && len(w.first) > 1 {
			sum += w.weigh(&c.seen[a], k, c.law[a]) - w.weigh(&c.seen[a], &none, c.law[a])
		}
	}
	return sum
}

// assign puts a point into the cluster with the highest score plus evidence. The evidence is never above 0, so it is
// computed only where the score alone is above the best sum so far.
func (m *mixture) assign(p *point) {
	best, score := -1, math.Inf(-1)
	try := func(k int, c *cluster) {
		if s := m.score(c, p); s > score {
			if s += m.evidence(p, c); s > score {
				score, best = s, k
			}
		}
	}
	old := int(p.cluster)
	if old >= 0 && m.clusters[old].n > 0 {
		try(old, &m.clusters[old])
	}
	for k := range m.clusters {
		if c := &m.clusters[k]; c.n > 0 && k != old {
			try(k, c)
		}
	}
	if m.used() < maxClusters {
		try(-1, &m.blank)
	}
	if best < 0 {
		best = m.free()
	}
	p.cluster = int32(best)
	m.move(p, 1)
}

// move adds a point to its cluster (sign 1) or removes it (−1).
func (m *mixture) move(p *point, sign int) {
	c := &m.clusters[p.cluster]
	c.addContext(p, sign)
	if c.n == 0 { // rounding errors would be left in the sums
		clear(c.sum)
		clear(c.squares)
	}
	m.refresh(c)
	for a := range p.seen {
		if k := &p.seen[a]; k.total > 0 {
			m.reward(c, a, k, sign)
		}
	}
}

// reward adds rewards k of arm a to a cluster (sign 1) or removes them (−1).
func (m *mixture) reward(c *cluster, a int, k *valueCounts, sign int) {
	w := &m.arms[a]
	m.version++
	if c.law[a] >= 0 {
		w.list[c.law[a]].addAll(k, sign)
	}
	c.seen[a].addAll(k, sign)
	switch {
	case c.seen[a].total == 0:
		w.drop(c.law[a], &c.seen[a])
		c.law[a] = -1
	case c.law[a] < 0:
		c.law[a] = w.choose(&c.seen[a])
	}
}

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
		c.Float64s(k.sum) // saved, because a new sum would lack the rounding errors of contexts that have left the cluster
		c.Float64s(k.squares)
		c.Int("contexts", &k.tried, 0, math.MaxInt32)
		for a := range k.law {
			c.Int("law", &k.law[a], -1, len(m.arms[a].list)-1)
		}
	})
	state.Slice(c, "contexts", &m.points, math.MaxInt32, func(p **point) {
		if c.Reading() {
			*p = m.newPoint()
		}
		m.pointState(c, *p)
	})
	if c.Reading() && c.Err() == nil {
		m.recount(c)
	}
}

func (m *mixture) pointState(c *state.Codec, p *point) {
	state.Integer(c, "cluster", &p.cluster, 0, int32(len(m.clusters)-1))
	c.Int32s("category", p.code, 0, len(m.mean)-1)
	for g, v := range p.code {
		if c.Reading() && (v < m.offset[g] || v >= m.offset[g+1]) {
			c.Fail(fmt.Errorf("exact: context %d has category %d of another group than %d", len(m.points), v, g))
		}
	}
	c.Float64s(p.x)
	seen := p.seen != nil
	if c.Bool(&seen); seen && c.Reading() {
		p.seen = make([]valueCounts, len(m.arms))
	}
	for a := range p.seen {
		t := &p.seen[a]
		t.count = state.Resize(c, "values", t.count, len(m.arms[a].first))
		c.Int32s("rewards of a value", t.count, 0, math.MaxInt32)
	}
}

// recount computes, from the restored points and clusters, the fields that are not saved.
func (m *mixture) recount(restored *state.Codec) {
	clear(m.index)
	// by arm and value, number of rewards less those of the points so far; 0 in the end
	left := lists.Each(m.arms, func(w laws) []int { return slices.Clone(w.number) })
	for _, p := range m.points {
		c := &m.clusters[p.cluster]
		c.n++
		for _, v := range p.code {
			c.count[v]++
		}
		for a := range p.seen {
			for v, n := range p.seen[a].count {
				p.seen[a].total += int(n)
				left[a][v] -= int(n)
			}
		}
		c.addRewards(p.seen, 1)
		m.setKey(p)
		m.index[string(m.key)] = p
	}
	for a := range m.arms {
		w := &m.arms[a]
		if slices.ContainsFunc(left[a], func(n int) bool { return n != 0 }) {
			restored.Fail(fmt.Errorf("exact: the contexts have other numbers of rewards of arm %d than its values", a))
		}
		for k := range m.clusters {
			c := &m.clusters[k]
			l, seen := c.law[a], &c.seen[a]
			if (l >= 0) != (seen.total > 0) {
				restored.Fail(fmt.Errorf("exact: cluster %d has %d rewards of arm %d and the law %d", k, seen.total, a, l))
			}
			if l >= 0 {
				w.list[l].n++
				w.list[l].addAll(seen, 1)
			}
		}
	}
	for k := range m.clusters {
		m.refresh(&m.clusters[k])
	}
	m.refresh(&m.blank)
	m.version++
}

// A student is a Student t predictive density: its logarithm is constant − power·log(1 + (x−mean)²·scale).
type student struct{ constant, mean, scale, power float64 }

const (
	numberWeight = 0.1 // κ₀: weight of the prior mean of a number, in contexts
	numberShare  = 0.1 // prior variance of a number in a cluster, divided by its variance over all contexts
)

// score returns the log of the prior probability of a cluster times the density of a context in it, up to a constant.
func (m *mixture) score(c *cluster, p *point) float64 {
	s := c.weight
	for _, v := range p.code {
		s += c.log[v]
	}
	for j, x := range p.x {
		t := &c.student[j]
		d := x - t.mean
		s += t.constant - float64(t.power*kernel.Log(1+float64(float64(d*d)*t.scale)))
	}
	return s
}

// student returns the predictive density of number j in a cluster.
func (m *mixture) student(c *cluster, j int) student {
	mean, k, b2 := m.number(&c.part, j)
	scale := k / float64((k+1)*b2) // κ/(2b(κ+1))
	constant := halves(c.n+1) - halves(c.n) + kernel.Log(scale/math.Pi)/2
	return student{constant: constant, mean: mean, scale: scale, power: 1.5 + float64(c.n)/2}
}

// number returns the normal-inverse-gamma posterior of number j in a part: its mean, its weight κ in contexts, and 2b.
func (m *mixture) number(p *part, j int) (mean, k, b2 float64) {
	k = numberWeight + float64(p.n)
	mean = (float64(numberWeight*m.center[j]) + p.sum[j]) / k
	b2 = m.scale[j] + max(0,
		p.squares[j]+float64(numberWeight*float64(m.center[j]*m.center[j]))-float64(k*float64(mean*mean)))
	return mean, k, b2
}

// refresh computes log, weight and student of a cluster from its contexts and the priors.
func (m *mixture) refresh(c *cluster) {
	c.weight = m.logConcentration
	if c.n > 0 {
		c.weight = kernel.Log(float64(c.n))
	}
	for g, s := range m.strength {
		c.weight -= kernel.Log(float64(c.n) + s)
		for v := m.offset[g]; v < m.offset[g+1]; v++ {
			c.log[v] = kernel.Log(float64(c.count[v]) + float64(s*m.mean[v]))
		}
	}
	for j := range c.student {
		c.student[j] = m.student(c, j)
	}
}

// learnPrior estimates the prior of the attributes. For each group, the strength s makes one step of Minka's
// fixed-point iteration (Estimating a Dirichlet distribution, 2000, equation 55) under a gamma prior with rate 1, whose
// mode is the argument strength times the number of columns. m becomes the average of the uniform distribution and
// every cluster's frequencies. The prior of a number is computed from its mean and its variance over all contexts.
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
			m.mean[v] = sum // normalized below
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
		m.center[j] = mean
		m.scale[j] = float64(2*numberShare*max(0, m.squares[j]/n-float64(mean*mean))) + 1e-6
	}
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
