package exact

import (
	"math"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/posterior"
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
		must.OK(t, d.Observe(animals(r, i%3), i%2, float64(r.IntN(3))))
	}
	m.learnPrior(0.5)
	for k := range m.clusters {
		m.release(&m.clusters[k])
	}
	c := m.newCluster() // outside of the laws
	p := m.newPart()
	want := 0.0
	for i := range m.points {
		m.load(i)
		m.refresh(&c)
		want += m.score(&c)
		seen := m.points[i].seen
		for a := range seen {
			if seen[a].total > 0 {
				want += m.arms[a].weigh(&c.seen[a], &seen[a], -1) - m.arms[a].weigh(&c.seen[a], &none, -1)
			}
		}
		p.addPoint(m, i)
		c.part = p
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
			must.OK(t, d.Meet([][]float32{animals(r, i%3)}))
		}
		lump(d.m, start)
		for range 10 {
			must.OK(t, d.Update(t.Context()))
		}
		used := d.m.used()
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

// TestTurns: in a round as many contexts are assigned again as Sweep says, in turn: none, or one that is left out,
// stays where it is.
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

// TestShiftedNumbers: numbers of a large constant and a small spread are told apart as well as without the constant.
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
		v := make([]float64, len(contexts))
		must.OK(t, d.Predict(v, contexts, posterior.Mean))
		return v
	}
	want := values(0)
	for i, v := range values(1 << 23) { // exact in float32
		closeTo(t, "value", v, want[i])
	}
}
