package exact

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/posterior"
)

// newDPMM returns a mixture with fewer clusters than by default.
func newDPMM(t testing.TB, arms int, groups []int) *dpmm {
	t.Helper()
	o := DPMMOptions{Concentration: 1, Strength: 0.5, Sweep: 200, Laws: 1, Beta: 0.02}
	return grouped(t, o, len(groups), arms, groups).(*dpmm)
}

// grouped returns a DPMM with the options o, over contexts with groups of columns.
func grouped(t testing.TB, o DPMMOptions, dim, arms int, groups []int) posterior.Posterior {
	t.Helper()
	return must.Get(o.build(posterior.Setup{Dim: dim, Arms: arms, Rounds: 1, Groups: groups, Stream: stream.Root(1)}))(t)
}

// kinds returns a mixture in which each of the n values of a group forms a cluster, and one context with each value.
func kinds(t testing.TB, arms, n int) (d *dpmm, contexts [][]float32) {
	t.Helper()
	d = newDPMM(t, arms, slices.Repeat([]int{1}, n))
	d.m.logConcentration, d.m.blank.weight = 1e9, 1e9
	for i := range n {
		contexts = append(contexts, make([]float32, n))
		contexts[i][i] = 1
	}
	return d, contexts
}

// TestLaws compares the terms of P(k) with those from gamma functions, for a cluster that has a law, whose own rewards must not
// count in it, and for one that has none.
func TestLaws(t *testing.T) {
	w := laws{concentration: 0.1, beta: 0.2}
	for v, n := range []int{9, 4, 6} {
		for range n {
			w.index(float64(10 * v))
		}
	}
	clusters := []valueCounts{{[]int32{5}, 5}, {[]int32{4, 1}, 5}, {[]int32{0, 3, 6}, 9}}
	var own []int
	for i := range clusters {
		own = append(own, w.choose(&clusters[i]))
	}
	must.That(t, slices.Equal(own, []int{0, 0, 1}), "laws %v of the clusters, want two alike and one of its own", own)
	d := func(k, a [3]float64) float64 { // log D(k | a)
		sum := 0.0
		for v := range k {
			sum += lgamma(a[v]+k[v]) - lgamma(a[v])
		}
		return sum + lgamma(a[0]+a[1]+a[2]) - lgamma(a[0]+a[1]+a[2]+k[0]+k[1]+k[2])
	}
	more := valueCounts{[]int32{0, 2}, 2}
	for _, c := range []struct {
		own         int
		first, next [3]float64 // parameters of laws 0 and 1, without the cluster's own rewards
		n, m        float64    // numbers of other clusters with laws 0 and 1
	}{
		{0, [3]float64{4.2, 1.2, 0.2}, [3]float64{0.2, 3.2, 6.2}, 1, 1},
		{-1, [3]float64{9.2, 1.2, 0.2}, [3]float64{0.2, 3.2, 6.2}, 2, 1},
	} {
		k := valueCounts{}
		counts := [3]float64{0, 2, 0}
		if c.own == 0 {
			k, counts = clusters[0], [3]float64{5, 2, 0}
		}
		sum := w.weigh(&k, &more, c.own)
		want := []float64{math.Log(c.n) + d(counts, c.first), math.Log(c.m) + d(counts, c.next), math.Log(0.1) + d(counts, [3]float64{0.2, 0.2, 0.2})}
		total := 0.0
		for l := range want {
			closeTo(t, "a term", w.terms[l], want[l])
			total += math.Exp(want[l])
		}
		closeTo(t, "their sum", sum, math.Log(total))
	}
	weights := 0.0
	beliefs := w.believe(nil, &clusters[2], 1)
	for _, b := range beliefs {
		weights += b.weight
	}
	closeTo(t, "the weights of the beliefs", weights, 1)
	// The term of a new law: β = 0.2, counts 0, 3 and 6, values 0, 10 and 20.
	last := beliefs[len(beliefs)-1]
	mean := (3.2*10 + 6.2*20) / 9.6
	closeTo(t, "mean", last.mean, mean)
	closeTo(t, "standard deviation", last.sd, math.Sqrt(((3.2*100+6.2*400)/9.6-mean*mean)/10.6))
}

