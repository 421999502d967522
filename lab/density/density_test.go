package density_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"

	"banditsim/bandit/stream"
	"banditsim/internal/checktest"
	"banditsim/lab/density"
	"banditsim/posterior"
)

// TestGradients compares every gradient with central differences of its energy. The positions are
// multiples of 2⁻¹⁰, which float32 represents, as it does the steps of h.
func TestGradients(t *testing.T) {
	const h = 1. / 1024
	for _, c := range []struct {
		name   string
		target posterior.Target
		third  float64 // a bound of the third derivative: the error is below third·h²/6
	}{
		{"gaussian", density.NewGaussian([]float64{1, 0.25, 8}, 0, nil), 0},
		{"mixture", density.Mixture{}, 1000}, // 10³ in the saddle between the components
		{"landscape", density.NewLandscape(0, nil), 2 * math.Pow(2*math.Pi, 3)},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := stream.Root(1)
			d := c.target.Dim()
			x, grad, scratch := make([]float32, d), make([]float32, d), make([]float32, d)
			for range 500 {
				for i := range x {
					x[i] = float32(math.Round((r.Float64()*20-10)*1024)) / 1024
				}
				if _, err := c.target.EnergyGrad(grad, x); err != nil {
					t.Fatal(err)
				}
				for i, at := range x {
					x[i] = at + h
					high, _ := c.target.EnergyGrad(scratch, x)
					x[i] = at - h
					low, _ := c.target.EnergyGrad(scratch, x)
					x[i] = at
					// Rounding: the gradient is a float32, the energies are float64 to 1e-15.
					tolerance := c.third*h*h/6 + 1e-6*(1+math.Abs(float64(grad[i])))
					if x2 := norm2(x); c.name == "landscape" && math.Abs(x2-20) < 0.1 {
						continue // a kink
					}
					checktest.Near(t, fmt.Sprintf("derivative %d at %v", i, x), float64(grad[i]), (high-low)/(2*h), tolerance)
				}
			}
		})
	}
}

func norm2(x []float32) (sum float64) {
	for _, v := range x {
		sum += float64(v) * float64(v)
	}
	return sum
}

// TestMixture: e^(−U) is the density as it is written, sums to 1, and U stays finite where both
// components underflow.
func TestMixture(t *testing.T) {
	pi := func(x float64) float64 {
		u, _ := density.Mixture{}.At(x)
		return math.Exp(-u)
	}
	normal := func(x, mean float64) float64 { return math.Exp(-(x-mean)*(x-mean)/2) / math.Sqrt(2*math.Pi) }
	for x := -12.0; x <= 10; x += 0.5 {
		checktest.Near(t, fmt.Sprint("π at ", x), pi(x), 0.4*normal(x, -6)+0.6*normal(x, 4), 1e-15)
	}
	checktest.Near(t, "mass", quad.Fixed(pi, -16, 14, 200, nil, 0), 1, 1e-9)
	for x, want := range map[float64]float64{-1e4: -1e4 + 6, 1e4: 1e4 - 4} {
		u, du := density.Mixture{}.At(x)
		checktest.Near(t, fmt.Sprint("U' at ", x), du, want, 1e-9)
		checktest.Near(t, fmt.Sprint("U/(x²/2) at ", x), u/(want*want/2), 1, 1e-6)
	}
}

// TestLandscapeTruth: the cells' masses are those in docs/algorithms.md, and finer cells add up
// to coarser ones.
func TestLandscapeTruth(t *testing.T) {
	l := density.NewLandscape(0, nil)
	line := l.Line(density.LandscapeCells)
	for i, want := range []float64{0.1276, 0.2314, 0.2822, 0.2314, 0.1276} {
		checktest.Near(t, fmt.Sprint("cell ", i), line[i], want, 5e-5)
	}
	cells := l.Cells(density.LandscapeCells)
	for i, got := range cells {
		checktest.Near(t, fmt.Sprint("cell ", i), got, line[i/5]*line[i%5], 1e-15)
	}
	fine := l.Cells(50)
	sums := make([]float64, 25)
	for i, v := range fine {
		sums[i/50/10*5+i%50/10] += v
	}
	for i := range sums {
		checktest.Near(t, fmt.Sprint("sum of fine cells ", i), sums[i], cells[i], 1e-12)
	}
	// One cell by the energy itself, in two dimensions.
	integral := func(low, high float64) float64 {
		return quad.Fixed(func(y float64) float64 {
			return quad.Fixed(func(x float64) float64 {
				u, _, _ := l.At(x, y)
				return math.Exp(-u)
			}, -0.5, 0.5, 40, nil, 0)
		}, low, high, 40, nil, 0)
	}
	checktest.Near(t, "ratio of the cells (2, 1) and (2, 2)", integral(-1.5, -0.5)/integral(-0.5, 0.5), cells[7]/cells[12], 1e-9)
}

