package exact

import (
	"context"
	"math"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/posterior"
)

// TestTreeSplit compares the first split with the best of all cuts between rows, by the squared error of the
// rewards, each as often as it counts.
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

// TestTreesLearn: trees give the values of an exclusive or, which no single split can tell, in all four corners.
// New rewards count before the next fit.
func TestTreesLearn(t *testing.T) {
	o := Trees.Defaults()
	o.Models, o.Prior, o.Growth = 20, 0, 1e6
	p := build(t, Trees, o, 2, 1).(*trees)
	corners := [][]float32{{0, 0}, {0, 1}, {1, 0}, {1, 1}}
	for i := range 200 {
		c := corners[i%4]
		if err := p.Observe(c, 0, float64(int(c[0])^int(c[1]))); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Update(context.Background()); err != nil {
		t.Fatal(err)
	}
	mean, sd := make([]float64, 4), make([]float64, 4)
	if err := p.Predict(mean, corners, posterior.Mean); err != nil {
		t.Fatal(err)
	}
	if err := p.Spread(sd, corners); err != nil {
		t.Fatal(err)
	}
	for i, c := range corners {
		if want := float64(int(c[0]) ^ int(c[1])); mean[i] != want || sd[i] != 0 {
			t.Errorf("at %v mean %g, standard deviation %g, want %g and 0", c, mean[i], sd[i], want)
		}
	}
	for range 1000 {
		if err := p.Observe(corners[1], 0, 0); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Predict(mean, corners, posterior.Mean); err != nil {
		t.Fatal(err)
	}
	if !(mean[1] < 0.1) || mean[2] != 1 {
		t.Errorf("means %v after 1,000 rewards of 0 in the second corner", mean)
	}
}