// TestDigammas compares ψ(x+n) − ψ(x) with the sum that defines it.
func TestDigammas(t *testing.T) {
	for _, x := range []float64{1e-3, 0.3, 2, 11.9, 400} {
		sum := 0.0
		for n := range 3000 {
			closeTo(t, "ψ(x+n) − ψ(x)", digammas(x, n), sum)
			sum += 1 / (x + float64(n))
		}
	}
}

// TestStudent compares the predictive density of a number in a cluster, from which a number was removed, with that of the
// normal-inverse-gamma model by gamma functions, and its integral with 1.
func TestStudent(t *testing.T) {
	m := newDPMM(t, 1, []int{0}).m
	m.center[0], m.scale[0] = 0.5, 0.3
	c := m.newCluster()
	for _, x := range []float64{1, 1.5, 7, 2.5} {
		c.n++
		c.sum[0] += x
		c.squares[0] += x * x
	}
	c.n, c.sum[0], c.squares[0] = c.n-1, c.sum[0]-7, c.squares[0]-49
	s := m.student(&c, 0)
	const k0, k, a = numberWeight, numberWeight + 3, 1 + 3./2
	mean := (k0*0.5 + 5) / k
	b := 0.15 + (1+2.25+6.25+k0*0.25-k*mean*mean)/2
	density := func(x float64) float64 {
		return lgamma(a+0.5) - lgamma(a) - 0.5*math.Log(2*math.Pi*b*(k+1)/k) - (a+0.5)*math.Log(1+(x-mean)*(x-mean)*k/(2*b*(k+1)))
	}
	sum := 0.0
	const h = 1e-3
	for i := range 400_000 {
		x := -200 + h*float64(i)
		got := s.constant - s.power*math.Log(1+(x-s.mean)*(x-s.mean)*s.scale)
		if i%1000 == 0 {
			closeTo(t, "log density", got, density(x))
		}
		sum += math.Exp(got) * h
	}
	must.Near(t, "the integral of the density", sum, 1, 1e-5)
}

// animals draws a context of one of three kinds: a group of four columns, a group of three, a column that is 0 or 1, and a number.
// Kinds share values, so that no column alone tells them apart.
func animals(r *stream.Stream, kind int) []float32 {
	c := make([]float32, 9)
	c[[3][2]int{{0, 1}, {1, 2}, {3, 3}}[kind][r.IntN(2)]] = 1
	c[4+[3][2]int{{0, 1}, {0, 2}, {1, 2}}[kind][r.IntN(2)]] = 1
	if kind == 2 {
		c[7] = 1
	}
	c[8] = []float32{-6, 6, 0}[kind] + float32(r.Normal())
	return c
}

var animalGroups = []int{1, 1, 1, 1, 7, 7, 7, 2, 0}

// TestDPMMFindsClusters checks that contexts without rewards are clustered by the kinds that they were drawn from, and that rewards
// in a few contexts are predicted for all contexts of their kind.
func TestDPMMFindsClusters(t *testing.T) {
	d, r := newDPMM(t, 2, animalGroups), stream.Root(2)
	var contexts [][]float32
	for i := range 300 {
		contexts = append(contexts, animals(r, i%3))
	}
	must.OK(t, d.Meet(contexts))
	update(t, d, 10)
	ids, shares := make([]int, 300), make([]float64, 300)
	must.OK(t, d.Clusters(ids, shares, contexts))
	largest := map[[2]int]int{}
	for i, id := range ids {
		largest[[2]int{i % 3, id}]++
	}
	seen := map[int]bool{}
	for kind := range 3 {
		best, n := -1, 0
		for k, count := range largest {
			if k[0] == kind && count > n {
				best, n = k[1], count
			}
		}
		must.That(t, n >= 95 && !seen[best],
			"kind %d has %d of 100 contexts in its largest cluster, which another kind has: %t", kind, n, seen[best])
		seen[best] = true
	}
	for i := range 12 { // arm 1 pays 2, −1 and 7
		must.OK(t, d.Observe(contexts[i], 1, []float64{2, -1, 7}[i%3]))
	}
	for i := range 60 { // contexts that were not met
		values, _ := predict(t, d, 2, animals(r, i%3))
		if want := []float64{2, -1, 7}[i%3]; math.Abs(values[1]-want) > 0.5 || values[0] != 0 {
			t.Errorf("kind %d has the values %v, want 0 and %g", i%3, values, want)
		}
	}
}

