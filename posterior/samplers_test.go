package posterior

import (
	"math"
	"slices"
	"testing"

	"banditsim/bandit/stream"
)

// TestCyclicalLearningRate: equation (1) of Zhang et al., ICLR 2020.
func TestCyclicalLearningRate(t *testing.T) {
	target := function{1, func(grad, x []float32) float64 { grad[0] = 1; return 0 }}
	s := &Cyclical{Langevin: &Langevin{Decay: 0.5}, Peak: 0.3, Cycle: 7}
	chains := []Chain{NewChain(target, []float32{0})}
	for k := range 21 {
		before := chains[0].X[0]
		advance(t, s, chains, 1)
		want := 0.3 / 2 * (math.Cos(math.Pi*float64(k%7)/7) + 1)
		checkNear(t, "ε", s.LearningRate, want, 1e-15)
		checkNear(t, "move", float64(before-chains[0].X[0]), want, 1e-6)
	}
	s.StartRound(1, 10)
	checkNear(t, "peak after a round", s.Peak, 0.15, 0)
}

func TestCosine(t *testing.T) {
	for i := range 1001 {
		x := float64(i) / 1000
		checkNear(t, "cos", cosine(x), math.Cos(math.Pi*x), 1e-15)
	}
}

// TestSGHMCStep is O3's update by hand: εc = .5, momentum first.
func TestSGHMCStep(t *testing.T) {
	target := function{1, func(grad, x []float32) float64 { grad[0] = 2 * x[0]; return 0 }}
	s := &SGHMC{LearningRate: 0.25, Friction: 2, Temperature: 4, Noise: []Normals{&script{[][]float32{{1}, {-2}}}}}
	chains := []Chain{NewChain(target, []float32{3})}
	advance(t, s, chains, 1)
	// p = 0 − .25·6 + √(2·2·.25·4)·1 = .5;  x = 3 + .25·.5
	checkNear(t, "x after one step", float64(chains[0].X[0]), 3.125, 0)
	advance(t, s, chains, 1)
	// p = .5·.5 − .25·6.25 + 2·(−2) = −5.3125;  x = 3.125 − .25·5.3125
	checkNear(t, "x after two steps", float64(chains[0].X[0]), 1.796875, 0)
}

// TestSVGDStep is one step of two particles by hand: med² = 4, h = 4/log 3, k = 1/3.
func TestSVGDStep(t *testing.T) {
	target := function{1, func(grad, x []float32) float64 { grad[0] = x[0]; return 0 }}
	s := &SVGD{LearningRate: 0.1, Temperature: 2, Smoothing: 0.9, Rho: 1}
	chains := []Chain{NewChain(target, []float32{0}), NewChain(target, []float32{2})}
	advance(t, s, chains, 1)
	h, k := 4/math.Log(3), 1.0/3
	phi := []float64{
		(-0/2.0 - k*2/2 + 2/h*k*(0-2)) / 2,
		(-k*0/2 - 2/2.0 + 2/h*k*(2-0)) / 2,
	}
	for i, start := range []float64{0, 2} {
		checkNear(t, "x", float64(chains[i].X[0]), start+0.1*phi[i]/(1+math.Abs(phi[i])), 1e-7)
	}
	// The second step's H is .9·φ₁² + .1·φ₂²: seen through a particle that is alone.
	one := []Chain{NewChain(target, []float32{8})}
	s = &SVGD{LearningRate: 1, Temperature: 1, Smoothing: 0.9, Rho: 0}
	advance(t, s, one, 1)
	checkNear(t, "alone", float64(one[0].X[0]), 7, 1e-6)
	advance(t, s, one, 1)
	checkNear(t, "alone, second step", float64(one[0].X[0]), 7-7/math.Sqrt(0.9*64+0.1*49), 1e-6)
}

// TestSVGDGaussian: particles on a Gaussian of two dimensions come to its mean,
// and to nearly its variance (a hundred of them, in few dimensions).
func TestSVGDGaussian(t *testing.T) {
	target := function{2, func(grad, x []float32) float64 {
		grad[0], grad[1] = (x[0]-1)/4, x[1]+2
		return 0
	}}
	s := &SVGD{LearningRate: 0.02, Temperature: 1, Smoothing: 0.9, Rho: 1e-6}
	r := testStream("particles")
	var chains []Chain
	for range 100 {
		x := make([]float32, 2)
		r.Normals(x)
		chains = append(chains, NewChain(target, x))
	}
	advance(t, s, chains, 3000)
	for d, want := range []struct{ mean, variance float64 }{{1, 4}, {-2, 1}} {
		mean, variance := 0.0, 0.0
		for _, c := range chains {
			mean += float64(c.X[d]) / 100
		}
		for _, c := range chains {
			variance += (float64(c.X[d]) - mean) * (float64(c.X[d]) - mean) / 100
		}
		t.Logf("coordinate %d: mean %.4f, variance %.4f", d, mean, variance)
		// Deterministic: bounds on the error of the particles' approximation, not of luck.
		if !near(mean, want.mean, 0.05) || !near(variance/want.variance, 1, 0.15) {
			t.Errorf("coordinate %d: mean %g and variance %g, want about %g and %g", d, mean, variance, want.mean, want.variance)
		}
	}
}

