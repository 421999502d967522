package exact

import (
	"math"
	"testing"
)

// TestGPSurprise: however sure the process is of a reward, one of the other kind weighs as that of
// a coin with σ(1−σ) = 10⁻⁴. Without that floor its information would be negligible here and the
// process would never change its mind.
func TestGPSurprise(t *testing.T) {
	o := gpOptions()
	o.PriorMean, o.PriorSD = 50, 4
	g := newGP(t, o, 1, 1)
	p := g.arms[0]
	p.low, p.high = 0, 1
	c := []float32{0}
	p.contexts, p.rewards = c, []float64{0}
	p.learn(0)
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
