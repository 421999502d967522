package claims

import (
	"fmt"
	"math"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/must"
)

// TestMixingOfAFewDraws compares with the results of another program, which uses ranks, normal quantiles and variances from SciPy and
// implements equations 3, 4, 10 to 14 of Vehtari et al. literally. With so few draws an error in any constant shows.
func TestMixingOfAFewDraws(t *testing.T) {
	for _, c := range []struct {
		name      string
		draws     [][]float64
		ess, rHat float64
	}{
		{"growing, odd, with ties", [][]float64{{1, 3, 2, 5, 4, 7, 9, 6, 8}, {2, 2, 4, 3, 6, 5, 10, 12, 7}}, 3.5333932818600298, 1.6828467077437834},
		{"alternating", [][]float64{{1, 4, 2, 8, 5, 7, 3, 6}, {2, 9, 4, 1, 6, 3, 5, 8}}, 19.265919722494797, 0.9594213890736663},
		{"waves", [][]float64{{0.5, 0.9, 1.6, 1.2, 0.3, -0.4, -0.9, -0.2, 0.1, 0.8, 1.1, 0.4}, {-0.3, -0.6, 0.2, 0.7, 1.4, 1.5, 0.6, 0, -0.8, -1.3, -0.5, 0.35}}, 12.227204528250702, 1.0722019464755637},
	} {
		must.Near(t, c.name+": effective sample size", effectiveSampleSize(c.draws), c.ess, 1e-9*c.ess)
		must.Near(t, c.name+": split-R̂", splitRHat(c.draws), c.rHat, 1e-9)
	}
	still := effectiveSampleSize([][]float64{make([]float64, 10), make([]float64, 10)})
	must.That(t, math.IsNaN(still), "chains that do not move have an effective sample size of %g", still)
	// Blom's scores for four ranks from tables; R̂ by hand: variances 5/3 within and 2 between, total ¾·5/3 + 2 = 3.25.
	for i, want := range []float64{-1.0491, -0.2993, 0.2993, 1.0491} {
		must.Near(t, "a normal score of four", rankNormalized([][]float64{{10, 20, 30, 40}})[0][i], want, 5e-5)
	}
	must.Near(t, "R̂", rHat([][]float64{{1, 2, 3, 4}, {3, 4, 5, 6}}), math.Sqrt(3.25/(5./3)), 1e-12)
}

// TestSteinKernel compares with s·s'·k + s·∂k/∂y + s'·∂k/∂x + ∂²k/∂x∂y by finite differences of k = (1 + (x−y)²)^(−½).
func TestSteinKernel(t *testing.T) {
	k := func(x, y float64) float64 { return 1 / math.Sqrt(1+(x-y)*(x-y)) }
	const h = 1e-4
	for _, c := range []struct{ x, y, sx, sy float64 }{{0.3, -0.5, 1, 0}, {0.3, -0.5, 0, 1}, {2, 2.5, -0.7, 1.3}, {-1, 3, 0.4, 0.9}, {1, 1, 2, 3}} {
		dx, dy := (k(c.x+h, c.y)-k(c.x-h, c.y))/(2*h), (k(c.x, c.y+h)-k(c.x, c.y-h))/(2*h)
		dxy := (k(c.x+h, c.y+h) - k(c.x+h, c.y-h) - k(c.x-h, c.y+h) + k(c.x-h, c.y-h)) / (4 * h * h)
		want := c.sx*c.sy*k(c.x, c.y) + c.sx*dy + c.sy*dx + dxy
		must.Near(t, fmt.Sprint(c), steinKernel(c.x-c.y, c.sx, c.sy), want, 1e-6)
	}
}

// TestSteinDiscrepancy checks that with the scores of a standard normal the mean discrepancy is 0 for standard normal draws, and
// positive for other standard deviations.
func TestSteinDiscrepancy(t *testing.T) {
	r := stream.Root(3)
	const n, replicates = 400, 40
	x, s := make([]float32, n), make([]float64, n)
	for _, sd := range []float32{1, 1.4, 0.7} {
		var sum, squares float64
		for range replicates {
			r.Normals(x)
			for i := range x {
				x[i] *= sd
				s[i] = -float64(x[i])
			}
			d := steinDiscrepancy(x, s)
			sum, squares = sum+d/replicates, squares+d*d/replicates
		}
		se := math.Sqrt((squares - sum*sum) / (replicates - 1))
		if off := sum / se; sd == 1 && !(math.Abs(off) < 5) || sd != 1 && !(off > 10) {
			t.Errorf("standard deviation %g: the discrepancy is %.3g, %.1f standard errors above 0", sd, sum, off)
		}
	}
}