// TestDPMMSharesLaws checks that clusters share laws: some kinds always pay 1, others −9 or 1 with equal probability. After the
// rewards 1, 1, −9 of a new kind, its value is their mean without other kinds, and that of the random law after twenty kinds.
func TestDPMMSharesLaws(t *testing.T) {
	value := func(others int) float64 {
		d, contexts := kinds(t, 1, 21)
		for i := range 20 {
			for kind := range others {
				reward := 1.0
				if kind%2 == 1 && i%2 == 1 {
					reward = -9
				}
				must.OK(t, d.Observe(contexts[kind], 0, reward))
			}
		}
		update(t, d, 5)
		for _, reward := range []float64{1, 1, -9} {
			must.OK(t, d.Observe(contexts[20], 0, reward))
		}
		mean, _ := predict(t, d, 1, contexts[20:]...)
		return mean[0]
	}
	// The random law has the mean −4, up to β, after 200 rewards.
	must.Near(t, "the value without other kinds", value(0), -7./3, 0.1)
	must.Near(t, "the value with twenty", value(20), -4, 0.1)
}

// TestDPMMCounts checks that the counts of clusters and laws equal those that a restore computes from their contexts, after rounds
// of rewards and sweeps.
func TestDPMMCounts(t *testing.T) {
	d, r := newDPMM(t, 2, animalGroups), stream.Root(3)
	for i := range 400 {
		kind := r.IntN(3)
		must.OK(t, d.Observe(animals(r, kind), r.IntN(2), float64(kind*r.IntN(3))))
		if i%20 == 19 {
			must.OK(t, d.Update(t.Context()))
		}
	}
	b := must.Get(d.MarshalBinary())(t)
	again := newDPMM(t, 2, animalGroups)
	must.OK(t, again.UnmarshalBinary(b))
	for k := range d.m.clusters {
		got, want := &d.m.clusters[k], &again.m.clusters[k]
		if got.n != want.n || got.pulls() != want.pulls() || !slices.Equal(got.count, want.count) || !slices.Equal(got.law, want.law) || got.n > 0 && (got.weight != want.weight || !slices.Equal(got.log, want.log) || !slices.Equal(got.student, want.student)) {
			t.Errorf("cluster %d has %d contexts and %d pulls, its contexts add up to %d and %d", k, got.n, got.pulls(), want.n, want.pulls())
		}
	}
	for a := range d.m.arms {
		for l, w := range d.m.arms[a].list {
			o := again.m.arms[a].list[l]
			w.add(maxValues-1, 0) // to compare lists of one length
			o.add(maxValues-1, 0)
			if w.n != o.n || w.total != o.total || !slices.Equal(w.count, o.count) {
				t.Errorf("law %d of arm %d has %d clusters and %d rewards, which add up to %d and %d", l, a, w.n, w.total, o.n, o.total)
			}
		}
	}
	// A state whose counts do not add up is refused, because they serve as indices later.
	for what, damage := range map[string]func(m *mixture){
		"of another group than 0":  func(m *mixture) { slices.Reverse(m.points[0].code[:2]) },
		"other numbers of rewards": func(m *mixture) { m.arms[1].number[0]++ },
		"and the law -1":           func(m *mixture) { m.clusters[m.points[0].cluster].law[0] = -1 },
	} {
		must.OK(t, again.UnmarshalBinary(b))
		damage(again.m)
		must.Fail(t, newDPMM(t, 2, animalGroups).UnmarshalBinary(must.Get(again.MarshalBinary())(t)), what)
	}
}