// TestLandscapeShape: the box's energies, and the wall outside.
func TestLandscapeShape(t *testing.T) {
	l := density.NewLandscape(0, nil)
	low, high := math.Inf(1), math.Inf(-1)
	for i := range 501 {
		for j := range 501 {
			u, _, _ := l.At(float64(i-250)/100, float64(j-250)/100)
			low, high = min(low, u), max(high, u)
		}
	}
	checktest.Near(t, "lowest energy", low, -4, 1e-12)
	checktest.Near(t, "highest energy", high, 6.5, 1e-12) // in the corners: 0.2·12.5 + 4
	u, _, _ := l.At(5, 0)
	checktest.Near(t, "U(5, 0)", u, 0.2*25-4+5, 1e-12)
	for _, c := range []struct {
		x    []float32
		want bool
	}{{[]float32{0, 0}, true}, {[]float32{2.5, -2.5}, true}, {[]float32{2.51, 0}, false}, {[]float32{0, -2.51}, false}, {[]float32{float32(math.NaN()), 0}, false}} {
		if got := l.Inside(c.x); got != c.want {
			t.Errorf("%v inside: %t", c.x, got)
		}
	}
}

// TestNoise: an evaluation allocates nothing; mean and variance of the noise of energy and gradient. The standard error of a
// variance σ² of n normals is σ²·√(2/n), of a mean σ/√n; 6 of them.
func TestNoise(t *testing.T) {
	const n = 400_000
	l := density.NewLandscape(0.25, stream.Root(2).Child("landscape"))
	g := density.NewGaussian([]float64{2, 2}, 0.0625, stream.Root(2).Child("gaussian"))
	u0, dx, dy := l.At(0.25, -0.75)
	for _, c := range []struct {
		name   string
		target posterior.Target
		truth  []float64
		energy bool
	}{{"landscape", l, []float64{dx, dy, u0}, true}, {"gaussian", g, []float64{0.5, -1.5}, false}} {
		x, grad := []float32{0.25, -0.75}, make([]float32, 2)
		var sum, square [3]float64
		for range n {
			u, err := c.target.EnergyGrad(grad, x)
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range []float64{float64(grad[0]), float64(grad[1]), u}[:len(c.truth)] {
				sum[i] += v - c.truth[i]
				square[i] += (v - c.truth[i]) * (v - c.truth[i])
			}
		}
		if n := testing.AllocsPerRun(1000, func() { _, _ = c.target.EnergyGrad(grad, x) }); n != 0 {
			t.Errorf("%s: %g allocations", c.name, n)
		}
		for i := range c.truth {
			checktest.Near(t, fmt.Sprint(c.name, ": mean of the noise ", i), sum[i]/n, 0, 6*0.25/math.Sqrt(n))
			checktest.Near(t, fmt.Sprint(c.name, ": variance of the noise ", i), square[i]/n, 0.0625, 6*0.0625*math.Sqrt(2./n))
		}
	}
}

// TestSamples: exact draws fall into cells as often as they should. A share p of n draws has the
// standard error √(p(1−p)/n); 6 of them.
func TestSamples(t *testing.T) {
	const n = 100_000
	share := func(name string, hits int, p float64) {
		t.Helper()
		checktest.Near(t, name, float64(hits)/n, p, 6*math.Sqrt(p*(1-p)/n))
	}
	l := density.NewLandscape(0, nil)
	draw := l.Sampler(stream.Root(4))
	cells := make([]int, 25)
	x := make([]float32, 2)
	for range n {
		draw(x)
		cells[int(x[1]+2.5)*5+int(x[0]+2.5)]++
	}
	for i, p := range l.Cells(5) {
		share(fmt.Sprint("landscape, cell ", i), cells[i], p)
	}
}

// TestWeightsUndoTheContour: the law at a fixed θ, weighted with Ψ^ζ, has the bins' own masses as
// ε → 0, for any θ; at a finite ε it is off by O(ε), which an extrapolation from two steps
// removes.
func TestWeightsUndoTheContour(t *testing.T) {
	c := mixture(8, 0.9, 1)
	logTheta, mass := c.FixedPoint(density.Mixture{})
	for i := range logTheta {
		logTheta[i] += 0.3 * float64(i%3)
	}
	recovered := func(eps float64) []float64 {
		law := c.Law(density.Mixture{}, eps, logTheta)
		w, sum := make([]float64, c.Bins), 0.0
		for i, share := range law.Share {
			u, _ := density.Mixture{}.At(law.Middle[i])
			p := share * math.Exp(c.Zeta*c.LogPsi(u, logTheta))
			w[law.Index[i]] += p
			sum += p
		}
		for i := range w {
			w[i] /= sum
		}
		return w
	}
	full, half := recovered(0.00125), recovered(0.000625)
	for i, m := range mass {
		checktest.Near(t, fmt.Sprint("share of bin ", i+1), (2*half[i]-full[i])/m, 1, 1e-3)
	}
}
