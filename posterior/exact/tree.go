package exact

import (
	"math"
	"slices"

	"banditsim/bandit/stream"
	"banditsim/internal/moments"
)

// A tree is a regression tree (CART: Breiman, Friedman, Olshen and Stone 1984) without pruning. Each split uses the
// column and the cut that reduce the squared error most.
type tree struct{ nodes []treeNode }

// A treeNode is a leaf if left and right are 0. Children come after their parent in tree.nodes.
type treeNode struct {
	column      int32
	cut         float32 // contexts with values up to it go left
	left, right int32
	n, sum      float64      // weight and weighted sum of the fitted rewards and, in a leaf without a likelihood, of later ones
	low, high   float64      // in a leaf, weights of the pseudo-rewards pool.low and pool.high
	rewards     *leafRewards // rewards of a leaf, with a likelihood; otherwise nil
}

// leaf returns the leaf of a context.
func (t *tree) leaf(context []float32) *treeNode {
	v := &t.nodes[0]
	for v.left > 0 {
		if context[v.column] <= v.cut {
			v = &t.nodes[v.left]
		} else {
			v = &t.nodes[v.right]
		}
	}
	return v
}

// moments returns the mean and the variance of the leaf's value. Without a likelihood, the variance is 0 and the value
// is the mean of the leaf's rewards and pseudo-rewards, or the middle of the range if there are none.
func (v *treeNode) moments(p *pool) (mean, variance float64) {
	n := v.n + v.low + v.high
	switch {
	case v.rewards != nil:
		return v.rewards.moments(p)
	case n == 0:
		return p.low + (p.high-p.low)/2, 0
	}
	return (v.sum + float64(v.low*p.low) + float64(v.high*p.high)) / n, 0
}

// A fitting holds the rows of an arm while trees are fitted to them. The values of each column that varies are put into
// at most o.Bins bins, and trees split only between bins.
type fitting struct {
	o       TreesOptions
	rewards []float64
	columns []int32     // columns that vary; 'by column' below means by index in this list
	cuts    [][]float32 // by column, ascending
	first   []int       // by column, index of its first bin in sums
	bins    []uint8     // bins of the rows, row by row
	sums    []binSum    // by bin, set by split
}

// A binSum is the weight and the weighted sum of the rewards in a bin.
type binSum struct{ n, sum float64 }

// newFitting puts the rows of a history into bins.
func newFitting(o TreesOptions, h *history) *fitting {
	f := &fitting{o: o, rewards: h.rewards}
	n, total := len(h.rewards), 0
	values := make([]float32, n)
	for column := range h.dim {
		for i := range n {
			values[i] = h.contexts[i*h.dim+column]
		}
		slices.Sort(values)
		if cuts := cutsOf(values, o.Bins); len(cuts) > 0 {
			f.columns, f.cuts, f.first = append(f.columns, int32(column)), append(f.cuts, cuts), append(f.first, total)
			total += len(cuts) + 1
		}
	}
	f.sums, f.bins = make([]binSum, total), make([]uint8, n*len(f.columns))
	for i := range n {
		row := h.row(i)
		for k, column := range f.columns {
			bin, _ := slices.BinarySearch(f.cuts[k], row[column])
			f.bins[i*len(f.columns)+k] = uint8(bin)
		}
	}
	return f
}

// cutsOf returns the cuts of sorted values into at most the given number of bins: the highest value of each bin but the
// last. Each distinct value has its own bin if there are few enough; otherwise bins have about equally many values.
func cutsOf(sorted []float32, bins int) (cuts []float32) {
	if distinct := slices.Compact(slices.Clone(sorted)); len(distinct) <= bins {
		return distinct[:max(0, len(distinct)-1)]
	}
	n := len(sorted)
	for k := 1; k < bins; k++ {
		if v := sorted[(k*n-1)/bins]; v < sorted[n-1] {
			cuts = append(cuts, v)
		}
	}
	return slices.Compact(cuts)
}

// fit returns a tree fitted to the rows, weighted by the numbers in counts. r draws the weights of the pseudo-rewards.
func (f *fitting) fit(counts []uint8, r *stream.Stream) tree {
	var t tree
	var rows []int32
	for i := range f.rewards {
		if counts[i] > 0 {
			rows = append(rows, int32(i))
		}
	}
	f.grow(&t, rows, counts, 0)
	for i := range t.nodes {
		if v := &t.nodes[i]; v.left == 0 {
			v.low, v.high = float64(f.o.Prior*float64(r.Poisson())), float64(f.o.Prior*float64(r.Poisson()))
			if f.o.Likelihood.Kind != "" {
				v.rewards = &leafRewards{}
			}
		}
	}
	return t
}

// grow fits a subtree to rows and appends its nodes to t. The argument depth is the number of splits above the subtree.
func (f *fitting) grow(t *tree, rows []int32, counts []uint8, depth int) {
	at := len(t.nodes)
	node, squares := treeNode{}, 0.0
	for _, i := range rows {
		w, r := float64(counts[i]), f.rewards[i]
		node.n += w
		node.sum += float64(w * r)
		squares += float64(w * float64(r*r))
	}
	t.nodes = append(t.nodes, node)
	rest := squares - float64(node.sum*node.sum)/max(node.n, 1) // without rows n is 0; otherwise it is at least 1
	if depth == f.o.Depth || rest <= 1e-12*squares {
		return
	}
	column, cut := f.split(rows, counts, node)
	if column < 0 {
		return
	}
	var left, right []int32
	for _, i := range rows {
		if int(f.bins[int(i)*len(f.columns)+column]) <= cut {
			left = append(left, i)
		} else {
			right = append(right, i)
		}
	}
	t.nodes[at].column, t.nodes[at].cut = f.columns[column], f.cuts[column][cut]
	t.nodes[at].left = int32(len(t.nodes))
	f.grow(t, left, counts, depth+1)
	t.nodes[at].right = int32(len(t.nodes))
	f.grow(t, right, counts, depth+1)
}

