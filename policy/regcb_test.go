package policy

import (
	"math"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/posterior/exact"
)

// TestRegCB compares probabilities with those from bounds by definition: the lowest and the highest value in a context over all
// weights, in 5,000 directions, whose penalized squared loss exceeds the minimum by β = C₀·noise²·ln(Kt).
func TestRegCB(t *testing.T) {
	const arms, rows, lambda, noise, c0 = 3, 12, 0.7, 0.5, 0.4
	type row struct{ x0, x1, reward float64 }
	var data [arms][]row
	loss := func(arm int, w0, w1 float64) float64 {
		sum := lambda * (w0*w0 + w1*w1)
		for _, r := range data[arm] {
			e := r.reward - w0*r.x0 - w1*r.x1
			sum += e * e
		}
		return sum
	}
	bounds := func(arm, pull int, x0, x1 float64) (low, high float64) {
		a, b, d, b0, b1 := lambda, 0., lambda, 0., 0.
		for _, r := range data[arm] {
			a, b, d = a+r.x0*r.x0, b+r.x0*r.x1, d+r.x1*r.x1
			b0, b1 = b0+r.reward*r.x0, b1+r.reward*r.x1
		}
		w0, w1 := (d*b0-b*b1)/(a*d-b*b), (a*b1-b*b0)/(a*d-b*b)
		low, high = math.Inf(1), math.Inf(-1)
		for k := range 5000 {
			u0, u1 := math.Cos(2*math.Pi*float64(k)/5000), math.Sin(2*math.Pi*float64(k)/5000)
			s := math.Sqrt(c0 * noise * noise * math.Log(float64(arms*pull)) / (loss(arm, w0+u0, w1+u1) - loss(arm, w0, w1)))
			v := (w0+s*u0)*x0 + (w1+s*u1)*x1
			low, high = min(low, v), max(high, v)
		}
		return low, high
	}
	var policies [2]bandit.Randomizer
	for i := range policies {
		policies[i] = make3(t, RegCBKind(exact.Linear()), func(o *RegCBOptions[exact.LinearOptions]) {
			o.Mellowness, o.Optimistic, o.Posterior = c0, i == 1, exact.LinearOptions{Lambda: lambda, Noise: noise, Discount: 1}
		}).(bandit.Randomizer)
	}
	r, sizes := stream.Root(4), map[int]int{}
	for pull := 1; pull <= rows+150; pull++ {
		round := bandit.Round{T: pull, Context: []float32{float32(r.Normal()), float32(r.Normal()), 0}}
		x0, x1 := float64(round.Context[0]), float64(round.Context[1])
		if arm := r.IntN(arms); pull <= rows {
			reward := 4*float64(arm)*x0 + r.Normal()
			data[arm] = append(data[arm], row{x0, x1, reward})
			for _, p := range policies {
				must.OK(t, p.(bandit.Policy).Learn(round, arm, reward))
			}
			continue
		}
		var lows, highs [arms]float64
		for arm := range arms {
			lows[arm], highs[arm] = bounds(arm, pull, x0, x1)
		}
		var kept, best [arms]float64
		n := 0
		for arm, high := range highs {
			if high >= max(lows[0], lows[1], lows[2]) {
				kept[arm] = 1
				n++
			}
			if high == max(highs[0], highs[1], highs[2]) {
				best[arm] = 1
			}
		}
		sizes[n]++
		var got [arms]float64
		must.OK(t, policies[0].Propensities(got[:], round))
		for arm := range got {
			must.Near(t, "elimination", got[arm], kept[arm]/float64(n), 1e-15)
		}
		must.OK(t, policies[1].Propensities(got[:], round))
		for arm := range got {
			must.Near(t, "optimistic", got[arm], best[arm], 1e-15)
		}
	}
	for n := 1; n <= arms; n++ {
		must.That(t, sizes[n] >= 5, "%d arms were left in %d pulls: the test shows little", n, sizes[n])
	}
}
