package density_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"

	"banditsim/bandit/stream"
	"banditsim/internal/checktest"
	"banditsim/internal/must"
	"banditsim/lab/density"
	"banditsim/posterior"
)

// TestGradients compares every gradient with central differences of the energy. Positions and the step h are
// multiples of 2⁻¹⁰, which float32 represents exactly.
func TestGradients(t *testing.T) {
	const h = 1. / 1024
	for _, c := range []struct {
		name   string
		target posterior.Target
		third  float64 // bound on the third derivative: the error of a central difference is below third·h²/6
	}{
		{"gaussian", density.NewGaussian([]float64{1, 0.25, 8}, 0, nil), 0},
		{"mixture", density.Mixture{}, 1000}, // the third derivative is about 10³ at the saddle between the components
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
				must.Get(c.target.EnergyGrad(grad, x))(t)
				for i, at := range x {
					x[i] = at + h
					high, _ := c.target.EnergyGrad(scratch, x)
					x[i] = at - h
					low, _ := c.target.EnergyGrad(scratch, x)
					x[i] = at
					// The second term allows for rounding: the gradient is a float32, energies have a relative error of 1e-15.
					tolerance := c.third*h*h/6 + 1e-6*(1+math.Abs(float64(grad[i])))
					if c.name == "landscape" && math.Abs(float64(x[0])*float64(x[0])+float64(x[1])*float64(x[1])-20) < 0.1 {
						continue // a kink
					}
					checktest.Near(t, fmt.Sprintf("derivative %d at %v", i, x), float64(grad[i]), (high-low)/(2*h), tolerance)
				}
			}
		})
	}
}

// TestMixture checks that e^(−U) is the density of the mixture, that it integrates to 1, and that U stays finite where
// both components underflow.
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

// TestLandscapeTruth checks that the cells' masses are those in docs/algorithms.md, and that the masses of finer cells add
// up to those of coarser cells.
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
	// The ratio of two cells, by integrating the energy in two dimensions.
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

// TestLandscapeShape checks the range of energies in the box, an energy outside, and Inside.
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
		must.Equal(t, fmt.Sprintf("%v inside", c.x), l.Inside(c.x), c.want)
	}
}

// TestNoise checks mean and variance of the noise of energy and gradient, and that an evaluation allocates nothing. Tolerances are 6
// standard errors, which are σ/√n for the mean of n normals and σ²·√(2/n) for their variance.
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
			u := must.Get(c.target.EnergyGrad(grad, x))(t)
			for i, v := range []float64{float64(grad[0]), float64(grad[1]), u}[:len(c.truth)] {
				sum[i] += v - c.truth[i]
				square[i] += (v - c.truth[i]) * (v - c.truth[i])
			}
		}
		must.Equal(t, c.name+": allocations", testing.AllocsPerRun(1000, func() { _, _ = c.target.EnergyGrad(grad, x) }), 0)
		for i := range c.truth {
			checktest.Near(t, fmt.Sprint(c.name, ": mean of the noise ", i), sum[i]/n, 0, 6*0.25/math.Sqrt(n))
			checktest.Near(t, fmt.Sprint(c.name, ": variance of the noise ", i), square[i]/n, 0.0625, 6*0.0625*math.Sqrt(2./n))
		}
	}
}

// TestSamples compares the shares of exact draws in the cells with the cells' masses. The tolerance is 6 standard errors,
// which are √(p(1−p)/n) for a share p of n draws.
func TestSamples(t *testing.T) {
	const n = 100_000
	l := density.NewLandscape(0, nil)
	draw := l.Sampler(stream.Root(4))
	cells := make([]int, 25)
	x := make([]float32, 2)
	for range n {
		draw(x)
		cells[int(x[1]+2.5)*5+int(x[0]+2.5)]++
	}
	for i, p := range l.Cells(5) {
		checktest.Near(t, fmt.Sprint("landscape, cell ", i), float64(cells[i])/n, p, 6*math.Sqrt(p*(1-p)/n))
	}
}