// split returns the split of a node that reduces the squared error most: a column, by its index in f.columns, and the
// last bin that goes left. The column is −1 if no split with enough rewards on both sides reduces the error.
func (f *fitting) split(rows []int32, counts []uint8, node treeNode) (column, cut int) {
	clear(f.sums)
	d := len(f.columns)
	for _, i := range rows {
		w := float64(counts[i])
		wr := float64(w * f.rewards[i])
		for k, bin := range f.bins[int(i)*d : (int(i)+1)*d] {
			s := &f.sums[f.first[k]+int(bin)]
			s.n += w
			s.sum += wr
		}
	}
	least := float64(f.o.Leaf)
	base := float64(node.sum*node.sum) / node.n
	column, best := -1, base+float64(1e-12*max(base, -base))
	for k := range f.columns {
		n, sum := 0.0, 0.0
		for b := range f.cuts[k] {
			s := f.sums[f.first[k]+b]
			n, sum = n+s.n, sum+s.sum
			if s.n == 0 || n < least || node.n-n < least {
				continue
			}
			rest := node.sum - sum
			if score := float64(sum*sum)/n + float64(rest*rest)/(node.n-n); score > best {
				column, cut, best = k, b, score
			}
		}
	}
	return column, cut
}

// A pool holds what the leaves of all trees share: the options, and the range and values of the rewards of all arms.
type pool struct {
	o         TreesOptions
	seen      bool // whether there was a reward
	low, high float64
	values    []float64 // with a discrete likelihood, its Values or, if that is empty, those so far in order of appearance
}

// add widens the range to a reward and, with a discrete likelihood, adds the reward to values if it is new.
func (p *pool) add(reward float64) {
	if !p.seen {
		p.seen, p.low, p.high = true, reward, reward
	}
	p.low, p.high = min(p.low, reward), max(p.high, reward)
	if p.o.Likelihood.discrete() && !slices.Contains(p.values, reward) {
		p.values = append(p.values, reward)
	}
}

// leafRewards holds the statistics of a leaf's rewards under a likelihood. The posterior of the leaf's mean reward is
// normal-gamma for gaussian rewards (DeGroot, Optimal statistical decisions, 1970, section 9.6), or follows from a
// Dirichlet posterior of the probabilities of the values (with the prior of Perks, Journal of the Institute of
// Actuaries 73, 1947). docs/algorithms.md has the equations.
type leafRewards struct {
	moments.Running
	valueCounts // by index in pool.values
}

// add adds a reward, which must have been added to the pool.
func (s *leafRewards) add(p *pool, reward float64) {
	if p.o.Likelihood.discrete() {
		s.valueCounts.add(slices.Index(p.values, reward), 1)
		return
	}
	s.Add(reward)
}

// moments returns the mean and the variance of the leaf's mean reward; both are 0 if no value is known.
func (s *leafRewards) moments(p *pool) (mean, variance float64) {
	if !p.o.Likelihood.discrete() {
		mean, scale, shape := s.normalGamma(p)
		return mean, scale / (shape - 1)
	}
	total := 0.0
	for v, x := range p.values { // weighted moments by the increments of West, CACM 22, 1979
		a := s.weight(v, p)
		total += a
		d := x - mean
		mean += float64(d * a / total)
		variance += float64(a * float64(d*(x-mean)))
	}
	if total == 0 {
		return 0, 0
	}
	return mean, variance / total / (total + 1)
}

func (s *leafRewards) draw(p *pool, r *stream.Stream) float64 {
	if !p.o.Likelihood.discrete() {
		mean, scale, shape := s.normalGamma(p)
		return mean + float64(r.Normal()*math.Sqrt(scale/r.Gamma(shape)))
	}
	mean, total := 0.0, 0.0
	for v, x := range p.values {
		g := r.Gamma(s.weight(v, p))
		total += g
		mean += float64((x - mean) * (g / total))
	}
	return mean
}

// weight returns the Dirichlet parameter of value v.
func (s *leafRewards) weight(v int, p *pool) float64 {
	return 2*p.o.Prior/float64(len(p.values)) + float64(s.at(v))
}

// normalGamma returns the mean, scale = rate/κ and shape of the normal-gamma posterior of the leaf's mean reward. κ is
// the number of rewards that the mean counts for. Shape and rate are those of the precision's gamma distribution.
func (s *leafRewards) normalGamma(p *pool) (mean, scale, shape float64) {
	prior, half := p.o.Prior, (p.high-p.low)/2
	kappa := float64(2*prior) + s.N
	d := s.Mean - (p.low + half)
	rate := float64(prior*float64(half*half)) + s.Squares/2 + float64(float64(prior*s.N)/kappa*float64(d*d))
	return p.low + half + float64(d*s.N)/kappa, rate / kappa, 1 + prior + s.N/2
}
