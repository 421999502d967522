package swag_test

import (
	"math"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/checktest"
	"banditsim/internal/must"
	"banditsim/internal/swag"
)

// fit returns a Gaussian that is fitted to the snapshots.
func fit(t *testing.T, dim, rank, memory int, snapshots ...[]float32) *swag.Gaussian {
	t.Helper()
	g := must.Get(swag.New(dim, rank, memory))(t)
	for _, x := range snapshots {
		g.Add(x)
	}
	return g
}

// covariance returns the means and covariances of n draws in two dimensions.
func covariance(g *swag.Gaussian, r *stream.Stream, n int) (mean [2]float64, c [2][2]float64) {
	x := make([]float32, 2)
	var squares [2][2]float64
	for range n {
		g.Draw(x, r)
		for i := range 2 {
			mean[i] += float64(x[i]) / float64(n)
			for j := range 2 {
				squares[i][j] += float64(x[i]) * float64(x[j]) / float64(n)
			}
		}
	}
	for i := range 2 {
		for j := range 2 {
			c[i][j] = squares[i][j] - mean[i]*mean[j]
		}
	}
	return mean, c
}

// TestByHand checks mean and covariance after the snapshots (0, 0), (2, 4), (4, 2), at rank 2. With a memory of 3 the means after the
// snapshots are (0, 0), (1, 2), (2, 2), the last variances (8/3, 8/3), and the deviations (1, 2), (2, 0): the covariance is ½(diag(8/3,
// 8/3) + ((5, 2), (2, 4))). With a memory of 2, w is 1, ½, ½, the means are (0, 0), (1, 2), (5/2, 2), the variances (0, 0), (1, 4), ½(1 +
// 9/2, 4 + 0), and the deviations (1, 2), (3/2, 0): the covariance is ½(diag(11/4, 2) + ((13/4, 2), (2, 4))). With a memory of 1 the mean
// is the last snapshot and the covariance 0.
func TestByHand(t *testing.T) {
	snapshots := [][]float32{{0, 0}, {2, 4}, {4, 2}}
	for _, c := range []struct {
		name   string
		memory int
		mean   [2]float64
		want   [2][2]float64
	}{
		{"all snapshots count alike", 3, [2]float64{2, 2}, [2][2]float64{{23. / 6, 1}, {1, 10. / 3}}},
		{"a memory of two", 2, [2]float64{2.5, 2}, [2][2]float64{{3, 1}, {1, 3}}},
		{"a memory of one", 1, [2]float64{4, 2}, [2][2]float64{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			const n = 100_000
			g := fit(t, 2, 2, c.memory, snapshots...)
			mean, got := covariance(g, checktest.Stream("by hand"), n)
			µ := make([]float32, 2)
			g.Mean(µ)
			for i := range 2 {
				checktest.Near(t, "µ", float64(µ[i]), c.mean[i], 1e-7)
				checktest.SE(t, "mean", mean[i], c.mean[i], math.Sqrt(c.want[i][i]/n)+1e-7)
				for j := range 2 {
					se := math.Sqrt((c.want[i][i]*c.want[j][j] + c.want[i][j]*c.want[i][j]) / n)
					checktest.SE(t, "covariance", got[i][j], c.want[i][j], se+1e-6)
				}
			}
		})
	}
}

// TestRescale checks that rescaling a Gaussian gives the same as fitting it to rescaled snapshots.
func TestRescale(t *testing.T) {
	a := fit(t, 2, 2, 3, []float32{0, 0}, []float32{2, 4}, []float32{4, 2})
	a.Rescale(1, 2, -3, 5)
	b := fit(t, 2, 2, 3, []float32{0, 5}, []float32{2, -7}, []float32{4, -1})
	x, y := make([]float32, 2), make([]float32, 2)
	a.Mean(x)
	b.Mean(y)
	checktest.Bits(t, "mean", x, y)
	_, va := covariance(a, checktest.Stream("rescale"), 100_000)
	_, vb := covariance(b, checktest.Stream("rescale"), 100_000)
	for i := range 2 {
		for j := range 2 {
			checktest.Near(t, "covariance", va[i][j], vb[i][j], 0.03)
		}
	}
}

// TestSaved checks that a restored Gaussian continues as the saved one does, and that damaged bytes are an error.
func TestSaved(t *testing.T) {
	g := fit(t, 2, 2, 3, []float32{0, 0}, []float32{2, 4}, []float32{4, 2})
	saved := must.Get(g.MarshalBinary())(t)
	h := fit(t, 2, 2, 3)
	must.OK(t, h.UnmarshalBinary(saved))
	x, y := make([]float32, 2), make([]float32, 2)
	for _, s := range []*swag.Gaussian{g, h} {
		s.Add([]float32{1, 1})
	}
	g.Draw(x, checktest.Stream("saved"))
	h.Draw(y, checktest.Stream("saved"))
	checktest.Bits(t, "draw", x, y)
	for i := range saved {
		must.Hold(t, fit(t, 2, 2, 3).UnmarshalBinary(saved[:i]) != nil, "the first %d bytes of %d are restored", i, len(saved))
	}
	other := fit(t, 3, 2, 3, []float32{0, 0, 0})
	must.That(t, other.UnmarshalBinary(saved) != nil, "a Gaussian of two dimensions is restored in three")
}

// TestArguments checks that New returns an error for arguments out of range.
func TestArguments(t *testing.T) {
	for _, c := range []struct{ rank, memory int }{{1, 1}, {2, 0}, {-1, 5}, {math.MaxInt / 2, 5}} {
		_, err := swag.New(10, c.rank, c.memory)
		must.That(t, err != nil, "rank %d and memory %d are accepted", c.rank, c.memory)
	}
}
