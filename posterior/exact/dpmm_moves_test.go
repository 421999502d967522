package exact

import (
	"fmt"
	"math"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/must"
)

// lump moves every context i to cluster f(i).
func lump(m *mixture, f func(i int) int) {
	for i := range m.points {
		for len(m.clusters) <= f(i) {
			m.clusters = append(m.clusters, m.newCluster())
		}
		m.transfer(m.points[i], f(i))
	}
}

// TestLikelihood checks that the likelihood of a cluster is the product of the likelihoods of its contexts and rewards, each given
// the ones before.
func TestLikelihood(t *testing.T) {
	d, r := newDPMM(t, 2, animalGroups), stream.Root(5)
	m := d.m
	for i := range 60 {
		must.OK(t, d.Observe(animals(r, i%3), i%2, float64(r.IntN(3))))
	}
	m.learnPrior(0.5)
	for k := range m.clusters {
		m.release(&m.clusters[k])
	}
	c := m.newCluster() // not counted in the laws
	p := m.newPart()
	want := 0.0
	for _, q := range m.points {
		m.refresh(&c)
		want += m.score(&c, q)
		seen := q.seen
		for a := range seen {
			if seen[a].total > 0 {
				want += m.arms[a].weigh(&c.seen[a], &seen[a], -1) - m.arms[a].weigh(&c.seen[a], &none, -1)
			}
		}
		p.addPoint(q)
		c.part = p
		closeTo(t, "log likelihood", m.likelihood(&p), want)
	}
}

// TestMoves checks that merging and splitting alone find the kinds that contexts were drawn from, starting with one cluster or with
// one for every five contexts of a kind.
func TestMoves(t *testing.T) {
	for name, start := range map[string]func(i int) int{"one cluster": func(int) int { return 0 }, "fragments": func(i int) int { return i%3 + 3*(i/15) }} {
		d, r := newDPMM(t, 1, animalGroups), stream.Root(6)
		d.o.Sweep, d.o.Moves = 0, 100
		for i := range 150 {
			must.OK(t, d.Meet([][]float32{animals(r, i%3)}))
		}
		lump(d.m, start)
		update(t, d, 10)
		used := d.m.used()
		wrong := 0
		for i, p := range d.m.points {
			if p.cluster != d.m.points[i%3].cluster {
				wrong++
			}
		}
		must.That(t, used == 3 && wrong <= 3,
			"%s: %d clusters, %d contexts of 150 in another than the first of their kind", name, used, wrong)
	}
}

func TestLogRising(t *testing.T) {
	for _, x := range []float64{1e-9, 0.02, 1, 7.5, 3000} {
		sum := 0.0
		for n := range 3000 {
			closeTo(t, "log x↑n", logRising(x, n), sum)
			sum += math.Log(x + float64(n))
		}
	}
	for n := range 100 {
		closeTo(t, "log Γ(1+n/2)", halves(n), lgamma(1+float64(n)/2))
	}
}

// TestTurns checks that a round assigns Sweep contexts anew, in turn, and that contexts that start alone in a cluster stay there if
// Sweep is 0 and join others if it is large.
func TestTurns(t *testing.T) {
	const contexts = 30
	for sweep, rounds := range map[int]int{0: 3, 1: 12, 10: 3, 100: 1} {
		d, r := newDPMM(t, 1, animalGroups), stream.Root(8)
		d.o.Sweep = sweep
		for i := range contexts {
			must.OK(t, d.Meet([][]float32{animals(r, i%3)}))
		}
		lump(d.m, func(i int) int { return 10 + i })
		for round := range rounds {
			must.OK(t, d.Update(t.Context()))
			if want := min(sweep, contexts) * (round + 1) % contexts; d.next%contexts != want {
				t.Errorf("sweep %d: the next context after round %d is %d, want %d", sweep, round+1, d.next%contexts, want)
			}
		}
		if used := d.m.used(); sweep == 0 && used != contexts || sweep > 1 && used > contexts/3 {
			t.Errorf("sweep %d: %d clusters of %d contexts that were alone", sweep, used, contexts)
		}
	}
}

// TestShiftedNumbers checks that adding a large constant to numbers with a small spread does not change predictions.
func TestShiftedNumbers(t *testing.T) {
	values := func(shift float32) []float64 {
		d, r := newDPMM(t, 1, []int{0, 0}), stream.Root(9)
		var contexts [][]float32
		for i := range 60 {
			c := []float32{shift + float32(r.IntN(4)+8*(i%2)), shift - float32(r.IntN(4))}
			contexts = append(contexts, c)
			must.OK(t, d.Observe(c, 0, float64(i%2)))
			if i%20 == 19 {
				must.OK(t, d.Update(t.Context()))
			}
		}
		mean, _ := predict(t, d, 1, contexts...)
		return mean
	}
	want := values(0)
	for i, v := range values(1 << 23) { // sums with it are exact in float32
		closeTo(t, "value", v, want[i])
	}
}

// TestShares checks that Clusters counts pulls, and one more in the context's cluster, and not contexts met without a pull.
func TestShares(t *testing.T) {
	d, contexts := kinds(t, 1, 4)
	for _, i := range []int{0, 0, 0, 1} {
		must.OK(t, d.Observe(contexts[i], 0, 1))
	}
	must.OK(t, d.Meet(contexts[2:3]))
	ids, shares := make([]int, 4), make([]float64, 4)
	must.OK(t, d.Clusters(ids, shares, contexts))
	for i, want := range []float64{4. / 5, 2. / 5, 1. / 5, 1. / 5} { // pulls of the cluster, and one more, of 5
		closeTo(t, "share", shares[i], want)
		for j := range i {
			must.That(t, ids[i] != ids[j], "contexts %d and %d are both in cluster %d", j, i, ids[i])
		}
	}
	must.Equal(t, "a context that was not met is in cluster", ids[3], -1)
}