// TestWeightsUndoTheContour checks that the law at a fixed θ, weighted with Ψ^ζ, has the masses of the density in the bins
// as ε → 0, for any θ. The error at a finite ε is O(ε), which an extrapolation from two step sizes removes.
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

func mixture(bins int, zeta, tau float64) density.Contour {
	return density.Contour{Bins: bins, Width: 1, Start: 1.15, Zeta: zeta, Temperature: tau}
}

// TestFixedPoint compares θ*, multipliers and masses with the numbers in docs/algorithms.md, to the digits printed there.
func TestFixedPoint(t *testing.T) {
	c := mixture(10, 0.9, 1)
	logTheta, mass := c.FixedPoint(density.Mixture{})
	for i, want := range []float64{0.8851, 0.0643, 0.0421, 0.0044} {
		checktest.Near(t, fmt.Sprint("θ", i+1), math.Exp(logTheta[i]), want, 5e-5)
	}
	for i, want := range []float64{1, -1.36, 0.62, -1.03, 0.74} {
		checktest.Near(t, fmt.Sprint("M", i+1), c.Multiplier(i, logTheta), want, 5e-3)
	}
	for i, want := range []float64{0.6910, 0.2289, 0.0558, 0.01654, 0.00524, 0.00172, 0.000577, 0.000196, 6.75e-5} {
		checktest.Near(t, fmt.Sprint("mass ", i+1), mass[i]/want, 1, 3e-3) // quoted to three digits
	}
	// The last mass in docs/algorithms.md is that of bin 10 of 100. Bin 10 of 10 also contains all higher energies.
	_, many := mixture(100, 0.9, 1).FixedPoint(density.Mixture{})
	checktest.Near(t, "mass 10", many[9]/2.34e-5, 1, 3e-3)
	sum := 0.0
	for _, l := range logTheta {
		sum += math.Exp(l)
	}
	checktest.Near(t, "Σθ", sum, 1, 1e-12)
}

// TestFixedPointIsFlat integrates the flattened density over each bin with independent code, on another grid, at two temperatures.
func TestFixedPointIsFlat(t *testing.T) {
	for _, tau := range []float64{1, 1.5} {
		c := mixture(8, 0.7, tau)
		logTheta, mass := c.FixedPoint(density.Mixture{})
		const h = 4e-5
		integral, plain := make([]float64, 8), make([]float64, 8)
		for x := -22 + h/2; x < 20; x += h {
			u, _ := density.Mixture{}.At(x)
			i := 0
			for i < 7 && u > 1.15+float64(i+1) {
				i++
			}
			psi := math.Exp(logTheta[0])
			if i > 0 {
				psi = math.Exp(logTheta[i-1] + (logTheta[i]-logTheta[i-1])*(u-1.15-float64(i)))
			}
			integral[i] += math.Exp(-u/tau) * math.Pow(psi, -0.7)
			plain[i] += math.Exp(-u / tau)
		}
		total, all := 0.0, 0.0
		for i := range integral {
			total += integral[i]
			all += plain[i]
		}
		for i := range integral {
			// The grid misses a bin's borders by up to h/2; bins are about .2 wide in x.
			checktest.Near(t, fmt.Sprintf("τ = %g: share of bin %d", tau, i+1), 8*integral[i]/total, 1, 4e-4)
			checktest.Near(t, fmt.Sprintf("τ = %g: mass of bin %d", tau, i+1), mass[i]/(plain[i]/all), 1, 4e-4)
		}
	}
}

// TestFixedPointAndZeta checks that ζ·log(θ*(i)/θ*(1)) does not depend on ζ.
func TestFixedPointAndZeta(t *testing.T) {
	a, _ := mixture(10, 0.9, 1).FixedPoint(density.Mixture{})
	b, _ := mixture(10, 1.8, 1).FixedPoint(density.Mixture{})
	for i := range a {
		checktest.Near(t, fmt.Sprint("ζ·log θ", i+1), 1.8*(b[i]-b[0]), 0.9*(a[i]-a[0]), 1e-9)
	}
}