// TestImprovement checks the gain from knowing a value before choosing between it and 0.2: 40 clusters have shown that it is −1 or
// 1 with equal probability, so the gain is ½·0.8.
func TestImprovement(t *testing.T) {
	d, contexts := kinds(t, 2, 41)
	for kind, c := range contexts[:40] {
		for range 10 {
			must.OK(t, d.Observe(c, 0, float64(2*(kind%2)-1)))
		}
	}
	must.OK(t, d.Meet(contexts[40:]))
	var v [2]float64
	must.OK(t, d.Improvement(v[:], contexts[40:], []float64{0.2}))
	// The cluster's own new law has 1 of 41 parts of the weight.
	must.That(t, math.Abs(v[0]-0.4) <= 0.02 && math.IsInf(v[1], 1), "improvements %v, want 0.4 and +Inf", v)
}

// TestPoolValues checks that an arm that has only given 0 may give 1, which another arm has given, if and only if values are pooled.
func TestPoolValues(t *testing.T) {
	for _, pool := range []bool{false, true} {
		d := newDPMM(t, 2, []int{1, 1})
		d.o.PoolValues = pool
		c := []float32{1, 0}
		must.OK(t, d.Observe(c, 0, 0))
		must.OK(t, d.Observe(c, 1, 1))
		var v [2]float64
		must.OK(t, d.Improvement(v[:], [][]float32{c}, []float64{0.01}))
		must.Equal(t, "pooled", v[0] > 0, pool)
	}
}

// TestRewardLikelihood checks that an arm that has given one of the listed values may give others, and that two-valued refuses a
// third value.
func TestRewardLikelihood(t *testing.T) {
	for name, l := range map[string]Likelihood{"come": {Kind: twoValued}, "listed": {Kind: twoValued,
		Values: []float64{0, 5}}} {
		p, x := changed(t, DPMM(), 1, 2, func(o *DPMMOptions) { o.Likelihood = l }), []float32{1}
		must.OK(t, p.Observe(x, 1, 0))
		if _, sd := predict(t, p, 2, x); (sd[1] > 0) != (name == "listed") {
			t.Errorf("values that %s: the standard deviation is %g after one reward", name, sd[1])
		}
		must.That(t, p.Observe(x, 0, 5) == nil && p.Observe(x, 1, 5) == nil && p.Observe(x, 1, 3) != nil,
			"values that %s: not two of all arms together", name)
	}
}

// TestSampleOfDPMM checks that in a sample contexts of one cluster have equal values, and clusters with different laws independent ones.
func TestSampleOfDPMM(t *testing.T) {
	d := grouped(t, DPMM().Defaults(), 20, 1, []int{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9}).(*dpmm)
	// Kinds of contexts that share six groups and vary in four: kind 0 gives 5, and kind 1 gives 5 or −35 with equal probability.
	at := func(kind, rest int) []float32 {
		c := make([]float32, 20)
		for g := range 6 {
			c[2*g+kind] = 1
		}
		for g := range 4 {
			c[12+2*g+rest>>g&1] = 1
		}
		return c
	}
	toss := stream.Root(2)
	for i := range 160 {
		reward := 5.0
		if i%2 == 1 && toss.Float64() < 0.5 {
			reward = -35
		}
		must.OK(t, d.Observe(at(i%2, i/2%16), 0, reward))
		must.OK(t, d.Update(t.Context()))
	}
	contexts := [][]float32{at(0, 0), at(0, 7), at(1, 3), at(1, 12)}
	mean, sd := predict(t, d, 1, contexts...)
	v := make([]float64, 4)
	const n = 4000
	together := 0.0
	for range n {
		must.OK(t, d.DrawSamples(v, contexts))
		must.That(t, v[0] == v[1] && v[2] == v[3], "values %v, want one of each cluster", v)
		together += (v[0] - mean[0]) / sd[0] * (v[2] - mean[2]) / sd[2] / n
	}
	if !(sd[0] > 0 && sd[2] > 0 && math.Abs(together) <= 6/math.Sqrt(n)*3) { // kurtosis up to 9
		t.Errorf("clusters with standard deviations %g and %g have the correlation %g, want 0", sd[0], sd[2], together)
	}
}

