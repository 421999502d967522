package density_test

import (
	"fmt"
	"math"
	"testing"

	"banditsim/internal/checktest"
	"banditsim/lab/density"
)

func mixture(bins int, zeta, tau float64) density.Contour {
	return density.Contour{Bins: bins, Width: 1, Start: 1.15, Zeta: zeta, Temperature: tau}
}

// TestFixedPoint: θ*, multipliers and masses are those in docs/algorithms.md, to the digits
// there.
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
	// The last is quoted of a bin of width 1, of 100.
	_, many := mixture(100, 0.9, 1).FixedPoint(density.Mixture{})
	checktest.Near(t, "mass 10", many[9]/2.34e-5, 1, 3e-3)
	sum := 0.0
	for _, l := range logTheta {
		sum += math.Exp(l)
	}
	checktest.Near(t, "Σθ", sum, 1, 1e-12)
}

// TestFixedPointIsFlat integrates the flattened density by other code, on another grid and at
// another temperature.
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
			// The grid misses a bin's borders by up to h/2, of bins some .2 wide.
			checktest.Near(t, fmt.Sprintf("τ = %g: share of bin %d", tau, i+1), 8*integral[i]/total, 1, 4e-4)
			checktest.Near(t, fmt.Sprintf("τ = %g: mass of bin %d", tau, i+1), mass[i]/(plain[i]/all), 1, 4e-4)
		}
	}
}

// TestFixedPointAndZeta: ζ·log θ* does not depend on ζ.
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

// TestLaw: without a contour the chain is an AR(1) with the variance τ/(1 − ε/2). With one at its
// own fixed point it spends the same time in all bins.
func TestLaw(t *testing.T) {
	for _, tau := range []float64{1, 2} {
		const eps = 0.05
		one := density.Contour{Bins: 1, Width: 1, Zeta: 1, Temperature: tau}
		law := one.Law(quadratic{}, eps, []float64{0})
		variance := 0.0
		for i, x := range law.Middle {
			variance += law.Share[i] * x * x
		}
		// The grid's cells are a quarter of the noise wide: some 1e-3.
		checktest.Near(t, fmt.Sprint("variance at τ = ", tau), variance/(tau/(1-eps/2)), 1, 2e-3)
	}
	c := mixture(10, 0.9, 1)
	const eps = 0.02
	for i, o := range c.Law(density.Mixture{}, eps, c.DiscreteFixedPoint(density.Mixture{}, eps)).Occupancy(10) {
		checktest.Near(t, fmt.Sprint("share of bin ", i+1), 10*o, 1, 3e-3) // what 40 corrections leave
	}
}

// TestFlattened: the law of ε → 0 spends the same time in all bins at θ*, that of the step ε tends to it, and with ζ = 0
// it has the bins' masses. Its cells are a quarter of a step wide.
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
	if coarse, fine := furthest(0.04), furthest(0.01); !(fine < 0.7*coarse) {
		t.Errorf("the law is off by %g at ε = 0.04, by %g at 0.01", coarse, fine)
	}
}
