package exact

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"banditsim/internal/kernel"
)

// A mixture is a Dirichlet process mixture over contexts. Within a cluster the attributes of a context are
// independent. A one-hot group g has a Dirichlet prior s_g·m_g, whose strength s_g and mean m_g are learned.
// A number has a normal-inverse-gamma prior about its mean over all contexts.
type mixture struct {
	group, slot []int32 // by column: its group (−1: a number) and its category
	offset      []int32 // by group, index of its first category; its last category is 'all columns are 0'
	numbers     []int   // columns that are numbers

	code  []int32          // categories of the current context, by group
	x     []float64        // numbers of the current context
	key   []byte           // code and x as bytes
	index map[string]int32 // points by key

	codes  []int32   // categories of all points
	xs     []float64 // numbers of all points
	points []point
	pulls  int

	strength, mean []float64 // strengths of the groups, s; means of the categories, m
	origin         []float64 // numbers of the first context, which are subtracted from those of all contexts
	sum, squares   []float64 // sums and sums of squares of the numbers of all contexts
	center, scale  []float64 // prior of the numbers: mean and sum of squares 2b₀
	weights        []float64 // results of weight by n; NaN: not computed since the strengths changed
	ratio          []float64 // log Γ(a+½)/Γ(a) for a = 1 + n/2, by n

	logConcentration float64
	blank            cluster // without contexts: the prior
	clusters         []cluster
	arms             []laws
	parts            []part // parts that merge and split work on
	members          []int
	version          int // grows with each change of rewards or laws
}

// A point is a distinct context of the mixture, with its rewards.
type point struct {
	cluster int32
	seen    []tallied // rewards of each arm; nil: none
}

type cluster struct {
	part
	pulls   int
	tried   int        // n when it was last tried for merging and splitting
	log     []float64  // by category, logarithm of its count plus its prior
	weight  float64    // result of mixture.weight
	student []student  // by number, its predictive density
	law     []int      // index of each arm's law, −1 without rewards
	beliefs [][]belief // by arm
	version int        // version of the beliefs
}

// maxClusters bounds time and memory. Once there are so many clusters, every context joins one of them.
const maxClusters = 500

func newMixture(dim, arms int, groups []int, concentration, strength float64, w laws) (*mixture, error) {
	m := &mixture{index: make(map[string]int32), logConcentration: kernel.Log(concentration), version: 1}
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
	m.code = make([]int32, len(width))
	d := len(m.numbers)
	m.x, m.origin, m.sum, m.squares = make([]float64, d), make([]float64, d), make([]float64, d), make([]float64, d)
	m.center, m.scale = make([]float64, d), slices.Repeat([]float64{1}, d)
	m.arms = slices.Repeat([]laws{w}, arms)
	m.blank = m.newCluster()
	m.parts = []part{m.newPart()}
	m.refresh(&m.blank)
	return m, nil
}

func (m *mixture) newCluster() cluster {
	return cluster{
		part: m.newPart(), log: make([]float64, len(m.mean)), student: make([]student, len(m.numbers)),
		law: slices.Repeat([]int{-1}, len(m.arms)), beliefs: make([][]belief, len(m.arms)),
	}
}

// read makes context the current one: it sets m.code and m.x.
func (m *mixture) read(context []float32) error {
	if len(context) != len(m.group) {
		return fmt.Errorf("a context of %d numbers, want %d", len(context), len(m.group))
	}
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

// setKey sets m.key to the key of the current context.
func (m *mixture) setKey() {
	m.key = m.key[:0]
	for _, v := range m.code {
		m.key = binary.LittleEndian.AppendUint32(m.key, uint32(v))
	}
	for _, v := range m.x {
		m.key = binary.LittleEndian.AppendUint64(m.key, math.Float64bits(v))
	}
}

// meet returns the index of the current context's point, which it adds to the mixture if it is new.
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

// known returns the index of the current context's point, −1 if there is none, and sets m.key.
func (m *mixture) known() int {
	m.setKey()
	if i, ok := m.index[string(m.key)]; ok {
		return int(i)
	}
	return -1
}

// load makes the context of point i the current one.
func (m *mixture) load(i int) {
	copy(m.code, m.codes[i*len(m.code):])
	copy(m.x, m.xs[i*len(m.x):])
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
		sum += w.weigh(&c.seen[a], k, c.law[a]) - w.weigh(&c.seen[a], &none, c.law[a])
	}
	return sum
}

// assign puts point i, whose context is the current one, into the most probable cluster. The evidence of
// the rewards is never above 0, so it is computed only where the score alone is above the best so far.
func (m *mixture) assign(i int) {
	p := &m.points[i]
	best, score := -1, math.Inf(-1)
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

// move adds a point, whose context is the current one, to its cluster (sign 1) or removes it (−1).
func (m *mixture) move(p *point, sign int) {
	c := &m.clusters[p.cluster]
	c.addContext(m.code, m.x, sign)
	if c.n == 0 { // sums of no contexts are exactly 0
		clear(c.sum)
		clear(c.squares)
	}
	if c.n == 1 && sign > 0 { // an empty cluster was not refreshed when the prior changed
		m.refresh(c)
	} else {
		c.weight = m.weight(c.n)
		for g, v := range m.code {
			c.log[v] = kernel.Log(float64(c.count[v]) + float64(m.strength[g]*m.mean[v]))
		}
		for j := range c.student {
			c.student[j] = m.student(c, j)
		}
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

// reward adds rewards k of arm a to a cluster (sign 1) or removes them (−1).
func (m *mixture) reward(c *cluster, a int, k *tallied, sign int) {
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
