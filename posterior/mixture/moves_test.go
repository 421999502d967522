package mixture

import (
	"math"
	"testing"

	"banditsim/bandit/stream"
)

// lump puts all contexts into the clusters that f says.
func lump(m *mixture, f func(i int) int) {
	for i := range m.points {
		for len(m.clusters) <= f(i) {
			m.clusters = append(m.clusters, m.newCluster())
		}
		m.transfer(i, f(i))
	}
}

// TestLikelihood: the likelihood of a cluster is the product of those of its contexts and rewards, each
// given the ones before.
func TestLikelihood(t *testing.T) {
	d, r := newDPMM(t, 2, animalGroups), stream.Root(5)
	m := d.m
	for i := range 60 {
		if err := d.Observe(animals(r, i%3), i%2, float64(r.IntN(3))); err != nil {
			t.Fatal(err)
		}
	}
	m.learnPrior(0.5)
	for k := range m.clusters {
		m.release(&m.clusters[k])
	}
	c := m.newCluster() // outside of the laws
	var p part
	p.reset(m)
	want := 0.0
	for i := range m.points {
		m.load(i)
		m.refresh(&c)
		want += m.score(&c)
		seen := m.points[i].seen
		for a := range seen {
			if seen[a].total > 0 {
				_, with := m.arms[a].weigh(nil, &c.seen[a], &seen[a], -1)
				_, without := m.arms[a].weigh(nil, &c.seen[a], nil, -1)
				want += with - without
			}
		}
		p.addPoint(m, i)
		c.n, c.count, c.sum, c.squares, c.seen = p.n, p.count, p.sum, p.squares, p.seen
		closeTo(t, "log likelihood", m.likelihood(&p), want)
	}
}

// TestMoves: from one cluster, and from one for every five contexts, merging and splitting alone find the
// kinds that the contexts were drawn from.
func TestMoves(t *testing.T) {
	for name, start := range map[string]func(i int) int{"one cluster": func(int) int { return 0 }, "fragments": func(i int) int { return i%3 + 3*(i/15) }} {
		d, r := newDPMM(t, 1, animalGroups), stream.Root(6)
		d.o.Sweep, d.o.Moves = 0, 100
		for i := range 150 {
			if err := d.Meet([][]float32{animals(r, i%3)}); err != nil {
				t.Fatal(err)
			}
		}
		lump(d.m, start)
		for range 10 {
			if err := d.Update(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		used := 0
		for _, c := range d.m.clusters {
			used += min(c.n, 1)
		}
		wrong := 0
		for i, p := range d.m.points {
			if p.cluster != d.m.points[i%3].cluster {
				wrong++
			}
		}
		if used != 3 || wrong > 3 {
			t.Errorf("%s: %d clusters, %d contexts of 150 in another than the first of their kind", name, used, wrong)
		}
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
