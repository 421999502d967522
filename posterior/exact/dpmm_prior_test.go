package exact

import (
	"math"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/must"
)

// TestShares: the share of a cluster is that of its pulls, with the present one, whatever contexts were met without one.
func TestShares(t *testing.T) {
	d, contexts := kinds(t, 1, 4)
	for _, i := range []int{0, 0, 0, 1} {
		must.OK(t, d.Observe(contexts[i], 0, 1))
	}
	must.OK(t, d.Meet(contexts[2:3]))
	ids, shares := make([]int, 4), make([]float64, 4)
	must.OK(t, d.Clusters(ids, shares, contexts))
	for i, want := range []float64{4. / 5, 2. / 5, 1. / 5, 1. / 5} { // shares after 4 pulls and the present one
		closeTo(t, "share", shares[i], want)
		for j := range i {
			if ids[i] == ids[j] {
				t.Errorf("contexts %d and %d are both in cluster %d", j, i, ids[i])
			}
		}
	}
	if ids[3] != -1 {
		t.Errorf("a context that was not met is in cluster %d, want -1", ids[3])
	}
}

// TestLikelihoodOfRewardsAddsUpToOne: over all values that one reward, and two rewards in order, can have in a part, as long
// as other clusters have laws.
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
	if clusters < 2 {
		t.Fatalf("%d clusters have laws: the test shows nothing", clusters)
	}
	values := len(m.arms[0].first)
	p := m.newPart()
	with := func(rewards ...int) float64 {
		p.set(nil)
		for i := range 3 {
			p.addPoint(m, i)
		}
		p.seen[0] = tallied{}
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

// TestStrengthOfPrior: before any context the strength of a group is the mode of its gamma prior, strength times the columns
// of the group; with contexts, repeated steps end where the posterior density of the strength is highest.
func TestStrengthOfPrior(t *testing.T) {
	const strength = 0.5
	logPrior := func(s float64, columns int) float64 { return strength*float64(columns)*math.Log(s) - s } // log-density of the prior of rate 1
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
			if logPosterior(f*s) >= best {
				t.Errorf("group %d: the posterior of the strength is higher at %g times %g", g, f, s)
			}
		}
		const h = 1e-4
		if slope := (logPosterior(s*(1+h)) - logPosterior(s*(1-h))) / (2 * h); !(math.Abs(slope) < 1e-4) {
			t.Errorf("group %d: strength %g, where the log density has the slope %g by its logarithm, want 0", g, s, slope)
		}
		for v := m.offset[g]; v < m.offset[g+1]; v++ { // one over the number of values, and the clusters' frequencies
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

// TestPriorOfNumbers: the prior expects a tenth of the variance of all contexts within a cluster, about their mean. It is the normal-inverse-gamma
// law of shape 1 whose scale is that tenth, so a first number has Student's t of 2 degrees with a squared scale of 11 times the tenth.
func TestPriorOfNumbers(t *testing.T) {
	d := newDPMM(t, 1, []int{0})
	for _, x := range []float32{2, 4, 6, 12} { // mean 6, variance 14
		must.OK(t, d.Meet([][]float32{{x}}))
	}
	d.m.learnPrior(0.5)
	const tenth = 0.1*14 + 0.5e-6 // for equal numbers too
	const width = tenth * (0.1 + 1) / 0.1
	s := d.m.blank.student[0]
	for _, x := range []float64{-20, 6, 7, 12, 300} {
		z := (x - 6) * (x - 6) / width
		want := lgamma(1.5) - lgamma(1) - math.Log(2*math.Pi*width)/2 - 1.5*math.Log(1+z/2)
		y := x - d.m.origin[0] - s.mean
		closeTo(t, "log density", s.constant-s.power*math.Log(1+y*y*s.scale), want)
	}
}
