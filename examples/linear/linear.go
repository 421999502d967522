package main

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"banditsim/bandit/stream"
	"banditsim/posterior"
)

// Options are the options of the posterior.
type Options struct {
	Prior float64 `json:"prior"` // standard deviation of a weight before any data
	Noise float64 `json:"noise"` // standard deviation of a reward
}

// Linear is an exact Bayesian linear regression for each arm. A reward in context c is N(c·x, noise²).
// Given the data, the arm's weights x are N(mean, cov).
type Linear struct {
	o    Options
	rand *stream.Stream
	mean []*mat.VecDense
	cov  []*mat.SymDense
}

func New(o Options, s posterior.Setup) (posterior.Posterior, error) {
	l := &Linear{o: o, rand: s.Stream.Child("draw")}
	for arm := range s.Arms {
		l.mean = append(l.mean, mat.NewVecDense(s.Dim, nil))
		l.cov = append(l.cov, mat.NewSymDense(s.Dim, nil))
		for i := range s.Dim {
			l.cov[arm].SetSym(i, i, o.Prior*o.Prior)
		}
	}
	return l, nil
}

func (l *Linear) Observe(context []float32, arm int, reward float64) error {
	if math.IsNaN(reward) || math.IsInf(reward, 0) {
		return fmt.Errorf("linear: a reward of %g", reward)
	}
	c, mean, cov := vector(context), l.mean[arm], l.cov[arm]
	var gain mat.VecDense
	gain.MulVec(cov, c)
	variance := l.o.Noise*l.o.Noise + mat.Dot(c, &gain) // variance of the reward
	mean.AddScaledVec(mean, (reward-mat.Dot(c, mean))/variance, &gain)
	cov.SymRankOne(cov, -1/variance, &gain)
	return nil
}

func (l *Linear) Update(context.Context) error { return nil } // Observe has updated mean and cov already

func (l *Linear) Predict(dst []float64, contexts [][]float32, how posterior.Prediction) error {
	if len(dst) != len(contexts)*len(l.mean) {
		panic(fmt.Sprintf("linear: room for %d values of %d contexts", len(dst), len(contexts)))
	}
	if err := how.Validate(); err != nil {
		return err
	}
	for i := range dst {
		c, arm := vector(contexts[i/len(l.mean)]), i%len(l.mean)
		dst[i] = mat.Dot(c, l.mean[arm])
		if how == posterior.Draw {
			var z [1]float32
			l.rand.Normals(z[:])
			dst[i] += float64(z[0]) * math.Sqrt(mat.Inner(c, l.cov[arm], c))
		}
	}
	return nil
}

func vector(c []float32) *mat.VecDense {
	v := mat.NewVecDense(len(c), nil)
	for i, f := range c {
		v.SetVec(i, float64(f))
	}
	return v
}
