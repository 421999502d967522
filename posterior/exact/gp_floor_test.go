package exact

import (
	"math"
	"testing"

	"banditsim/posterior"
)

// TestGPSurprise: however sure the process is of a reward, one of the other kind weighs as that of
// a coin with σ(1−σ) = 10⁻⁴. Without that floor its information would be negligible here and the
// process would never change its mind.
func TestGPSurprise(t *testing.T) {
	o := gpOptions()
	o.PriorMean, o.PriorSD = 50, 4
	g := newGP(t, o, 1, 1)
	p := g.arms[0].f[0]
	c := []float32{0}
	p.add(c, 0)
	p.learn(0, 0)
	// One step of the extended Kalman filter: information w = 10⁻⁴, prior variance 16, prediction 1.
	const w, variance = 1e-4, 16
	mean, left := p.at(c)
	if want := 50 - variance/(1+w*variance); !(math.Abs(mean-want) < 1e-6) {
		t.Errorf("the mean is %.9g, want %.9g", mean, want)
	}
	if want := variance / (1 + w*variance); !(math.Abs(left-want) < 1e-9) {
		t.Errorf("the variance is %.12g, want %.12g", left, want)
	}
}

// TestGPSpreadOfFewRewards: 1 before any reward, as the draws of an arm that was never pulled have
// it, and 0 where all rewards were the same; afterwards that of the draws.
func TestGPSpreadOfFewRewards(t *testing.T) {
	const n = 20_000
	g := newGP(t, gpOptions(), 2, 3)
	contexts := [][]float32{{0, 1}, {1, 0}}
	for _, r := range []struct {
		arm    int
		reward float64
	}{{1, 7}, {1, 7}, {2, 0}, {2, 4}, {2, 1}} {
		if err := g.Observe(contexts[0], r.arm, r.reward); err != nil {
			t.Fatal(err)
		}
	}
	got := make([]float64, 6)
	if err := g.Spread(got, contexts); err != nil {
		t.Fatal(err)
	}
	var sum, squares [6]float64
	values := make([]float64, 6)
	for range n {
		if err := g.Predict(values, contexts, posterior.Draw); err != nil {
			t.Fatal(err)
		}
		for i, v := range values {
			sum[i] += v / n
			squares[i] += v * v / n
		}
	}
	for i, v := range got {
		// The relative error of a standard deviation of n normal draws is 1/√(2n), here 0.5 %.
		if want := math.Sqrt(max(0, squares[i]-sum[i]*sum[i])); !(math.Abs(v-want) <= 0.03*want+1e-5) {
			t.Errorf("context %d, arm %d: spread %g, of the draws %g", i/3, i%3, v, want)
		}
	}
	if got[0] != 1 || got[1] != 0 {
		t.Errorf("spreads %g and %g, want 1 and 0", got[0], got[1])
	}
}

// TestGPRestoresContexts: a restored process continues with the same bits, also when the range of
// its rewards grows and it learns again from the contexts it has seen.
func TestGPRestoresContexts(t *testing.T) {
	contexts := scattered(20, 3)
	a, b := newGP(t, gpOptions(), 3, 1), newGP(t, gpOptions(), 3, 1)
	for i, c := range contexts {
		if err := a.Observe(c, 0, float64(i%3)); err != nil {
			t.Fatal(err)
		}
	}
	saved, err := a.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if err := b.UnmarshalBinary(saved); err != nil {
		t.Fatal(err)
	}
	for _, g := range []*gp{a, b} {
		if err := g.Observe(contexts[0], 0, 9); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range contexts {
		m, v := a.arms[0].f[0].at(c)
		if n, w := b.arms[0].f[0].at(c); m != n || v != w {
			t.Fatalf("mean %g and variance %g, want %g and %g", n, w, m, v)
		}
	}
}
