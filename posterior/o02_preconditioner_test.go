package posterior

import (
	"fmt"
	"math"
	"testing"

	"banditsim/bandit/stream"
)

// frozen returns a preconditioner whose V stays as given.
func frozen(v []float32) *RMSProp {
	return &RMSProp{Alpha: 0, Rho: 1e-3, Scale: 1, v: [][]float32{v}}
}

// TestO2FixedPreconditioner holds the sampler under a frozen preconditioner to
//
//	Σ = T[A − (ε/2)AGA]⁻¹
//
// on 500 independent pairs of coordinates with precision A, with a non-diagonal
// one too.
func TestO2FixedPreconditioner(t *testing.T) {
	for _, c := range []struct {
		name      string
		a         [2][2]float64
		v         [2]float64
		eps, temp float64
	}{
		{"diagonal", [2][2]float64{{2, 0}, {0, 0.5}}, [2]float64{0.25, 4}, 0.2, 1},
		{"equal", [2][2]float64{{1, 0}, {0, 1}}, [2]float64{1, 1}, 0.5, 0.3},
		{"non-diagonal", [2][2]float64{{2, 0.9}, {0.9, 1}}, [2]float64{1, 0.16}, 0.3, 1},
		{"strongly preconditioned", [2][2]float64{{100, -4}, {-4, 0.5}}, [2]float64{2500, 0.0625}, 0.25, 0.5},
	} {
		t.Run(c.name, func(t *testing.T) {
			const pairs, steps = 500, 6000
			var g [2]float64
			v := make([]float32, 2*pairs)
			for i := range v {
				v[i] = float32(c.v[i%2])
			}
			for k := range g {
				g[k] = 1 / (1e-3 + math.Sqrt(c.v[k]))
			}
			target := function{2 * pairs, func(grad, x []float32) float64 {
				for i := 0; i < len(x); i += 2 {
					p, q := float64(x[i]), float64(x[i+1])
					grad[i] = float32(c.a[0][0]*p + c.a[0][1]*q)
					grad[i+1] = float32(c.a[1][0]*p + c.a[1][1]*q)
				}
				return 0
			}}
			s := &Langevin{LearningRate: c.eps, Temperature: c.temp, Preconditioner: frozen(v),
				Noise: []Normals{stream.Root(2).Child(c.name)}}
			chains := []Chain{NewChain(target, make([]float32, 2*pairs))}
			advance(t, s, chains, 300)
			var got [2][2]float64
			for range steps {
				advance(t, s, chains, 1)
				for i, x := range chains[0].X {
					got[i%2][0] += float64(x) * float64(chains[0].X[i-i%2]) / (pairs * steps)
					got[i%2][1] += float64(x) * float64(chains[0].X[i-i%2+1]) / (pairs * steps)
				}
			}
			// A − (ε/2)AGA, inverted.
			var b [2][2]float64
			for i := range b {
				for j := range b {
					b[i][j] = c.a[i][j]
					for k := range g {
						b[i][j] -= c.eps / 2 * c.a[i][k] * g[k] * c.a[k][j]
					}
				}
			}
			det := b[0][0]*b[1][1] - b[0][1]*b[1][0]
			want := [2][2]float64{
				{c.temp * b[1][1] / det, -c.temp * b[0][1] / det},
				{-c.temp * b[1][0] / det, c.temp * b[0][0] / det},
			}
			drift := [2][2]float64{ // I − εGA
				{1 - c.eps*g[0]*c.a[0][0], -c.eps * g[0] * c.a[0][1]},
				{-c.eps * g[1] * c.a[1][0], 1 - c.eps*g[1]*c.a[1][1]},
			}
			checkSharp(t, "variance 1", got[0][0], want[0][0], covarianceSE(drift, want, 0, 0, pairs*steps))
			checkSharp(t, "variance 2", got[1][1], want[1][1], covarianceSE(drift, want, 1, 1, pairs*steps))
			checkSE(t, "covariance", got[0][1], want[0][1], covarianceSE(drift, want, 0, 1, pairs*steps))
		})
	}
}

