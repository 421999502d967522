package claims

import (
	"math"
	"testing"

	"banditsim/bandit/stream"
)

// TestSteinKernel compares with s·s'·k + s·∂k/∂y + s'·∂k/∂x + ∂²k/∂x∂y by differences of k = (1 + (x−y)²)^(−½).
func TestSteinKernel(t *testing.T) {
	k := func(x, y float64) float64 { return 1 / math.Sqrt(1+(x-y)*(x-y)) }
	const h = 1e-4
	for _, c := range []struct{ x, y, sx, sy float64 }{{0.3, -0.5, 1, 0}, {0.3, -0.5, 0, 1}, {2, 2.5, -0.7, 1.3}, {-1, 3, 0.4, 0.9}, {1, 1, 2, 3}} {
		dx, dy := (k(c.x+h, c.y)-k(c.x-h, c.y))/(2*h), (k(c.x, c.y+h)-k(c.x, c.y-h))/(2*h)
		dxy := (k(c.x+h, c.y+h) - k(c.x+h, c.y-h) - k(c.x-h, c.y+h) + k(c.x-h, c.y-h)) / (4 * h * h)
		want := c.sx*c.sy*k(c.x, c.y) + c.sx*dy + c.sy*dx + dxy
		if got := steinKernel(c.x-c.y, c.sx, c.sy); !(math.Abs(got-want) < 1e-6) {
			t.Errorf("%+v: %.9g, want %.9g", c, got, want)
		}
	}
}

// TestSteinDiscrepancy: it is 0 in the mean for draws from the density whose scores they have, and above for others.
func TestSteinDiscrepancy(t *testing.T) {
	r := stream.Root(3)
	const n, replicates = 400, 40
	x, s := make([]float32, n), make([]float64, n)
	for _, sd := range []float32{1, 1.4, 0.7} { // with the scores of a standard normal
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
