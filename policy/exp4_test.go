package policy

import (
	"math"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/posterior"
	"banditsim/posterior/exact"
)

// TestExp compares the probabilities of Exp3 and Exp4 in 60 pulls with the formula, computed from all earlier pulls: L̂(i) is the
// sum of (high − r)/(high − low)/p over the pulls whose arm expert i advised. Arm 1 is unavailable in every third pull: its
// expert then has the loss of the pulled arm.
func TestExp(t *testing.T) {
	const arms, pulls, burnIn, rate, gamma = 3, 60, 6, 1.5, 0.1
	lambdas, discounts := []float64{0.2, 5}, []float64{0.9}
	for name, p := range map[string]bandit.Policy{
		"Exp3": make3(t, Exp3Kind(), func(o *Exp3Options) { o.Rate, o.Gamma = rate, gamma }),
		"Exp4": make3(t, Exp4Kind(), func(o *Exp4Options) {
			o.Rate, o.Gamma, o.Lambdas, o.Discounts = rate, gamma, lambdas, discounts
		}),
	} {
		var linear []posterior.Posterior
		for _, lambda := range lambdas {
			if name == "Exp4" {
				o := exact.LinearOptions{Lambda: lambda, Noise: 1, Intercept: true, Discount: discounts[0], OwnScale: true}
				linear = append(linear, must.Get(exact.Linear().New(o, posterior.Setup{Dim: 3, Arms: arms, Stream: stream.Root(1)}))(t))
			}
		}
		type past struct {
			advice []int
			arm    int
			r, p   float64
		}
		var all []past
		r := stream.Root(3)
		for n := 1; n <= pulls; n++ {
			round := bandit.Round{T: n, Context: make([]float32, 3)}
			r.Normals(round.Context)
			if n%3 == 0 {
				round.Available = []bool{true, false, true}
			}
			var now past
			for _, l := range linear {
				v := make([]float64, arms)
				must.OK(t, l.Predict(v, [][]float32{round.Context}, posterior.Mean))
				best := 0
				for a := range v {
					if v[a] > v[best] && round.CanPull(a) {
						best = a
					}
				}
				now.advice = append(now.advice, best)
			}
			free := 0.
			for a := range arms {
				if round.CanPull(a) {
					now.advice = append(now.advice, a)
					free++
				} else {
					now.advice = append(now.advice, -1)
				}
			}
			low, high := math.Inf(1), math.Inf(-1)
			for _, h := range all {
				low, high = min(low, h.r), max(high, h.r)
			}
			var want [arms]float64
			sum := 0.
			for i, a := range now.advice {
				loss := 0.
				for _, h := range all {
					switch h.advice[i] {
					case h.arm:
						loss += (high - h.r) / (high - low) / h.p
					case -1:
						loss += (high - h.r) / (high - low)
					}
				}
				if a >= 0 {
					q := math.Exp(-rate * math.Sqrt(math.Log(float64(len(now.advice)))/float64(n*arms)) * loss)
					want[a] += q
					sum += q
				}
			}
			now.arm, now.p = 2*r.IntN(2), 1/free
			if n > burnIn {
				got := make([]float64, arms)
				must.OK(t, p.(bandit.Randomizer).Propensities(got, round))
				for a := range want {
					if want[a] = (1 - gamma) * want[a] / sum; round.CanPull(a) {
						want[a] += gamma / free
					}
					must.Near(t, name, got[a], want[a], 1e-10)
				}
				now.arm = must.Get(p.Act(round))(t)
				now.p = want[now.arm]
			}
			now.r = 5*float64(round.Context[now.arm]) + 3
			must.OK(t, p.Learn(bandit.Round{T: n, Context: round.Context, Available: round.Available}, now.arm, now.r))
			for _, l := range linear {
				must.OK(t, l.Observe(round.Context, now.arm, now.r))
			}
			all = append(all, now)
		}
	}
}

// TestExpConcentrates checks that Exp3 comes to pull the best of three arms without context, and that Exp4 comes to pull the
// best arm of each context, as its linear experts advise.
func TestExpConcentrates(t *testing.T) {
	for seed := range uint64(10) {
		three, four, r := make3(t, Exp3Kind(), nil), make3(t, Exp4Kind(), nil), stream.Root(seed)
		best, right := 0, 0
		for n := 1; n <= 4000; n++ {
			round := bandit.Round{T: n, Context: make([]float32, 3)}
			r.Normals(round.Context)
			arm, u := must.Get(three.Act(round))(t), r.Float64()
			reward := 0.
			if u < []float64{0.2, 0.8, 0.5}[arm] {
				reward = 1
			}
			must.OK(t, three.Learn(round, arm, reward))
			wise := must.Get(four.Act(round))(t)
			must.OK(t, four.Learn(round, wise, float64(round.Context[wise])))
			if n > 3500 && arm == 1 {
				best++
			}
			if top := must.Get(argmax([]float64{float64(round.Context[0]), float64(round.Context[1]), float64(round.Context[2])}, nil))(t); n > 3500 && wise == top {
				right++
			}
		}
		must.That(t, best >= 425 && right >= 450,
			"seed %d: Exp3 pulls the best arm in %d of 500 pulls, Exp4 in %d", seed, best, right)
	}
}
