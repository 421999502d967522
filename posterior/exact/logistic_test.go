package exact

import (
	"fmt"
	"math"
	"testing"

	"banditsim/internal/must"
	"banditsim/posterior"
)

// TestLogisticStep compares steps in one dimension with the equations of Logistic's documentation: λ = 0.5, and contexts 2, 1 and −3
// with rewards 0, 1 and 0.25. The mean m of the weight solves q(m − m₀) = x(y − σ(mx)), and q follows from it.
func TestLogisticStep(t *testing.T) {
	p := build(t, Logistic(), LogisticOptions{Lambda: 0.5, Spread: 1}, 1, 1).(*logistic)
	m, q := 0.0, 0.5
	// The first reward is learned together with the second, which makes the range known.
	steps := [][][2]float64{nil, {{2, 0}, {1, 1}}, {{-3, 0.25}}}
	for i, row := range [][2]float64{{2, 0}, {1, 1}, {-3, 0.25}} {
		must.OK(t, p.Observe([]float32{float32(row[0])}, 0, row[1]))
		for _, s := range steps[i] {
			m, q = laplaceStep(m, q, s[0], s[1])
		}
		c := p.models[0].f[0].(*classifier)
		must.Near(t, fmt.Sprint("m after reward ", i+1), c.m[0], m, 1e-12)
		must.Near(t, fmt.Sprint("q after reward ", i+1), c.q[0], q, 1e-12)
	}
}

// laplaceStep minimizes ½q(w−m)² − y·ln σ(wx) − (1−y)·ln(1−σ(wx)) by bisection of its derivative.
func laplaceStep(m, q, x, y float64) (float64, float64) {
	sigma := func(w float64) float64 { return 1 / (1 + math.Exp(-w*x)) }
	low, high := -100.0, 100.0
	for range 200 {
		w := (low + high) / 2
		if q*(w-m)-x*(y-sigma(w)) > 0 {
			high = w
		} else {
			low = w
		}
	}
	w := (low + high) / 2
	return w, q + x*x*sigma(w)*(1-sigma(w))
}

// TestLocal compares nearest neighbors and kernel regression with numbers worked out by hand: arm 0 has rewards 1, 5, 3, 9 at 0, 1,
// 3, 10, arm 1 has none. The squared distances from 2 are 4, 1, 1, 64.
func TestLocal(t *testing.T) {
	w4, w1, w64 := math.Exp(-0.5), math.Exp(-0.125), math.Exp(-8)
	total := 0.25 + w4 + 2*w1 + w64
	for _, c := range []struct {
		name string
		p    posterior.Posterior
		mean float64
		sd   [2]float64
	}{
		{"1 neighbor", build(t, KNN(), KNNOptions{K: 1, Noise: 2, Memory: 10}, 1, 2), 5, [2]float64{2, 2}}, // the older of the two nearest
		{"3 neighbors", build(t, KNN(), KNNOptions{K: 3, Noise: 2, Memory: 10}, 1, 2), 3, [2]float64{2 / math.Sqrt(3), 2}},
		{"9 neighbors", build(t, KNN(), KNNOptions{K: 9, Noise: 2, Memory: 10}, 1, 2), 4.5, [2]float64{1, 2}},
		{"memory", build(t, KNN(), KNNOptions{K: 2, Noise: 2, Memory: 2}, 1, 2), 6, [2]float64{math.Sqrt2, 2}},
		{"kernel", build(t, KernelRegression(), KernelRegressionOptions{Bandwidth: 2, Lambda: 0.25, Noise: 2, Memory: 10}, 1, 2),
			(w4*1 + w1*8 + w64*9) / total, [2]float64{2 / math.Sqrt(total), 4}},
	} {
		observe(t, c.p, [][2]float64{{0, 1}, {1, 5}, {3, 3}, {10, 9}})
		mean, sd := predict(t, c.p, 2, []float32{2})
		must.Near(t, c.name+": mean of arm 0", mean[0], c.mean, 1e-14)
		must.Near(t, c.name+": mean of arm 1", mean[1], 0, 0)
		for arm, want := range c.sd {
			must.Near(t, fmt.Sprint(c.name, ": deviation of arm ", arm), sd[arm], want, 1e-14)
		}
	}
}

// TestRepeats checks contexts in which an arm was pulled more than k times: with the option repeats the mean is that of all these
// rewards, otherwise that of the first k. In other contexts the option makes no difference.
func TestRepeats(t *testing.T) {
	for _, c := range []struct {
		name    string
		repeats bool
		at      float32
		mean    float64
		n       float64
	}{
		{"repeats", true, 2, 6, 4},
		{"the oldest", false, 2, 2, 2},
		{"other contexts", true, 4, 50, 2},
		{"as before", false, 4, 50, 2},
	} {
		p := build(t, KNN(), KNNOptions{K: 2, Noise: 3, Memory: 10, Repeats: c.repeats}, 1, 1)
		observe(t, p, [][2]float64{{2, 1}, {5, 60}, {2, 3}, {2, 9}, {5, 40}, {2, 11}, {9, 70}})
		mean, sd := predict(t, p, 1, []float32{c.at})
		must.Near(t, c.name+": mean", mean[0], c.mean, 0)
		must.Near(t, c.name+": deviation", sd[0], 3/math.Sqrt(c.n), 0)
	}
}

// TestNearlyEqualContexts checks that repeats recognizes contexts after their units have changed several times, and that
// neighbors are found beside a large number that all contexts share.
func TestNearlyEqualContexts(t *testing.T) {
	units := changed(t, KNN(), 1, 1, func(o *KNNOptions) { o.OwnScale, o.Standardize, o.Repeats = true, true, true })
	large := changed(t, KNN(), 2, 1, func(o *KNNOptions) { o.K = 1 })
	for i := range 300 {
		must.OK(t, units.Observe([]float32{[]float32{17.3, -0.7, 2.9}[i%3]}, 0, float64(i)))
		must.OK(t, large.Observe([]float32{2e7, float32(i) / 300}, 0, float64(i)))
	}
	mean, _ := predict(t, units, 1, []float32{17.3}, []float32{-0.7}, []float32{2.9})
	near, _ := predict(t, large, 1, []float32{2e7, 0.2501}, []float32{2e7, 0.5001}, []float32{2e7, 0.7501})
	for i := range mean {
		must.Near(t, fmt.Sprint("mean of all rewards in context ", i), mean[i], 148.5+float64(i), 1e-12)
		must.Near(t, fmt.Sprint("reward of the nearest context ", i), near[i], 75*float64(i+1), 0)
	}
}
