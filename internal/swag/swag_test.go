package swag_test

import (
	"math"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/checktest"
	"banditsim/internal/swag"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// fit returns a Gaussian over snapshots.
func fit(t *testing.T, dim, rank, memory int, snapshots ...[]float32) *swag.Gaussian {
	t.Helper()
	g, err := swag.New(dim, rank, memory)
	if err != nil {
		t.Fatal(err)
	}
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

// TestByHand has the numbers of three snapshots, (0, 0), (2, 4), (4, 2), with two deviations. Means of their times: (0,
// 0), (1, 2), (2, 2). The mean is (2, 2), the variances are (8/3, 8/3), the deviations (1, 2) and (2, 0), so that the
// covariance is ½(diag(8/3, 8/3) + ((5, 2), (2, 4))). With a memory of one snapshot the mean is the last and there is no
// variance; with one of two, w is 1, ½, ½: means (0, 0), (1, 2), (5/2, 2), variances (0, 0), (1, 4), ½(1 + 9/2, 4 + 0),
// deviations (1, 2), (3/2, 0), and so ½(diag(11/4, 2) + ((13/4, 2), (2, 4))).
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

// TestStationary: descent with noise of variance 4 in each gradient, at the step ε = 0.1 on the quadratic with the
// precisions 1 and 1/5 along its diagonals, is a Gaussian process in the limit, whose variance along a diagonal is the
// one that sgmcmc.ConstSGD claims, εv/(k(2 − εk)). Snapshots 400 steps apart are independent within 3e-4. With n
// of them the expectation of v is Σ_jj(1 − 1/n), that of DDᵀ/(K−1) is Σ·Σ_i(1 − 1/i)/(K−1) over the last K: a draw has
// Σ on the diagonal, within 1/n and 1/(K−1), and half of it beside.
func TestStationary(t *testing.T) {
	const eps, noise, n, rank, apart, repeats = 0.1, 4, 200, 50, 400, 40
	precision := [2]float64{1, 0.2}
	claim := sgmcmc.ConstSGD().Claims.Variance
	along, across := claim(precision[0], noise, eps, 0), claim(precision[1], noise, eps, 0)
	sigma := [2]float64{(along + across) / 2, (along - across) / 2} // on the diagonal, beside
	low := 0.0
	for i := n - rank + 1; i <= n; i++ {
		low += (1 - 1/float64(i)) / (rank - 1)
	}
	want := [2]float64{sigma[0] * (1 - 1/float64(n) + low) / 2, sigma[1] * low / 2}
	var got [2][]float64
	for repeat := range repeats {
		r := checktest.Stream("stationary").Child("repeat", repeat)
		w := make([]float32, 2)
		target := posterior.TargetFunc(2, func(grad, x []float32) float64 {
			u, v := float64(x[0]+x[1])/2*precision[0], float64(x[0]-x[1])/2*precision[1]
			r.Normals(w)
			grad[0], grad[1] = float32(u+v)+float32(math.Sqrt(noise))*w[0], float32(u-v)+float32(math.Sqrt(noise))*w[1]
			return 0
		})
		s, err := sgmcmc.ConstSGD().New(sgmcmc.Plain(eps, 0), sgmcmc.Setup{Chains: 1, Dim: 2})
		if err != nil {
			t.Fatal(err)
		}
		chains := []posterior.Chain{posterior.NewChain(target, make([]float32, 2))}
		g := fit(t, 2, rank, n)
		for range n {
			checktest.Advance(t, s, chains, apart)
			g.Add(chains[0].X)
		}
		_, c := covariance(g, checktest.Stream("draws").Child("repeat", repeat), 2000)
		got[0], got[1] = append(got[0], (c[0][0]+c[1][1])/2), append(got[1], c[0][1])
	}
	for i, name := range []string{"variance", "covariance"} {
		mean, squares := 0.0, 0.0
		for _, v := range got[i] {
			mean += v / repeats
		}
		for _, v := range got[i] {
			squares += (v - mean) * (v - mean)
		}
		se := math.Sqrt(squares / (repeats - 1) / repeats)
		checktest.SE(t, name, mean, want[i], se)
		if !(se < 0.05*math.Abs(want[i])) {
			t.Errorf("%s: a standard error of %g says little about %g", name, se, want[i])
		}
	}
}

// TestRescale: a Gaussian over snapshots in another unit is that over the snapshots in this unit.
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

// TestSaved: a Gaussian that was saved and restored goes on as the one that was not, and damage is an error.
func TestSaved(t *testing.T) {
	g := fit(t, 2, 2, 3, []float32{0, 0}, []float32{2, 4}, []float32{4, 2})
	saved, err := g.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	h := fit(t, 2, 2, 3)
	if err := h.UnmarshalBinary(saved); err != nil {
		t.Fatal(err)
	}
	x, y := make([]float32, 2), make([]float32, 2)
	for _, s := range []*swag.Gaussian{g, h} {
		s.Add([]float32{1, 1})
	}
	g.Draw(x, checktest.Stream("saved"))
	h.Draw(y, checktest.Stream("saved"))
	checktest.Bits(t, "draw", x, y)
	for i := range saved {
		if fit(t, 2, 2, 3).UnmarshalBinary(saved[:i]) == nil {
			t.Fatalf("the first %d bytes of %d are restored", i, len(saved))
		}
	}
	other := fit(t, 3, 2, 3, []float32{0, 0, 0})
	if err := other.UnmarshalBinary(saved); err == nil {
		t.Error("a Gaussian of two dimensions is restored in three")
	}
}

// TestArguments: what New refuses.
func TestArguments(t *testing.T) {
	for _, c := range []struct{ rank, memory int }{{1, 1}, {2, 0}, {-1, 5}, {1 << 40, 5}} {
		if _, err := swag.New(10, c.rank, c.memory); err == nil {
			t.Errorf("rank %d and memory %d are accepted", c.rank, c.memory)
		}
	}
}