func TestMedian(t *testing.T) {
	r := testStream("median")
	for n := range 60 {
		v := make([]float64, n)
		for i := range v {
			v[i] = float64(r.IntN(20))
		}
		sorted := slices.Sorted(slices.Values(v))
		want := 0.0
		if n > 0 {
			want = sorted[n/2]
		}
		if got := median(v); got != want {
			t.Fatalf("median of %v is %g, want %g", sorted, got, want)
		}
	}
}

// box is the function U = 0 on [−1, 1].
type box struct{ function }

func (box) Inside(x []float32) bool { return x[0] >= -1 && x[0] <= 1 }

// TestBounded: samplers refuse to leave a bounded target, and stay where they were.
func TestBounded(t *testing.T) {
	target := box{function{1, func(grad, x []float32) float64 { grad[0] = 0; return 0 }}}
	noise := []Normals{stream.NewBuffered(testStream("box"))}
	for name, s := range map[string]Sampler{
		"Langevin": &Langevin{LearningRate: 0.1, Temperature: 1, Noise: noise},
		"SGHMC":    &SGHMC{LearningRate: 0.3, Friction: 1, Temperature: 1, Noise: noise},
	} {
		chains := []Chain{NewChain(target, []float32{0.5})}
		n, stayed, mean, square := 60_000, 0, 0.0, 0.0
		for range n {
			before := chains[0].X[0]
			advance(t, s, chains, 1)
			x := chains[0].X[0]
			if x < -1 || x > 1 {
				t.Fatalf("%s: x = %g has left [−1, 1]", name, x)
			}
			if x == before {
				stayed++
			}
			mean += float64(x) / float64(n)
			square += float64(x*x) / float64(n)
		}
		if stayed == 0 {
			t.Errorf("%s: no move was refused", name)
		}
		// Uniform on the box. A chain forgets within about 40 steps here (SGHMC): the
		// standard deviation of x² is .3, and n/40 draws give .0077.
		if !near(mean, 0, 0.1) || !near(square, 1.0/3, 0.05) {
			t.Errorf("%s: mean %g and mean square %g, want 0 and 1/3", name, mean, square)
		}
	}
}

// TestOmega: ω_k = min(ω, 1/(k^a + b)).
func TestOmega(t *testing.T) {
	o := base().Contour
	o.Omega, o.OmegaExponent, o.OmegaOffset = 0.003, 0.6, 100
	h := NewHistogram(o, 1, 1)
	for _, c := range []struct {
		k    int
		want float64
	}{{1, 0.003}, {1000, 0.003}, {100_000, 1 / (1000.0 + 100)}, {1_000_000, 1 / (math.Pow(1e6, 0.6) + 100)}} {
		h.moves = c.k
		checkNear(t, "ω_k/want", h.omega()/c.want, 1, 1e-12)
	}
}

// TestForwardDifference: the multiplier of the authors' simulation of CSGLD.
func TestForwardDifference(t *testing.T) {
	o := base().Contour
	o.Bins, o.Width, o.Zeta, o.Difference = 3, 1, 4, "forward"
	h := NewHistogram(o, 0.5, 1)
	if err := h.SetTheta([]float64{6, 3, 1}); err != nil {
		t.Fatal(err)
	}
	for j, want := range []float64{1, 1 + 2*math.Log(.3/.6), 1 + 2*math.Log(.1/.3), 1} {
		checkNear(t, "M", h.multiplier(j), want, 1e-12)
	}
	for _, wrong := range [][]float64{{1, 1}, {1, 0, 1}, {1, math.NaN(), 1}, {1, math.Inf(1), 1}} {
		if h.SetTheta(wrong) == nil {
			t.Errorf("θ = %v is accepted", wrong)
		}
	}
	checkNear(t, "θ(1) after refused ones", h.theta[0], 0.6, 1e-15)
}
