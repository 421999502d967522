package leverage

import (
	"fmt"
	"math"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/moments"
	"banditsim/internal/must"
	"banditsim/internal/state"
)

// covered plays n contexts in a disc with a policy that pulls the arm of greatest need, or arm 0 if none is needed. It returns
// the pulls of each arm, and the number of pulls of other arms than 0 in the outer tenth of the disc.
func covered(t *testing.T, c *Monitor, seen *moments.Vectors, arms, n int) (pulls []int, outer int) {
	t.Helper()
	r, pulls := stream.Root(4), make([]int, arms)
	need := make([]float64, arms)
	for range n {
		x, y := 2*r.Float64()-1, 2*r.Float64()-1
		for x*x+y*y > 1 {
			x, y = 2*r.Float64()-1, 2*r.Float64()-1
		}
		context := []float32{float32(x), float32(y)}
		c.Need(need, context, seen, false)
		arm := 0
		for a, h := range need {
			if h > need[arm] {
				arm = a
			}
		}
		pulls[arm]++
		if arm > 0 && x*x+y*y > 0.9 {
			outer++
		}
		seen.Add(context)
		c.Add(context, arm, seen)
	}
	return pulls, outer
}

// TestCoverage checks that each arm is pulled about N times, more often at the rim than random pulls would be, and that coverage ends.
func TestCoverage(t *testing.T) {
	const arms, n = 5, 60
	seen := moments.NewVectors(2)
	c := New(n, 2, arms, 0, 0, stream.Root(1))
	pulls, outer := covered(t, c, &seen, arms, 6000)
	others := 0
	for a, k := range pulls[1:] {
		others += k
		must.That(t, k >= n/2 && k <= 4*n, "arm %d: %d pulls, want about %d", a+1, k, n)
	}
	if share := float64(outer) / float64(others); !(share > 0.15) {
		t.Errorf("%.0f %% of the pulls are in the outer tenth, want well above the 10 of pulls at random", 100*share)
	}
	must.That(t, c.over(), "coverage is not over after 6,000 contexts")
}

// TestCoverageLimit checks that the limit is the mean leverage after N pulls, by hand in one dimension: φ = (x/sd, 1) has the
// leverage φᵀ(I/9 + Σφφᵀ)⁻¹φ.
func TestCoverageLimit(t *testing.T) {
	seen := moments.NewVectors(1)
	c := New(2, 1, 2, 0, 0, stream.Root(1))
	for range 7 { // equal contexts: φ = (0, 1), so the leverage after k pulls is 1/(1/9 + k)
		seen.Add([]float32{3})
		c.Add([]float32{3}, 0, &seen)
	}
	limit, ok := c.limit()
	if must.Near(t, "limit", limit, 1/(1./9+2), 1e-12); !ok {
		t.Error("there is no limit")
	}
	need := make([]float64, 2)
	c.Need(need, []float32{3}, &seen, false)
	must.Near(t, "need of arm 0", need[0], 0, 0)
	must.Near(t, "need of arm 1", need[1], 9, 1e-12)
}

// TestProjection checks that contexts of more than 32 numbers are projected, with squares that sum to 32 on average.
func TestProjection(t *testing.T) {
	const dim = 200
	seen, r := moments.NewVectors(dim), stream.Root(2)
	c := New(10, dim, 2, 0, 0, stream.Root(1))
	context := make([]float32, dim)
	for range 100 {
		r.Normals(context)
		seen.Add(context)
		c.Add(context, 0, &seen)
	}
	sum := 0.0
	for range 200 {
		r.Normals(context)
		c.set(context, &seen)
		for _, v := range c.phi.Value[:projected] {
			sum += v * v / 200
		}
	}
	// χ² with 32 degrees of freedom has the standard deviation 8, the mean of 200 has 0.6; estimated moments add some
	must.Near(t, "mean sum of the squares of φ", sum, projected, 3)
}

// TestUnits checks that the unit of a column of numbers has no effect.
func TestUnits(t *testing.T) {
	var monitors [2]*Monitor
	var seen [2]moments.Vectors
	for i := range monitors {
		monitors[i], seen[i] = New(5, 2, 2, 3, 3, stream.Root(1)), moments.NewVectors(2)
	}
	need, r, asked := [2][]float64{make([]float64, 2), make([]float64, 2)}, stream.Root(7), 0
	for range 400 {
		x, y := float32(r.Normal()), float32(r.Normal())
		var ends [2]int
		for i, context := range [][]float32{{x, y}, {x, 1024 * y}} {
			monitors[i].Need(need[i], context, &seen[i], false)
			ends[i] = monitors[i].AtEnd(context, &seen[i], nil)
			seen[i].Add(context)
			monitors[i].Add(context, max(0, ends[i]), &seen[i])
		}
		must.Equal(t, "needs", need[1], need[0])
		must.Equal(t, "arm at an end", ends[1], ends[0])
		if need[0][1] > 0 || ends[0] >= 0 {
			asked++
		}
	}
	must.That(t, asked > 20, "only %d contexts need a pull, which tests little", asked)
}

