package claims

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"banditsim/internal/lists"
	"banditsim/internal/verify"
	"banditsim/posterior"
	"banditsim/posterior/neural"
	"banditsim/posterior/sgmcmc"
)

// checkRegression runs a sampler on a linear regression: a network without hidden layers and with full batches. It uses
// the same code as a bandit policy: the posterior that neural.Over makes from the sampler, with network, replay buffer,
// energy and weight decay λ. The n rows, weighted as a data set of size N (DataSize), have rewards r and feature
// vectors φ: the context at the weights of the arm, 1 at its bias, and 0 elsewhere. The parameters have
//
//	precision A = 2(N/n) Σ φφᵀ + λI,  mean A⁻¹·2(N/n) Σ φr,  covariance T·A⁻¹ as ε → 0
//
// At a finite ε, a claimed Variance gives the variance along each principal axis (see quadratic).
func checkRegression(j *judge, s Sampler) {
	if s.Claims.Coupled && s.Claims.Chains > 1 && !j.Long() {
		j.Skip("mean and covariance", "one network for each population takes minutes: --grade long")
		return
	}
	rates := []float64{0.4}
	switch {
	case s.Claims.Exact:
		rates = []float64{0.2}
	case s.Claims.Variance == nil:
		rates = []float64{4 * s.Claims.FineRate, 2 * s.Claims.FineRate}
	}
	found := lists.Each(rates, func(eps float64) *whitening { return j.regression(s, eps) })
	j.whitening("all parameters", found)
}

// Sizes and temperature of the regression. regressionRows are chosen such that the eigenvalues of A are of order 1.
const (
	regressionArms        = 2
	regressionDim         = 3
	regressionTemperature = 0.7
	regressionParameters  = (regressionDim + 1) * regressionArms
)

var regressionRows = []struct {
	context []float32
	arm     int
	reward  float64
}{
	{[]float32{1, 0, 0.5}, 0, 2}, {[]float32{0, 1, -0.5}, 0, -1}, {[]float32{-1, 0.5, 1}, 0, 3}, {[]float32{0.5, -1, 1}, 0, 0.5},
	{[]float32{1, 1, 0}, 1, -2}, {[]float32{-1, 0.25, 1}, 1, 4}, {[]float32{0.5, -1, 0.75}, 1, 1}, {[]float32{0.25, 0.5, -1}, 1, -3},
}

// regression measures the moments of the parameters after whitening: in coordinates whose law should be N(0, I).
func (j *judge) regression(s Sampler, eps float64) *whitening {
	n := len(regressionRows)
	o := neural.NetworkOptions{
		Steps: 1, Batch: n, Buffer: n, DataSize: 2, WeightDecay: 0.1,
		Dropout: neural.DropoutOptions{TrainSamples: 1, Samples: 1},
	}
	q := regressionLaw(o, s.Claims.Preconditioner)
	w := q.whiten(s.law(eps, regressionTemperature))
	populations := 1
	o.Chains = byGrade(j, 192, 512)
	w.begin(o.Chains)
	if s.Claims.Chains > 0 {
		populations, o.Chains = o.Chains, s.Claims.Chains
	}
	warmup, steps := s.warmup(q.softest(), eps), s.periods(float64(30*s.Claims.Memory(q.softest(), eps))+400)
	switch {
	case s.Claims.Exact || s.Claims.Thermostat:
		steps *= 8 // the energy, and so the variance over all axes, decorrelates more slowly than positions
	case s.Claims.Variance == nil && s.Claims.Chains <= 1:
		steps *= 3 // the extrapolation increases standard errors
	case s.Claims.Period > 1 && s.Claims.MomentumVariance != nil:
		steps *= 2 // momenta decorrelate slowly in the short steps of a cycle
	}
	for p := range populations {
		r := j.Rand(eps, p)
		draw := normals(r.Child("start"), 1)
		setup := posterior.Setup{Dim: regressionDim, Arms: regressionArms, Rounds: 1, Stream: r}
		network, err := neural.NewNetwork(o, setup, func(u sgmcmc.Setup) (posterior.Sampler, error) {
			u.V = q.v
			return s.New(s.setup(eps, regressionTemperature, o.Chains, 0).LangevinOptions, u)
		})
		verify.Must(err)
		for _, row := range regressionRows {
			verify.Must(network.Observe(row.context, row.arm, row.reward))
		}
		for c := range o.Chains {
			w.start(network.Parameters(c), draw)
		}
		for step := range warmup + steps {
			verify.Must(network.Update(context.Background())) // one gradient step
			if step < warmup {
				continue
			}
			for c, weight := range network.Weights() {
				replicate := c
				if s.Claims.Chains > 0 {
					replicate = p
				}
				if weight > 0 {
					w.add(replicate, network.Parameters(c))
				}
			}
		}
	}
	return w
}

// regressionLaw returns the energy of the parameters, with its precision A and its mean.
func regressionLaw(o neural.NetworkOptions, preconditioned bool) *quadratic {
	const d = regressionParameters
	a, b := mat.NewSymDense(d, nil), mat.NewVecDense(d, nil)
	for i := range d {
		a.SetSym(i, i, o.WeightDecay)
	}
	scale := 2 * o.DataSize / float64(len(regressionRows))
	for _, row := range regressionRows {
		phi := mat.NewVecDense(d, nil) // the order of parameters: weights by input and arm, then biases
		for i, c := range row.context {
			phi.SetVec(i*regressionArms+row.arm, float64(c))
		}
		phi.SetVec(regressionDim*regressionArms+row.arm, 1)
		a.SymRankOne(a, scale, phi)
		b.AddScaledVec(b, scale*row.reward, phi)
	}
	var v []float32
	if preconditioned {
		for i := range d { // a different G for each parameter
			v = append(v, frozenV(0.5+float64(0.1*float64(i))))
		}
	}
	q := newQuadratic(a, v)
	var mean mat.VecDense
	if err := mean.SolveVec(a, b); err != nil {
		verify.Failf("claims: regression: %w", err)
	}
	q.mean = mean.RawVector().Data
	return q
}
