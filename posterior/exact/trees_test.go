package exact

import (
	"context"
	"fmt"
	"math"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/posterior"
)

// TestTreeSplit compares the first split with the best of all cuts between rows, by the weighted squared error of the rewards.
func TestTreeSplit(t *testing.T) {
	const dim, rows = 3, 40
	r := stream.Root(3)
	for range 20 {
		h := &history{dim: dim}
		counts := make([]uint8, rows)
		c := make([]float32, dim)
		for i := range rows {
			r.Normals(c)
			h.add(c, float64(c[1])+r.Float64())
			counts[i] = uint8(r.Poisson())
		}
		sse := func(in func(i int) bool) float64 {
			n, sum, squares := 0.0, 0.0, 0.0
			for i, v := range h.rewards {
				if w := float64(counts[i]); in(i) {
					n, sum, squares = n+w, sum+w*v, squares+w*v*v
				}
			}
			if n == 0 {
				return math.Inf(1) // not a split
			}
			return squares - sum*sum/n
		}
		best := math.Inf(1)
		for column := range dim {
			for k := range rows {
				left := func(i int) bool { return h.row(i)[column] <= h.row(k)[column] }
				best = min(best, sse(left)+sse(func(i int) bool { return !left(i) }))
			}
		}
		f := newFitting(TreesOptions{Leaf: 1, Depth: 1, Bins: 64}, h)
		tree := f.fit(counts, r.Child("prior"))
		root := tree.nodes[0]
		left := func(i int) bool { return h.row(i)[root.column] <= root.cut }
		if got := sse(left) + sse(func(i int) bool { return !left(i) }); len(tree.nodes) != 3 || !(got <= best+1e-9) {
			t.Errorf("%d nodes with a squared error of %g, want 3 with %g", len(tree.nodes), got, best)
		}
	}
}

// TestTreesLearn checks that trees learn an exclusive or, which no single split represents, and that new rewards count before the
// next fit.
func TestTreesLearn(t *testing.T) {
	p := changed(t, Trees(), 2, 1, func(o *TreesOptions) { o.Models, o.Prior, o.Growth = 20, 0, 1e6 })
	corners := [][]float32{{0, 0}, {0, 1}, {1, 0}, {1, 1}}
	for i := range 200 {
		c := corners[i%4]
		must.OK(t, p.Observe(c, 0, float64(int(c[0])^int(c[1]))))
	}
	must.OK(t, p.Update(context.Background()))
	mean, sd := predict(t, p, 1, corners...)
	for i, c := range corners {
		if want := float64(int(c[0]) ^ int(c[1])); mean[i] != want || sd[i] != 0 {
			t.Errorf("at %v mean %g, standard deviation %g, want %g and 0", c, mean[i], sd[i], want)
		}
	}
	for range 1000 {
		must.OK(t, p.Observe(corners[1], 0, 0))
	}
	mean, _ = predict(t, p, 1, corners...)
	must.That(t, mean[1] < 0.1 && mean[2] == 1, "means %v after 1,000 rewards of 0 in the second corner", mean)
}

// TestTreesGrowth checks that the trees of an arm are fitted at the end of the first round in which it has growth times the rewards
// of their last fit, and never without new rewards.
func TestTreesGrowth(t *testing.T) {
	for growth, want := range map[float64][]int{
		1:   {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20},
		1.5: {1, 2, 3, 5, 8, 12, 18}, // from 1.5, 3, 4.5, 7.5, 12 and 18 rewards on
		2:   {1, 2, 4, 8, 16},
		1e6: {1},
	} {
		p := changed(t, Trees(), 1, 2, func(o *TreesOptions) { o.Models, o.Growth = 3, growth }).(*trees)
		r := stream.Root(7)
		var fits []int
		for n := 1; n <= 20; n++ {
			must.OK(t, p.Observe([]float32{float32(r.Float64())}, 1, r.Float64()))
			must.That(t, p.forests[1].fitted != n,
				"growth %g: a fit to %d rewards before the end of the round", growth, n)
			before := &p.forests[1].trees[0]
			for range 2 { // the second Update finds no new rewards
				must.OK(t, p.Update(context.Background()))
				if after := &p.forests[1].trees[0]; after != before {
					fits, before = append(fits, n), after
				}
			}
		}
		must.Equal(t, fmt.Sprintf("growth %g: fits to rewards", growth), fits, want)
		must.Equal(t, fmt.Sprintf("growth %g: an arm without rewards was fitted to rows", growth), p.forests[0].fitted, 0)
	}
}

