package stats

import (
	"math"
	"slices"
	"testing"

	"banditsim/internal/lists"
	"banditsim/internal/must"
)

// demsar has table 6 of Demšar (2006): areas under the curve of C4.5, C4.5+m, C4.5+cf and C4.5+m+cf on 14 data sets.
var demsar = [][]float64{
	{0.763, 0.768, 0.771, 0.798}, {0.599, 0.591, 0.590, 0.569}, {0.954, 0.971, 0.968, 0.967}, {0.628, 0.661, 0.654, 0.657},
	{0.882, 0.888, 0.886, 0.898}, {0.936, 0.931, 0.916, 0.931}, {0.661, 0.668, 0.609, 0.685}, {0.583, 0.583, 0.563, 0.625},
	{0.775, 0.838, 0.866, 0.875}, {1, 1, 1, 1}, {0.940, 0.962, 0.965, 0.962}, {0.619, 0.666, 0.614, 0.669},
	{0.972, 0.981, 0.975, 0.9749}, // .9749 is rounded to .975 in the table, but ranked lower
	{0.957, 0.978, 0.946, 0.970},
}

// TestFriedmanOfDemsar checks the paper's example: χ² = 9.28 without correction for ties, F = 3.69, critical difference 1.25.
func TestFriedmanOfDemsar(t *testing.T) {
	var loss [][]float64
	for _, row := range demsar {
		l := lists.Each(row, func(v float64) float64 { return -v })
		loss = append(loss, l)
	}
	f := Friedman(loss)
	for i, want := range []float64{3.143, 2.000, 2.893, 1.964} {
		must.Near(t, "mean rank", f.MeanRanks[i], want, 5e-4)
	}
	// There are three ties of two and one of four, so that the correction is 1 − Σ(m³−m)/(n·k(k²−1)) = 1 − (3·6+60)/840.
	plain := float64(f.ChiSquare) * (1 - 78.0/840)
	must.Near(t, "χ² without the correction", plain, 9.28, 5e-3)
	must.Near(t, "F without the correction", 13*plain/(14*3-plain), 3.69, 5e-3)
	must.Near(t, "F", float64(f.F), 13*float64(f.ChiSquare)/(14*3-float64(f.ChiSquare)), 1e-9)
	must.Near(t, "critical difference", Nemenyi(4, 14), 1.25, 5e-3)
}

// TestFriedmanOfScipy checks the example of scipy.stats.friedmanchisquare.
func TestFriedmanOfScipy(t *testing.T) {
	before, after, later := []float64{72, 96, 88, 92, 74, 76, 82}, []float64{120, 120, 132, 120, 101, 96, 112}, []float64{76, 95, 104, 96, 84, 72, 76}
	var blocks [][]float64
	for i := range before {
		blocks = append(blocks, []float64{before[i], after[i], later[i]})
	}
	f := Friedman(blocks)
	must.Near(t, "χ²", float64(f.ChiSquare), 10.57142857142857, 1e-10)
	must.Near(t, "p", float64(f.P), 0.005063414171757498, 1e-10)
	// F with 2 and d degrees of freedom exceeds f with probability (1 + 2f/d)^(−d/2). Here d is 2·6.
	must.Near(t, "p of F", float64(f.FP), math.Pow(1+2*float64(f.F)/12, -6), 1e-12)
	if f := Friedman([][]float64{{1, 1}, {2, 2}}); !math.IsNaN(float64(f.P)) {
		t.Errorf("p of equal values is %v", f.P)
	}
	if f := Friedman([][]float64{{1, 2}, {1, 2}, {0, 5}}); !math.IsInf(float64(f.F), 1) || float64(f.FP) != 0 {
		t.Errorf("of blocks that agree: F %v, p %v", f.F, f.FP)
	}
}

// TestNemenyiQuantiles checks table 5(a) of Demšar (2006).
func TestNemenyiQuantiles(t *testing.T) {
	for i, want := range []float64{1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164} {
		k := i + 2
		must.Near(t, "q", Nemenyi(k, 10)/math.Sqrt(float64(k*(k+1))/60), want, 1.1e-3) // some numbers of the table are truncated, not rounded
	}
	must.That(t, math.IsNaN(Nemenyi(3, 1)), "a critical difference of one block")
}

func TestWilcoxon(t *testing.T) {
	for _, test := range []struct {
		source      string
		differences []float64
		want        float64
	}{
		{"scipy.stats.wilcoxon", []float64{6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75}, 0.041259765625},
		{"R, wilcox.test: depression data (Hollander and Wolfe 1973), V = 40", []float64{0.952, -0.147, 1.022, 0.43, 0.62, 0.59, 0.49, -0.08, 0.01}, 0.0390625},
		{"all of one sign: 2/2⁵", []float64{1, 2, 3, 4, 5}, 1.0 / 16},
		{"ties, and a zero left out: 2/2³", []float64{0, 7, 7, 7}, 0.25},
		{"balanced", []float64{1, -1}, 1},
	} {
		must.Near(t, test.source, Wilcoxon(test.differences), test.want, 1e-12)
	}
	must.That(t, math.IsNaN(Wilcoxon([]float64{0, 0})), "a p-value without differences")
}

func TestRanks(t *testing.T) {
	got := Ranks([]float64{3, 1, 3, 2, 3})
	must.That(t, slices.Equal(got, []float64{4, 1, 4, 2, 4}), "%v", got)
}