// quadratic is x²/2.
type quadratic struct{}

func (quadratic) At(x float64) (u, du float64) { return x * x / 2, x }
func (quadratic) Support() (low, high float64) { return -14, 14 }

// TestLaw checks that without a contour the variance on U = x²/2 is that of an AR(1) process, τ/(1 − ε/2), and that with a
// contour at the discrete fixed point the chain spends the same time in all bins.
func TestLaw(t *testing.T) {
	for _, tau := range []float64{1, 2} {
		const eps = 0.05
		one := density.Contour{Bins: 1, Width: 1, Zeta: 1, Temperature: tau}
		law := one.Law(quadratic{}, eps, []float64{0})
		variance := 0.0
		for i, x := range law.Middle {
			variance += law.Share[i] * x * x
		}
		// The cells' width, a quarter of the noise's standard deviation, causes errors of about 1e-3.
		checktest.Near(t, fmt.Sprint("variance at τ = ", tau), variance/(tau/(1-eps/2)), 1, 2e-3)
	}
	c := mixture(10, 0.9, 1)
	const eps = 0.02
	for i, o := range c.Law(density.Mixture{}, eps, c.DiscreteFixedPoint(density.Mixture{}, eps)).Occupancy(10) {
		checktest.Near(t, fmt.Sprint("share of bin ", i+1), 10*o, 1, 3e-3) // error after 40 iterations
	}
}

// TestFlattened checks the law in the limit ε → 0: it spends the same time in all bins at θ*, the law at a finite ε tends to it,
// and with ζ = 0 it has the bins' masses.
func TestFlattened(t *testing.T) {
	c := mixture(10, 0.9, 1)
	logTheta, mass := c.FixedPoint(density.Mixture{})
	flat := c.Flattened(density.Mixture{}, 1e-3, logTheta).Occupancy(c.Bins)
	plain := c
	plain.Zeta = 0
	for i, share := range plain.Flattened(density.Mixture{}, 1e-3, logTheta).Occupancy(c.Bins) {
		checktest.Near(t, fmt.Sprint("mass ", i+1), share/mass[i], 1, 1e-3)
		checktest.Near(t, fmt.Sprint("time in bin ", i+1), flat[i], 0.1, 1e-4)
	}
	furthest := func(eps float64) (d float64) {
		for i, share := range c.Law(density.Mixture{}, eps, logTheta).Occupancy(c.Bins) {
			d = max(d, math.Abs(share-flat[i]))
		}
		return d
	}
	coarse, fine := furthest(0.04), furthest(0.01)
	must.That(t, fine < 0.7*coarse, "the law is off by %g at ε = 0.04, by %g at 0.01", coarse, fine)
}

// TestBuffered checks that the numbers are those of one long vector, whatever the lengths of the calls.
func TestBuffered(t *testing.T) {
	const chunk, chunks = 4096, 3
	var want []float32
	r := stream.Root(3).Child("noise")
	for range chunks {
		v := make([]float32, chunk)
		r.Normals(v)
		want = append(want, v...)
	}
	b := density.NewBuffered(stream.Root(3).Child("noise"))
	var got []float32
	for i := 0; len(got) < len(want); i++ {
		v := make([]float32, min([]int{1, 3, 0, 500, 5000}[i%5], len(want)-len(got)))
		b.Normals(v)
		got = append(got, v...)
	}
	for i := range want {
		must.Hold(t, got[i] == want[i], "number %d is %g, want %g", i, got[i], want[i])
	}
	v := make([]float32, 3)
	must.Equal(t, "allocations a call", testing.AllocsPerRun(1000, func() { b.Normals(v) }), 0)
}