// TestLikelihoodOfRewardsAddsUpToOne checks that, while other clusters have laws, the likelihoods of all values of one further
// reward in a part sum to one, and so do those of two rewards in order.
func TestLikelihoodOfRewardsAddsUpToOne(t *testing.T) {
	d, r := newDPMM(t, 1, animalGroups), stream.Root(5)
	m := d.m
	m.arms[0].concentration = 2.5
	for i := range 60 {
		must.OK(t, d.Observe(animals(r, i%3), 0, float64(i%3*r.IntN(3))))
	}
	clusters := 0
	for _, l := range m.arms[0].list {
		clusters += l.n
	}
	must.That(t, clusters >= 2, "%d clusters have laws: the test shows nothing", clusters)
	values := len(m.arms[0].first)
	with := func(rewards ...int) float64 {
		p := m.newPart()
		for i := range 3 {
			p.addPoint(m.points[i])
		}
		p.seen[0] = valueCounts{}
		for _, v := range rewards {
			p.seen[0].add(v, 1)
		}
		return m.likelihood(&p)
	}
	without := with()
	one, two := 0.0, 0.0
	for v := range values {
		one += math.Exp(with(v) - without)
		for u := range values {
			two += math.Exp(with(v, u) - without)
		}
	}
	closeTo(t, "the sum over one reward", one, 1)
	closeTo(t, "the sum over two rewards", two, 1)
}

// TestStrengthOfPrior checks that before any context the strength of a group is the mode of its gamma prior, strength times the
// columns of the group, and that with contexts repeated steps converge to the maximum of the strength's posterior density.
func TestStrengthOfPrior(t *testing.T) {
	const strength = 0.5
	logPrior := func(s float64, columns int) float64 { return strength*float64(columns)*math.Log(s) - s } // gamma with rate 1
	empty := newDPMM(t, 1, []int{1, 1, 1, 1, 7, 7, 7, 2}).m
	for range 3 {
		empty.learnPrior(strength)
	}
	for g, columns := range []int{4, 3, 1} {
		closeTo(t, "strength before any context", empty.strength[g], strength*float64(columns))
	}

	d, r := newDPMM(t, 1, animalGroups), stream.Root(5)
	m := d.m
	for i := range 60 {
		must.OK(t, d.Meet([][]float32{animals(r, i%3)}))
	}
	for range 3000 {
		m.learnPrior(strength)
	}
	for g, columns := range []int{4, 3, 1} {
		// The Dirichlet-multinomial density of the clusters' counts.
		logPosterior := func(s float64) float64 {
			sum := logPrior(s, columns)
			for k := range m.clusters {
				c := &m.clusters[k]
				if c.n == 0 {
					continue
				}
				sum += lgamma(s) - lgamma(s+float64(c.n))
				for v := m.offset[g]; v < m.offset[g+1]; v++ {
					sum += lgamma(s*m.mean[v]+float64(c.count[v])) - lgamma(s*m.mean[v])
				}
			}
			return sum
		}
		s := m.strength[g]
		best := logPosterior(s)
		for _, f := range []float64{0.97, 0.99, 1.01, 1.03} {
			must.That(t, logPosterior(f*s) < best,
				"group %d: the posterior of the strength is higher at %g times %g", g, f, s)
		}
		const h = 1e-4
		slope := (logPosterior(s*(1+h)) - logPosterior(s*(1-h))) / (2 * h)
		must.Near(t, fmt.Sprint("slope of the log density by the logarithm of the strength of group ", g), slope, 0, 1e-4)
		for v := m.offset[g]; v < m.offset[g+1]; v++ { // the mean of the uniform distribution and of the clusters' frequencies
			want, total := 1/float64(columns+1), 1.
			for k := range m.clusters {
				if c := &m.clusters[k]; c.n > 0 {
					want += float64(c.count[v]) / float64(c.n)
					total++
				}
			}
			closeTo(t, "mean of a value", m.mean[v], want/total)
		}
	}
}

// TestPriorOfNumbers checks the prior of a number in a cluster: normal-inverse-gamma about the mean of all contexts, with shape 1 and a
// tenth of their variance as its scale. A first number then has Student's t with 2 degrees of freedom and the squared scale 11·tenth.
func TestPriorOfNumbers(t *testing.T) {
	d := newDPMM(t, 1, []int{0})
	for _, x := range []float32{2, 4, 6, 12} { // mean 6, variance 14
		must.OK(t, d.Meet([][]float32{{x}}))
	}
	d.m.learnPrior(0.5)
	const tenth = 0.1*14 + 0.5e-6 // learnPrior adds 1e-6 to 2·tenth
	const width = tenth * (0.1 + 1) / 0.1
	s := d.m.blank.student[0]
	for _, x := range []float64{-20, 6, 7, 12, 300} {
		z := (x - 6) * (x - 6) / width
		want := lgamma(1.5) - lgamma(1) - math.Log(2*math.Pi*width)/2 - 1.5*math.Log(1+z/2)
		y := x - d.m.origin[0] - s.mean
		closeTo(t, "log density", s.constant-s.power*math.Log(1+y*y*s.scale), want)
	}
}
