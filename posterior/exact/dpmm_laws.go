package exact

import (
	"math"
	"slices"

	"banditsim/internal/kernel"
	"banditsim/internal/state"
)

// laws holds the laws of one arm's rewards, which clusters share: a Dirichlet process mixture of categorical
// distributions over the values of the rewards. Let n_l be the number of clusters with law l and c_l the counts of
// their rewards by value. The rewards of another cluster, with the counts k by value, have the likelihood
//
//	P(k) ∝ Σ_l n_l·D(k | β + c_l) + concentration·D(k | β),  D(k | a) = ∏_v a_v↑k_v / (Σ a)↑(Σ k)
//
// where a↑k is the rising factorial a(a+1)…(a+k−1). If that cluster has a law already, n_l and c_l exclude the cluster.
type laws struct {
	concentration, beta float64
	first, value        []float64 // by value: the first reward counted under it, and the mean of all rewards counted under it
	number              []int     // by value: its number of rewards
	total               int       // number of rewards
	list                []law     // a law with n = 0 is free for reuse
	rising, risingAll   []float64 // by m: log β↑m and log (Vβ)↑m, with V the number of values
	terms               []float64 // result of the last weigh
}

type law struct {
	valueCounts
	n int // number of clusters that have the law
}

// valueCounts counts rewards by the index of their value, and in total. Values beyond the end of count have no rewards.
type valueCounts struct {
	count []int32
	total int
}

func (k *valueCounts) add(v int, n int) {
	for len(k.count) <= v {
		k.count = append(k.count, 0)
	}
	k.count[v] += int32(n)
	k.total += n
}

// addAll adds sign times the counts of other.
func (k *valueCounts) addAll(other *valueCounts, sign int) {
	for v, n := range other.count {
		if n != 0 {
			k.add(v, sign*int(n))
		}
	}
}

// addValue returns the index of the value equal to reward, which it adds if new, or −1 if there are maxValues others.
func (w *laws) addValue(reward float64) int {
	if v := slices.Index(w.first, reward); v >= 0 || len(w.first) == maxValues {
		return v
	}
	w.first, w.value, w.number = append(w.first, reward), append(w.value, reward), append(w.number, 0)
	w.risingAll = w.risingAll[:0]
	return len(w.first) - 1
}

// index counts a reward under a value and returns the index of this value: the one equal to the reward, which index
// adds if it is new, or the nearest if there are maxValues others. A value is the mean of the rewards counted under it.
func (w *laws) index(reward float64) int {
	v := w.addValue(reward)
	if v < 0 {
		v = 0
		for u, x := range w.value {
			if math.Abs(x-reward) < math.Abs(w.value[v]-reward) {
				v = u
			}
		}
	}
	w.number[v]++
	w.value[v] += (reward - w.value[v]) / float64(w.number[v])
	w.total++
	return v
}

// risings extends t up to index m, where t[i] is the logarithm of the rising factorial a(a+1)⋯(a+i−1).
func risings(t []float64, a float64, m int) []float64 {
	if len(t) == 0 {
		t = append(t, 0)
	}
	for i := len(t); i <= m; i++ {
		t = append(t, t[i-1]+kernel.Log(a+float64(i-1)))
	}
	return t
}

// weigh sets w.terms to the logarithms of the terms of P(k + more) in the comment of laws, one per law and last that of
// a new law, and returns the log of their sum. k counts a cluster's rewards, the argument more counts further rewards,
// and own is the index of the cluster's law (−1: none).
func (w *laws) weigh(k, more *valueCounts, own int) float64 {
	w.rising = risings(w.rising, w.beta, w.total)
	w.risingAll = risings(w.risingAll, w.beta*float64(len(w.first)), w.total)
	total := k.total + more.total
	terms := w.terms[:0]
	highest := math.Inf(-1)
	for l := range len(w.list) + 1 {
		n, counts, without, sum := w.concentration, &none, &none, 0.0
		if l < len(w.list) {
			n, counts = float64(w.list[l].n), &w.list[l].valueCounts
		}
		if l == own {
			n, without = n-1, k
		}
		if n == 0 {
			terms = append(terms, math.Inf(-1))
			continue
		}
		for v := range max(len(k.count), len(more.count)) {
			c, m := counts.at(v)-without.at(v), k.at(v)+more.at(v)
			if m > 0 {
				sum += w.rising[c+m] - w.rising[c]
			}
		}
		all := counts.total - without.total
		sum += kernel.Log(n) - (w.risingAll[all+total] - w.risingAll[all])
		terms = append(terms, sum)
		highest = max(highest, sum)
	}
	sum := 0.0
	for _, v := range terms {
		if v > highest-50 {
			sum += kernel.Exp(v - highest)
		}
	}
	w.terms = terms
	return highest + kernel.Log(sum)
}

// none counts no rewards.
var none valueCounts

func (k *valueCounts) at(v int) int {
	if v < len(k.count) {
		return int(k.count[v])
	}
	return 0
}

// A belief is one component of the distribution of an arm's mean reward in a cluster: the weight of one law, and the
// normal distribution of the mean reward under it.
type belief struct {
	weight, mean, sd float64
	law              int // index of the law in laws.list; the length of that list: a new law
}

// believe returns, in the memory of dst, the beliefs for a cluster with the rewards k. The argument own is the index of
// the cluster's law (−1: none). Beliefs of negligible weight are left out.
func (w *laws) believe(dst []belief, k *valueCounts, own int) []belief {
	dst = dst[:0]
	all := w.weigh(k, &none, own)
	for l, v := range w.terms {
		if v-all < -40 {
			continue
		}
		var sum, squares, total float64
		for u, x := range w.value {
			a := w.beta + float64(k.at(u))
			if l < len(w.list) {
				a += float64(w.list[l].at(u))
				if l == own {
					a -= float64(k.at(u))
				}
			}
			total += a
			sum += float64(a * x)
			squares += float64(a * float64(x*x))
		}
		mean := sum / total
		variance := max(0, squares/total-float64(mean*mean)) / (total + 1)
		dst = append(dst, belief{kernel.Exp(v - all), mean, math.Sqrt(variance), l})
	}
	return dst
}

// choose assigns a cluster with the rewards k, which has no law, to its most probable law and returns the law's index.
func (w *laws) choose(k *valueCounts) int {
	w.weigh(k, &none, -1)
	best := slices.Index(w.terms, slices.Max(w.terms))
	if best == len(w.list) {
		if best = slices.IndexFunc(w.list, func(l law) bool { return l.n == 0 }); best < 0 {
			best = len(w.list)
			w.list = append(w.list, law{})
		}
	}
	w.list[best].n++
	w.list[best].addAll(k, 1)
	return best
}

// drop removes a cluster with the rewards k from its law l.
func (w *laws) drop(l int, k *valueCounts) {
	w.list[l].n--
	w.list[l].addAll(k, -1)
}

func (w *laws) state(c *state.Codec) {
	n := c.Len("values", len(w.first), maxValues)
	if c.Reading() {
		w.first, w.value, w.number = make([]float64, n), make([]float64, n), make([]int, n)
	}
	c.Float64s(w.first)
	c.Float64s(w.value)
	for v := range w.number {
		c.Int("rewards of a value", &w.number[v], 0, math.MaxInt32)
	}
	n = c.Len("laws", len(w.list), maxClusters)
	if !c.Reading() {
		return
	}
	w.list, w.risingAll, w.total = make([]law, n), nil, 0
	for _, k := range w.number {
		w.total += k
	}
}
