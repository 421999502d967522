package neural

import (
	"bytes"
	"math"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/checktest"
	"banditsim/internal/state"
	"banditsim/posterior"
)

func newPlusPlus(t *testing.T, set func(*EnsemblePlusPlusOptions)) *ensemblePlusPlus {
	t.Helper()
	o := EnsemblePlusPlus().SmallDefaults()
	o.Chains = 2
	set(&o)
	p, err := o.build(posterior.Setup{Dim: smallDim, Arms: smallArms, Rounds: 30, Stream: stream.Root(5)})
	if err != nil {
		t.Fatal(err)
	}
	return p.(*ensemblePlusPlus)
}

// TestComponentsLeaveTheNetwork: energy and gradient of the network are those without components, on the same batch.
func TestComponentsLeaveTheNetwork(t *testing.T) {
	p := newPlusPlus(t, func(*EnsemblePlusPlusOptions) {})
	o := EnsemblePlusPlus().SmallDefaults().LangevinNetwork
	o.Chains = 2
	plain, err := o.network(posterior.Setup{Dim: smallDim, Arms: smallArms, Rounds: 30, Stream: stream.Root(5)})
	if err != nil {
		t.Fatal(err)
	}
	observeSmall(t, p, 80)
	observeSmall(t, plain, 80)
	for i := range plain.chains {
		a, b := &p.chains[i], &plain.chains[i]
		got, err := a.Target.EnergyGrad(a.Grad, a.X)
		if err != nil {
			t.Fatal(err)
		}
		want, err := b.Target.EnergyGrad(b.Grad, b.X)
		if err != nil {
			t.Fatal(err)
		}
		checktest.Near(t, "energy", got, want, 0)
		checktest.Bits(t, "gradient", a.Grad[:len(b.Grad)], b.Grad)
		moved := false
		for _, g := range a.Grad[len(b.Grad):] {
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
	p := newPlusPlus(t, func(o *EnsemblePlusPlusOptions) { o.Chains, o.Components = 1, 3 })
	observeSmall(t, p, 80)
	update(t, p, 3)
	contexts := smallContexts(2)
	mean, v := make([]float64, 2*smallArms), make([]float64, 2*smallArms)
	if err := p.Predict(mean, contexts, posterior.Mean); err != nil {
		t.Fatal(err)
	}
	if err := p.encode(contexts); err != nil {
		t.Fatal(err)
	}
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
			if err := draw(); err != nil {
				t.Fatal(err)
			}
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

// TestEnsemblesSaved: EnsemblePlusPlus and EnsemblePlus in their own scale go on after they were restored as those that were not.
func TestEnsemblesSaved(t *testing.T) {
	scaled := func(o *LangevinNetwork) {
		o.OwnScale, o.PriorScale, o.TrainAfter, o.LearningRate = true, 1, 20, 0.1
		o.Preconditioner.Rho, o.Preconditioner.Scale = 0.01, 1
	}
	for name, fresh := range map[string]func() posterior.Posterior{
		"EnsemblePlusPlus": func() posterior.Posterior {
			return newPlusPlus(t, func(o *EnsemblePlusPlusOptions) { scaled(&o.LangevinNetwork) })
		},
		"EnsemblePlus": func() posterior.Posterior {
			o := EnsemblePlus().SmallDefaults()
			scaled(&o.LangevinNetwork)
			p, err := o.build(posterior.Setup{Dim: smallDim, Arms: smallArms, Rounds: 30, Stream: stream.Root(5)})
			if err != nil {
				t.Fatal(err)
			}
			return p
		},
	} {
		for _, rows := range []int{10, 60, 200} {
			p, q := fresh(), fresh()
			play := func(p posterior.Posterior, factor float64) []byte {
				for i := range rows {
					context, arm, reward := smallRow(i)
					if err := p.Observe(context, arm, factor*reward); err != nil {
						t.Fatal(err)
					}
					if i%20 == 19 {
						update(t, p, 1)
					}
				}
				v := make([]float64, smallArms)
				if err := p.Predict(v, smallContexts(1), posterior.Draw); err != nil {
					t.Fatal(err)
				}
				b, err := p.(state.Object).MarshalBinary()
				if err != nil {
					t.Fatal(err)
				}
				return b
			}
			if err := q.(state.Object).UnmarshalBinary(play(p, 1)); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(play(p, 10), play(q, 10)) {
				t.Errorf("%s, %d rows: another state after it was restored", name, rows)
			}
		}
	}
}