// blends returns DPMM with the option linear.
func blends(t *testing.T, dim, arms int, groups []int) *blend {
	t.Helper()
	o := DPMM().Defaults()
	o.Linear = true
	return grouped(t, o, dim, arms, groups).(*blend)
}

// TestBlend checks that the regression predicts rewards that are linear in contexts, and the mixture rewards that depend on clusters.
func TestBlend(t *testing.T) {
	for _, c := range []struct {
		name    string
		reward  func(c []float32, kind int) float64
		linear  bool
		largest float64 // root mean square error
	}{
		{"linear", func(c []float32, _ int) float64 { return float64(c[8]) }, true, 0.2},
		{"clusters", func(_ []float32, kind int) float64 { return []float64{2, -1, 7}[kind] }, false, 0.4},
	} {
		b, r := blends(t, len(animalGroups), 1, animalGroups), stream.Root(2)
		for i := range 300 {
			x := animals(r, i%3)
			if c.linear {
				x = animals(r, 0)
			}
			must.OK(t, b.Observe(x, 0, c.reward(x, i%3)))
			if i%20 == 19 {
				must.OK(t, b.Update(t.Context()))
			}
		}
		w := b.weight()
		must.That(t, !(w > 0.99) != c.linear && !(w < 0.1) == c.linear, "%s: the regression has the weight %g", c.name, w)
		squares := 0.0
		for i := range 60 {
			x := animals(r, i%3)
			if c.linear {
				x = animals(r, 0)
			}
			value, _ := predict(t, b, 1, x)
			e := value[0] - c.reward(x, i%3)
			squares += e * e / 60
		}
		must.That(t, math.Sqrt(squares) < c.largest,
			"%s: root mean square error %g, want below %g", c.name, math.Sqrt(squares), c.largest)
	}
}

// TestBlendSpread compares Spread with the standard deviation of draws, from Predict and DrawSamples, where both models have weight.
func TestBlendSpread(t *testing.T) {
	b, r := blends(t, 2, 1, nil), stream.Root(3)
	for range 9 {
		x := []float32{float32(r.Float64()), float32(r.Float64())}
		must.OK(t, b.Observe(x, 0, float64(x[0])+r.Float64()))
	}
	w := b.weight()
	must.That(t, w > 0.1 && w < 0.9, "the regression has the weight %g, want both models to count", w)
	contexts := [][]float32{{0.5, 0.9}}
	checkDraws(t, b, 1, contexts, draws(b, contexts))
	checkDraws(t, b, 1, contexts, func(dst []float64) error { return b.DrawSamples(dst, contexts) })
}

// TestNormalGain compares E[max(0, v)] with the formula in terms of math.Erfc.
func TestNormalGain(t *testing.T) {
	for _, z := range []float64{-30, -7.9, -3, -0.5, 0, 0.2, 2, 6, 9} {
		for _, sd := range []float64{0.5, 4} {
			want := sd * (math.Exp(-z*z/2)/math.Sqrt(2*math.Pi) + z*math.Erfc(-z/math.Sqrt2)/2)
			must.Near(t, fmt.Sprint("mean ", z*sd, ", deviation ", sd), normalGain(z*sd, sd), want, 1e-13*sd)
		}
	}
	must.Near(t, "without deviation", normalGain(3, 0), 3, 0)
}