// TestTreesRangeOfRewards checks that the pseudo-rewards of leaves are the lowest and the highest reward of all arms, even if 0 is
// outside of that range, by the draws for an arm without rewards.
func TestTreesRangeOfRewards(t *testing.T) {
	for _, rewards := range [][2]float64{{4, 6}, {-6, -4}, {-1, 2}} {
		p := changed(t, Trees(), 1, 2, func(o *TreesOptions) { o.Models = 50 })
		for i := range 20 {
			must.OK(t, p.Observe([]float32{float32(i)}, 0, rewards[i%2]))
		}
		must.OK(t, p.Update(context.Background()))
		v := make([]float64, 2)
		low, high := math.Inf(1), math.Inf(-1)
		for range 200 {
			must.OK(t, p.Predict(v, [][]float32{{3}}, posterior.Draw))
			low, high = min(low, v[1]), max(high, v[1])
		}
		if low != rewards[0] || high != rewards[1] { // some leaves have weight for one pseudo-reward only
			t.Errorf("rewards %v: draws for the arm without any from %g to %g", rewards, low, high)
		}
	}
}

// TestCuts checks that the k-th cut into b bins is the lowest value with at least k/b of all values up to it, that equal values stay
// together, and that a column with few values is cut between all of them, however rare.
func TestCuts(t *testing.T) {
	for _, c := range []struct {
		name   string
		values []float32
		bins   int
		want   []float32
	}{
		{"quarters of eight", []float32{1, 2, 3, 4, 5, 6, 7, 8}, 4, []float32{2, 4, 6}},
		{"quarters of ten", []float32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 4, []float32{3, 5, 8}},
		{"halves of five", []float32{1, 2, 3, 4, 5}, 2, []float32{3}},
		{"a bin for each value", []float32{1, 2, 3}, 3, []float32{1, 2}},
		{"more bins than values", []float32{1, 2, 3}, 8, []float32{1, 2}},
		{"a rare value", []float32{1, 1, 1, 1, 1, 1, 1, 9}, 2, []float32{1}},
		{"equal values at two cuts", []float32{1, 2, 2, 2, 2, 2, 3, 4}, 3, []float32{2}},
		{"one value", []float32{5, 5, 5}, 4, []float32{}},
		{"no value", nil, 4, nil},
	} {
		must.Equal(t, c.name+": cuts at", cutsOf(c.values, c.bins), c.want)
	}
}

// TestBag compares each model with a regression in which each reward is repeated as often as its weight from the stream says, and
// mean, spread and draws with the models' values.
func TestBag(t *testing.T) {
	const models, rows = 3, 50
	o := BagOptions{Models: models, Lambda: 0.5}
	b := build(t, Bag(), o, 2, 2).(*bag)
	counts, r := stream.Root(1).Child("policy").Child("bootstrap"), stream.Root(5)
	var want [2 * models]*regression
	for i := range want {
		want[i] = newRegression(2, o.Lambda, false)
	}
	c := make([]float32, 2)
	for i := range rows {
		r.Normals(c)
		arm, reward := i%2, r.Float64()
		must.OK(t, b.Observe(c, arm, reward))
		b.x.Set(c, false)
		for m := range models {
			for range counts.Poisson() {
				want[arm*models+m].add(&b.x, reward, 1, 1)
			}
		}
	}
	one := [][]float32{{1, -2}}
	values := func(m int) (v [2]float64) {
		for arm := range v {
			w := want[arm*models+m].fits[0].w
			v[arm] = w[0] - 2*w[1]
		}
		return v
	}
	mean, sd := predict(t, b, 2, one...)
	draw := make([]float64, 2)
	for arm := range 2 {
		var sum, squares float64
		for m := range models {
			v := values(m)[arm]
			sum += v / models
			squares += v * v / models
		}
		must.Near(t, fmt.Sprint("mean of arm ", arm), mean[arm], sum, 1e-10)
		must.Near(t, fmt.Sprint("deviation of arm ", arm), sd[arm], math.Sqrt(squares-sum*sum), 1e-6)
	}
	var seen [models]bool
	for range 60 { // a model is missed with probability 3·(2/3)⁶⁰ < 1e-10
		must.OK(t, b.Predict(draw, one, posterior.Draw))
		found := false
		for m := range models {
			if v := values(m); math.Abs(v[0]-draw[0]) < 1e-10 && math.Abs(v[1]-draw[1]) < 1e-10 {
				seen[m], found = true, true
			}
		}
		must.That(t, found, "a draw %v is that of no model", draw)
	}
	must.Equal(t, "models that were drawn", seen, [models]bool{true, true, true})
}