// covarianceSE is the standard error of the covariance of coordinates i and j
// over n draws of the Gaussian chain x ← Fx + noise with covariance Σ:
//
//	Var = (1/n) Σ_l [Γ_l(ii)Γ_l(jj) + Γ_l(ij)Γ_l(ji)],  Γ_l = F^l Σ, Γ_−l = Γ_lᵀ
//
// by Isserlis' theorem, the general form of 2στ²Στ ρ² of algorithms.md, section 5.
func covarianceSE(f, sigma [2][2]float64, i, j int, n float64) float64 {
	sum, gamma := 0.0, sigma
	for lag := range 1000 {
		twice := 2.0 // for −l
		if lag == 0 {
			twice = 1
		}
		sum += twice * (gamma[i][i]*gamma[j][j] + gamma[i][j]*gamma[j][i])
		var next [2][2]float64
		for r := range next {
			for c := range next {
				next[r][c] = f[r][0]*gamma[0][c] + f[r][1]*gamma[1][c]
			}
		}
		gamma = next
	}
	return math.Sqrt(sum / n)
}

// TestO2OneStep: from a point without gradient, one step has the variance 2εTG.
func TestO2OneStep(t *testing.T) {
	const dim = 1_000_000
	for _, c := range []struct{ v, eps, temp float64 }{
		{1, 0.1, 1},
		{9, 0.1, 1},
		{0.01, 0.003, 0.3},
		{0, 1e-4, 2}, // G = 1/ρ
	} {
		v := make([]float32, dim)
		for i := range v {
			v[i] = float32(c.v)
		}
		flat := function{dim, func(grad, x []float32) float64 { clear(grad); return 0 }}
		s := &Langevin{LearningRate: c.eps, Temperature: c.temp, Preconditioner: frozen(v),
			Noise: []Normals{stream.Root(3).Child(c.v)}}
		chains := []Chain{NewChain(flat, make([]float32, dim))}
		advance(t, s, chains, 1)
		got := 0.0
		for _, x := range chains[0].X {
			got += float64(x) * float64(x) / dim
		}
		want := 2 * c.eps * c.temp / (1e-3 + math.Sqrt(c.v))
		checkSharp(t, "variance", got, want, want*math.Sqrt(2./dim))
	}
}

// TestBiasOfTheMovingPreconditioner: without the term Γ, a V that moves with the
// chain makes the spread of U = x²/2 too large. The variances and their standard errors
// are those of a plain float64 loop with math/rand over 400 coordinates and 50,000 (s =
// 512) or 1,000,000 steps. (algorithms.md, section 3, says 1.20 and 1.81; the latter is too much.)
func TestBiasOfTheMovingPreconditioner(t *testing.T) {
	if testing.Short() {
		t.Skip("long statistics on one goroutine")
	}
	for _, c := range []struct {
		scale, want, wantSE float64
		warmup, steps       int
	}{
		{512, 1.2027, 0.0006, 2000, 5000},
		{1, 1.767, 0.0043, 10_000, 30_000},
	} {
		const dim = 1000
		root := stream.Root(7).Child(c.scale)
		s := &Langevin{LearningRate: 0.001, Temperature: 1, Noise: []Normals{root},
			Preconditioner: &RMSProp{Alpha: 0.01, Rho: 1e-3, Scale: c.scale}}
		chains := []Chain{NewChain(&gaussian{k: 1, dim: dim}, make([]float32, dim))}
		root.Child("start").Normals(chains[0].X)
		advance(t, s, chains, c.warmup)
		squares := make([]float64, dim) // coordinates are independent
		for range c.steps {
			advance(t, s, chains, 1)
			for i, x := range chains[0].X {
				squares[i] += float64(x) * float64(x) / float64(c.steps)
			}
		}
		got, se := meanSE(squares)
		checkSE(t, fmt.Sprint("variance at s = ", c.scale), got, c.want, math.Hypot(se, c.wantSE))
	}
}
