package neural

import (
	"math"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/checktest"
	"banditsim/posterior"
)

func newPlusPlus(t *testing.T, set func(*ensemblePlusPlusOptions)) *ensemblePlusPlus {
	t.Helper()
	o := EnsemblePlusPlus().SmallDefaults()
	o.Chains = 2
	set(&o)
	return get(o.build(smallSetup(stream.Root(5))))(t)
}

// TestComponentsLeaveTheNetwork: energy and gradient of the network are those without components, on the same batch.
func TestComponentsLeaveTheNetwork(t *testing.T) {
	p := newPlusPlus(t, func(*ensemblePlusPlusOptions) {})
	o := EnsemblePlusPlus().SmallDefaults().langevinNetwork
	o.Chains = 2
	plain := get(o.network(smallSetup(stream.Root(5)), plainTarget))(t)
	observeSmall(t, p, 80)
	observeSmall(t, plain, 80)
	for i := range plain.chains {
		a, b := &p.chains[i], &plain.chains[i]
		got, grad := energyGrad(t, a.Target, a.X)
		want, wanted := energyGrad(t, b.Target, b.X)
		checktest.Near(t, "energy", got, want, 0)
		checktest.Bits(t, "gradient", grad[:len(wanted)], wanted)
		moved := false
		for _, g := range grad[len(wanted):] {
			moved = moved || g != 0
		}
		if !moved {
			t.Error("the components have no gradient")
		}
	}
}

// TestCombinedDraws: draws have the variance |Aᵀφ|² about the mean, with A of the chain and φ of the context, and in a joint draw their
// covariance.
func TestCombinedDraws(t *testing.T) {
	p := newPlusPlus(t, func(o *ensemblePlusPlusOptions) { o.Chains, o.Components = 1, 3 })
	observeSmall(t, p, 80)
	update(t, p, 3)
	contexts := smallContexts(2)
	mean, v := predict(t, p, contexts, posterior.Mean), make([]float64, 2*smallArms)
	must(t, p.encode(contexts))
	p.forward(0, posterior.Mean)
	features, stride := p.predictor.Features()
	x, width := p.chains[0].X[p.model.Dim():], p.last.In
	var along [2][3]float64 // Aᵀφ of arm 1
	for i := range along {
		phi := append(wide(features[i*stride:][:width]), 1)
		for j, f := range phi {
			for k := range 3 {
				along[i][k] += f * float64(x[((width+1)+j)*3+k])
			}
		}
	}
	dot := func(i, j int) (sum float64) {
		for k := range 3 {
			sum += along[i][k] * along[j][k]
		}
		return sum
	}
	const n = 20_000
	for _, joint := range []bool{false, true} {
		var s [3]float64
		for range n {
			draw := func() error { return p.Predict(v, contexts, posterior.Draw) }
			if joint {
				draw = func() error { return p.DrawJoint(v, contexts) }
			}
			must(t, draw())
			a, b := v[1]-mean[1], v[smallArms+1]-mean[smallArms+1]
			s[0], s[1], s[2] = s[0]+a*a/n, s[1]+a*b/n, s[2]+b*b/n
		}
		covariance := 0.0
		if joint {
			covariance = dot(0, 1)
		}
		checktest.SE(t, "variance", s[0], dot(0, 0), dot(0, 0)*math.Sqrt(2./n))
		checktest.SE(t, "variance", s[2], dot(1, 1), dot(1, 1)*math.Sqrt(2./n))
		checktest.SE(t, "covariance", s[1], covariance, math.Sqrt((dot(0, 0)*dot(1, 1)+covariance*covariance)/n))
	}
}
