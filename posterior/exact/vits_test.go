package exact

import (
	"fmt"
	"math"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/moments"
	"banditsim/internal/must"
	"banditsim/posterior"
)

// rows60 calls f with 60 rewards of two arms, in correlated contexts with mean (0, 0, center).
func rows60(center float32, f func(context []float32, arm int, reward float64)) {
	r, x := stream.Root(4), make([]float32, 3)
	for i := range 60 {
		r.Normals(x)
		x[2] += x[1] + center
		f(x, i%2, 1+2*float64(x[0])-float64(x[2])+float64(i%2)+r.Normal())
	}
}

// checkSettled compares v, over updates without new rewards, with a regression want on contexts in(c) and rewards minus level:
// deviations within 1e-6 (float32 contexts take 1e-7), and the average of means within six standard errors. A mean has at
// most step/(2 − step) times the posterior's variance, and means of successive updates have a correlation below 0.9.
func checkSettled(t *testing.T, name string, v, want posterior.Posterior, level float64, in func([]float32) []float32,
	contexts ...[]float32) {
	t.Helper()
	inside := make([][]float32, len(contexts))
	for i, c := range contexts {
		inside[i] = in(c)
	}
	mean, sd := predict(t, want, 2, inside...)
	average := make([]float64, len(mean))
	update(t, v, 300)
	const n = 500
	for range n {
		update(t, v, 1)
		m, s := predict(t, v, 2, contexts...)
		for i := range m {
			average[i] += m[i] / n
			must.Near(t, fmt.Sprintf("%s: deviation of value %d", name, i), s[i], sd[i], 1e-6)
		}
	}
	for i := range average {
		share := 0.5 / (2 - 0.5)
		must.Near(t, fmt.Sprintf("%s: value %d", name, i), average[i], level+mean[i], 6*sd[i]*math.Sqrt(share*19/n))
	}
}

// TestVITSIsLinear checks that mean and covariance converge to those of exact linear regression.
func TestVITSIsLinear(t *testing.T) {
	for _, variant := range []string{vitsI, vitsII} {
		v := changed(t, VITS(), 3, 2, func(o *vitsOptions) { o.Noise, o.Lambda, o.Variant = 3, 0.5, variant })
		linear := build(t, Linear(), LinearOptions{Lambda: 0.5, Noise: 3, Intercept: true, Discount: 1}, 3, 2)
		rows60(0, func(c []float32, arm int, reward float64) {
			must.OK(t, v.Observe(c, arm, reward))
			must.OK(t, linear.Observe(c, arm, reward))
		})
		contexts := [][]float32{{1, 0, 0}, {0.5, 2, -1}, {0.75, 1, -0.5}}
		checkSettled(t, variant, v, linear, 0, func(c []float32) []float32 { return c }, contexts...)
		checkDraws(t, v, 2, contexts, draws(v, contexts))
		joint := func(dst []float64) error { return v.(posterior.JointDrawer).DrawJoint(dst, contexts) }
		checkDraws(t, v, 2, contexts, joint)
		one := make([]float64, 6)
		must.OK(t, joint(one))
		for arm := range 2 { // the third context is the mean of the others, so its value is the mean of theirs
			must.Near(t, "joint draw", one[4+arm], (one[arm]+one[2+arm])/2, 1e-9)
		}
	}
}

// TestVITSOwnScale checks that, with own_scale, VITS converges to the regression of centered rewards on standardized contexts, which
// are centered too if there is an intercept.
func TestVITSOwnScale(t *testing.T) {
	for _, intercept := range []bool{true, false} {
		v := changed(t, VITS(), 3, 2, func(o *vitsOptions) { o.Intercept, o.OwnScale = intercept, true }).(*vits)
		columns, rewards := moments.NewVectors(3), moments.Running{}
		rows60(5, func(c []float32, arm int, reward float64) {
			must.OK(t, v.Observe(c, arm, reward))
			columns.Add(c)
			rewards.Add(reward)
		})
		update(t, v, 1)
		in := func(c []float32) []float32 {
			standard := make([]float32, 3)
			for i := range c {
				mean, square := columns.Mean[i], columns.Squares[i]/60
				if !intercept {
					mean, square = 0, square+mean*mean
				}
				standard[i] = float32((float64(c[i]) - mean) / math.Sqrt(square))
			}
			return standard
		}
		linear := build(t, Linear(), LinearOptions{Lambda: 1, Noise: v.noise, Intercept: intercept, Discount: 1}, 3, 2)
		rows60(5, func(c []float32, arm int, reward float64) {
			must.OK(t, linear.Observe(in(c), arm, reward-rewards.Mean))
		})
		name := fmt.Sprint("intercept ", intercept)
		checkSettled(t, name, v, linear, rewards.Mean, in, []float32{1, 0, 5}, []float32{0, 2, 7})
	}
}

// TestVITSFluctuates compares the variance of the mean of one weight with that of the process mₖ₊₁ = mₖ − s(mₖ − m* + sd·z), which is
// sd²s/(2 − s), within six standard errors. s is the step and sd the posterior's standard deviation. Means of successive updates
// have a correlation of (1 − s)²⁰.
func TestVITSFluctuates(t *testing.T) {
	const s, n = 0.5, 4000
	v := changed(t, VITS(), 1, 1, func(o *vitsOptions) { o.Intercept, o.Step = false, s })
	observe(t, v, [][2]float64{{1, 2}, {2, 3}, {-1, 0}}) // A = 7, b = 8
	update(t, v, 10)
	variance := 0.0
	for range n {
		update(t, v, 1)
		m, _ := predict(t, v, 1, []float32{1})
		variance += (m[0] - 8./7) * (m[0] - 8./7) / n
	}
	want := s / (2 - s) / 7
	must.Near(t, "variance of the mean", variance, want, 6*want*math.Sqrt(2./n))
}

// TestVITSSteps compares the deviation after two steps with one worked out from the equations in one dimension, where h = step/a.
func TestVITSSteps(t *testing.T) {
	const s, a = 0.5, 8.0 // a = λ + 2²
	b := 0.5              // 1/√λ
	c := 1 / b
	b, c = (1-s)*b+s/a*c, c*(1-s/a*(c*c-a))
	for variant, inverse := range map[string]float64{vitsI: 1 / b, vitsII: c} {
		v := changed(t, VITS(), 1, 1, func(o *vitsOptions) {
			o.Intercept, o.Step, o.Steps, o.Lambda, o.Variant = false, s, 2, 4, variant
		})
		observe(t, v, [][2]float64{{2, 1}})
		update(t, v, 1)
		_, sd := predict(t, v, 1, []float32{3})
		closeTo(t, variant+": deviation", sd[0], 3*((1-s)*b+s/a*inverse))
	}
}
