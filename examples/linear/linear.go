package main

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"banditsim/bandit/stream"
	"banditsim/posterior"
)

type Options struct {
	Lambda float64 `json:"lambda"` // prior precision of the weights
	Sigma  float64 `json:"sigma"`  // standard deviation of a reward
}

// Linear is Bayesian linear regression, one for each arm: the reward is
// N(c·x, σ²), the prior of the weights x is N(0, I/λ), the posterior is exact.
type Linear struct {
	o         Options
	rand      *stream.Stream
	precision []*mat.SymDense // A = λI + Σ ccᵀ/σ²
	b, mean   []*mat.VecDense // b = Σ rc/σ², mean = A⁻¹b
	root      []mat.Cholesky  // of A
}

func New(o Options, s posterior.Setup) (posterior.Posterior, error) {
	l := &Linear{o: o, rand: s.Stream.Child("draw"), root: make([]mat.Cholesky, s.Arms)}
	for range s.Arms {
		a := mat.NewSymDense(s.Dim, nil)
		for i := range s.Dim {
			a.SetSym(i, i, o.Lambda)
		}
		l.precision = append(l.precision, a)
		l.b = append(l.b, mat.NewVecDense(s.Dim, nil))
		l.mean = append(l.mean, mat.NewVecDense(s.Dim, nil))
	}
	return l, l.Update(context.Background())
}

func (l *Linear) Observe(c []float32, arm int, reward float64) error {
	v, w := vector(c), 1/(l.o.Sigma*l.o.Sigma)
	l.precision[arm].SymRankOne(l.precision[arm], w, v)
	l.b[arm].AddScaledVec(l.b[arm], w*reward, v)
	return nil
}

func (l *Linear) Update(context.Context) error {
	for a := range l.root {
		l.root[a].Factorize(l.precision[a])
		if err := l.root[a].SolveVecTo(l.mean[a], l.b[a]); err != nil {
			return err
		}
	}
	return nil
}

func (l *Linear) Predict(dst []float64, contexts [][]float32, how posterior.Predict) error {
	for i, c := range contexts {
		for a, x := range l.mean {
			if how == posterior.Draw {
				x = l.draw(a)
			}
			dst[i*len(l.mean)+a] = mat.Dot(x, vector(c))
		}
	}
	return nil
}

// draw returns weights from the posterior N(mean, A⁻¹) of an arm: with A = RᵀR
// and z ~ N(0, I) they are mean + R⁻¹z.
func (l *Linear) draw(a int) *mat.VecDense {
	z := make([]float32, l.mean[a].Len())
	l.rand.Normals(z)
	var r mat.TriDense
	l.root[a].UTo(&r)
	x := mat.NewVecDense(len(z), nil)
	if err := x.SolveVec(&r, vector(z)); err != nil {
		panic(err) // A is at least λI
	}
	x.AddVec(x, l.mean[a])
	return x
}

func vector(c []float32) *mat.VecDense {
	v := mat.NewVecDense(len(c), nil)
	for i, f := range c {
		v.SetVec(i, float64(f))
	}
	return v
}