// TestRim checks that AtEnd asks for an arm until it has n pulls, and then no more, in contexts farther out than 49 of 50, even
// if the Monitor is saved and restored in between.
func TestRim(t *testing.T) {
	const arms, n = 3, 4
	build := func() *Monitor { return New(10, 2, arms, n, 0, stream.Root(1)) }
	seen, r, c := moments.NewVectors(2), stream.Root(5), build()
	asked, inner := make([]int, arms), 0
	for i := range 5000 {
		x := []float32{float32(2*r.Float64() - 1), float32(2*r.Float64() - 1)}
		arm := c.AtEnd(x, &seen, nil)
		if arm >= 0 {
			asked[arm]++
			if x[0]*x[0]+x[1]*x[1] < 1.2 {
				inner++
			}
		}
		seen.Add(x)
		c.Add(x, max(arm, 0), &seen)
		if i < 320 { // restore often, including after 50, 100, … contexts
			b := must.Get(state.Save(c.State))(t)
			c = build()
			must.OK(t, state.Restore(b, c.State))
		}
	}
	total := 0
	for a, k := range asked {
		total += k
		// a pull does not count if the context, once it is in the moments, is no longer at the rim
		must.That(t, k <= n+1 && (a <= 0 || k >= n), "arm %d: asked for %d times, want %d", a, k, n)
	}
	if total == 0 || inner > 2 { // the farthest fiftieth begins at x² + y² = 1.6; at first it is estimated from few contexts
		t.Errorf("%d of %d pulls are nearer than the farthest tenth", inner, total)
	}
	must.That(t, !c.ends[0].open(), "the rim is still open")
}

// TestRimOfAvailableArms checks that AtEnd returns the available arm with the fewest pulls, and that the rim stays open for an
// unavailable arm.
func TestRimOfAvailableArms(t *testing.T) {
	seen, r, c := moments.NewVectors(1), stream.Root(5), New(0, 1, 3, 2, 0, stream.Root(1))
	pull := func(x float32, arm int) {
		seen.Add([]float32{x})
		c.Add([]float32{x}, arm, &seen)
	}
	for range 100 {
		pull(float32(r.Float64()), 0)
	}
	copy(c.ends[0].pulls, []int{0, 0, 1})
	far := []float32{100}
	for i, s := range []struct {
		available []bool
		want      int
	}{{nil, 0}, {[]bool{false, true, true}, 1}, {[]bool{false, false, true}, 2}} {
		must.Equal(t, fmt.Sprintf("%d: arm", i), c.AtEnd(far, &seen, s.available), s.want)
	}
	copy(c.ends[0].pulls, []int{0, 2, 2})
	arm := c.AtEnd(far, &seen, []bool{false, true, true})
	must.That(t, arm == -1 && c.ends[0].open(), "arm %d, want none, and an open rim", arm)
	must.Equal(t, "arm", c.AtEnd(far, &seen, nil), 0)
}

// TestIdleInTurn checks that idle counts contexts in a row that needed no pull, and starts again at 0 after one that did.
func TestIdleInTurn(t *testing.T) {
	seen := moments.NewVectors(1)
	c := New(2, 1, 2, 0, 0, stream.Root(1))
	pull := func(arm, n int) {
		for range n {
			x := []float32{0}
			seen.Add(x)
			c.Add(x, arm, &seen)
		}
	}
	pull(0, 2+firstMean+settled-50)
	must.Hold(t, !c.over() && c.idle >= settled/2, "%d contexts in turn without a need, over %t", c.idle, c.over())
	before := c.idle
	pull(1, 1) // the first pull of arm 1, which was needed
	must.That(t, c.idle == 0 && before != 0, "%d contexts in turn after a pull that was needed, %d before", c.idle, before)
}

// TestCore checks that AtEnd asks for each arm at most twice near the mean, and never elsewhere.
func TestCore(t *testing.T) {
	seen, r, c := moments.NewVectors(1), stream.Root(6), New(0, 1, 2, 0, 2, stream.Root(1))
	var z [1]float32
	pulls := make([]int, 2)
	for range 2000 {
		r.Normals(z[:])
		seen.Add(z[:])
		arm := c.AtEnd(z[:], &seen, nil)
		if arm >= 0 {
			if pulls[arm]++; math.Abs(float64(z[0])) > 0.1 {
				t.Errorf("arm %d is asked for at %g", arm, z[0])
			}
		}
		c.Add(z[:], max(arm, 0), &seen)
	}
	must.That(t, pulls[0] <= 2 && pulls[1] == 2, "pulls near the mean that were asked for: %d, want at most 2, and 2", pulls)
}
