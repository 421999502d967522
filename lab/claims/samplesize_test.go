package claims

import (
	"math"
	"testing"

	"banditsim/bandit/stream"
)

// ar1 returns chains of an AR(1) process with a coefficient, standard normal, shifted and scaled
// by chain.
func ar1(r *stream.Stream, a float64, chains, n int, shift, scale func(chain int) float64) [][]float64 {
	b := stream.NewBuffered(r)
	w := make([]float32, 1)
	var all [][]float64
	for c := range chains {
		b.Normals(w)
		x := float64(w[0])
		var path []float64
		for range n {
			path = append(path, shift(c)+scale(c)*x)
			b.Normals(w)
			x = a*x + math.Sqrt(1-a*a)*float64(w[0])
		}
		all = append(all, path)
	}
	return all
}

func zero(int) float64 { return 0 }
func one(int) float64  { return 1 }

// TestEffectiveSampleSize: n draws of an AR(1) process have the effective size n(1−a)/(1+a). The
// estimate is good to about 10 %.
func TestEffectiveSampleSize(t *testing.T) {
	for _, a := range []float64{0, 0.5, 0.9, -0.4} {
		const chains, n = 4, 10_000
		got := effectiveSampleSize(ar1(stream.Root(1).Child(a), a, chains, n, zero, one))
		want := chains * n * (1 - a) / (1 + a)
		t.Logf("a = %g: %.0f, theory %.0f", a, got, want)
		if !(math.Abs(got/want-1) < 0.15) {
			t.Errorf("a = %g: effective sample size %g, want about %g", a, got, want)
		}
	}
	if got := effectiveSampleSize([][]float64{make([]float64, 10), make([]float64, 10)}); !math.IsNaN(got) {
		t.Errorf("chains that do not move have an effective sample size of %g", got)
	}
}

// TestSplitRHat: 1 where chains agree, and more where one is shifted, is wider, or drifts. For m
// chains of which half are shifted by d the plain R̂ is √(1 + d²/4), on the scale of ranks nearly
// so.
func TestSplitRHat(t *testing.T) {
	const chains, n = 4, 5000
	far := func(c int) float64 { return float64(c % 2) }
	wide := func(c int) float64 { return 1 + 2*float64(c%2) }
	drift := ar1(stream.Root(4), 0, chains, n, zero, one)
	for _, path := range drift {
		for i := range path {
			path[i] += 2 * float64(i) / n
		}
	}
	for _, c := range []struct {
		name      string
		draws     [][]float64
		low, high float64
	}{
		{"agreeing", ar1(stream.Root(1), 0.3, chains, n, zero, one), 0.999, 1.005},
		{"two shifted by 1", ar1(stream.Root(2), 0, chains, n, far, one), 1.08, 1.16},
		{"two three times as wide", ar1(stream.Root(3), 0, chains, n, zero, wide), 1.1, 2},
		{"wandering off", drift, 1.05, 2},
	} {
		got := splitRHat(c.draws)
		t.Logf("%s: %.4f", c.name, got)
		if !(got >= c.low && got <= c.high) {
			t.Errorf("%s: split-R̂ is %g, want %g to %g", c.name, got, c.low, c.high)
		}
	}
}

// TestSplitRHatReflected: R̂ of the mirrored chains is the same, as the median they are folded about
// is mirrored too.
func TestSplitRHatReflected(t *testing.T) {
	draws := ar1(stream.Root(5), 0.3, 4, 101, zero, func(c int) float64 { return 1 + float64(c%2) })
	mirrored := make([][]float64, len(draws))
	for c, path := range draws {
		for i, v := range path {
			path[i] = math.Exp(v)
			mirrored[c] = append(mirrored[c], -path[i])
		}
	}
	if got, want := splitRHat(mirrored), splitRHat(draws); !(math.Abs(got-want) <= 1e-6) {
		t.Errorf("split-R̂ is %.9g of the mirrored chains, %.9g of the chains", got, want)
	}
}

// TestMixingOfAFewDraws compares with another program, which takes ranks, normal quantiles and variances from SciPy and
// follows equations 3, 4, 10 to 14 of Vehtari et al. word for word. With so few draws each constant shows.
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
		if got := effectiveSampleSize(c.draws); !(math.Abs(got/c.ess-1) < 1e-9) {
			t.Errorf("%s: effective sample size %.12g, want %.12g", c.name, got, c.ess)
		}
		if got := splitRHat(c.draws); !(math.Abs(got/c.rHat-1) < 1e-9) {
			t.Errorf("%s: split-R̂ %.12g, want %.12g", c.name, got, c.rHat)
		}
	}
	// Blom's scores of four, from tables, and by hand: variances 5/3 within and 2 between, ¾·5/3 + 2 = 3.25.
	for i, want := range []float64{-1.0491, -0.2993, 0.2993, 1.0491} {
		if got := rankNormalized([][]float64{{10, 20, 30, 40}})[0][i]; !(math.Abs(got-want) < 5e-5) {
			t.Errorf("the normal score of rank %d of 4 is %g, want %g", i+1, got, want)
		}
	}
	if got, want := rHat([][]float64{{1, 2, 3, 4}, {3, 4, 5, 6}}), math.Sqrt(3.25/(5./3)); !(math.Abs(got-want) < 1e-12) {
		t.Errorf("R̂ %.12g, want %.12g", got, want)
	}
}
