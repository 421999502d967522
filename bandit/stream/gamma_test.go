package stream

import (
	"fmt"
	"math"
	"testing"

	"banditsim/internal/must"
)

// TestGamma compares mean and variance (both the shape a) and, for the mean of logarithms, the digamma
// function: 5 standard errors, six numbers a shape, so a right generator fails one time in 10⁵; the
// seed is fixed.
func TestGamma(t *testing.T) {
	const n = 200_000
	for _, c := range []struct{ shape, digamma, trigamma float64 }{
		{0.5, -1.9635100260214235, 4.934802200544679},
		{1, -0.5772156649015329, 1.6449340668482264},
		{7.25, 1.9104535437588613, 0.14786956},
	} {
		r := Root(3)
		var sum, squares, logs float64
		for range n {
			x := r.Gamma(c.shape)
			sum += x
			squares += (x - c.shape) * (x - c.shape)
			logs += math.Log(x)
		}
		a := c.shape
		of := fmt.Sprint(" of gamma ", a)
		must.Near(t, "mean"+of, sum/n, a, 5*math.Sqrt(a/n))
		must.Near(t, "variance"+of, squares/n, a, 5*math.Sqrt((2*a*a+6*a)/n))
		must.Near(t, "mean logarithm"+of, logs/n, c.digamma, 5*math.Sqrt(c.trigamma/n))
	}
}
