package policy

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/posterior"
	"banditsim/posterior/exact"
	"banditsim/posterior/neural"
	"banditsim/posterior/sgmcmc"
)

// drawer returns a learner over a posterior, with its small defaults, that has learned some rewards.
func drawer[O any](t *testing.T, k posterior.Kind[O]) *learner {
	t.Helper()
	s := Setup{Spec: bandit.Spec{Dim: 3, Arms: []string{"a", "b"}}, Protocol: bandit.Protocol{Rounds: 4, Pulls: 40}, Stream: stream.Root(4).Child(k.Name)}
	l := must.Get(configure(k, k.SmallDefaults()).learner(s, Disjoint, Covering{}))(t)
	r := stream.Root(5)
	for range 4 {
		for i := range 40 {
			c := []float32{float32(r.Normal()), float32(r.Normal()), 1}
			must.OK(t, l.Learn(bandit.Round{Context: c}, i%2, float64(c[0])+r.Normal()))
		}
		must.OK(t, l.EndRound(context.Background(), 1))
	}
	return l
}

// TestDrawsTogether checks that joint draws for several contexts have the mean and the variance of separate draws, and are equal
// where contexts are. A statistic is off by 6 standard errors with probability 2e-9.
func TestDrawsTogether(t *testing.T) {
	for name, l := range map[string]*learner{
		"Linear": drawer(t, exact.Linear()), "Bag": drawer(t, exact.Bag()), "NeuralLinear": drawer(t, neural.NeuralLinear()),
		"BayesByBackprop": drawer(t, neural.BayesByBackprop()), "pSGLD": drawer(t, neural.Over(sgmcmc.PSGLD()).Kind),
		"pICSGLD": drawer(t, neural.PICSGLD().Kind),
		"LMCTS":   drawer(t, neural.LMCTS()), "Bootstrap": drawer(t, neural.Bootstrap()), "Dropout": drawer(t, neural.Dropout()),
		"Gradient": drawer(t, neural.Gradient()), "GP": drawer(t, exact.GP()), "Logistic": drawer(t, exact.Logistic()), "DPMM": drawer(t, exact.DPMM()),
		"kNN": drawer(t, exact.KNN()), "KernelRegression": drawer(t, exact.KernelRegression()), "Trees": drawer(t, exact.Trees()),
	} {
		const n, numbers = 4000, 6 // numbers: two arms in three contexts, of which the last two are equal
		rounds := []bandit.Round{{Context: []float32{1, -1, 1}}, {Context: []float32{0.5, 2, 1}}, {Context: []float32{0.5, 2, 1}}}
		var moments [2][numbers][2]float64
		for i, together := range []bool{true, false} {
			for range n {
				var v [numbers]float64
				if err := l.DrawRewards(v[:], rounds, together); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				for k := range 2 {
					must.That(t, !together || math.Abs(v[2+k]-v[4+k]) <= 1e-6*max(1, math.Abs(v[2+k])),
						"%s: one context has the values %g and %g in one draw", name, v[2+k], v[4+k])
				}
				for k, x := range v {
					moments[i][k][0] += x / n
					moments[i][k][1] += x * x / n
				}
			}
		}
		worst := 0.0
		for k := range numbers {
			a, b := moments[0][k], moments[1][k]
			va, vb := max(0, a[1]-a[0]*a[0]), max(0, b[1]-b[0]*b[0])
			worst = max(worst, math.Abs(a[0]-b[0])/(math.Sqrt((va+vb)/n)+1e-9), math.Abs(va-vb)/(math.Sqrt(4*(va*va+vb*vb)/n)+1e-9))
			must.Near(t, fmt.Sprint(name, ": the mean of number ", k), a[0], b[0], 6*math.Sqrt((va+vb)/n)+1e-9)
			// the standard error of a variance allows for a kurtosis of 5
			must.Near(t, fmt.Sprint(name, ": the variance of number ", k), va, vb, 6*math.Sqrt(4*(va*va+vb*vb)/n)+1e-9)
		}
		t.Logf("%s: at most %.1f standard errors between draws together and alone", name, worst)
	}
	l := drawer(t, exact.GP())
	l.posterior = struct{ posterior.Posterior }{l.posterior} // without joint draws
	must.Is(t, l.DrawRewards(make([]float64, 4), make([]bandit.Round, 2), true), errors.ErrUnsupported)
}
