package exact

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/must"
	"banditsim/posterior"
)

// build returns a posterior before any reward.
func build[O any](t testing.TB, k posterior.Kind[O], o O, dim, arms int) posterior.Posterior {
	t.Helper()
	p, err := k.New(o, posterior.Setup{Dim: dim, Arms: arms, Rounds: 1, Stream: stream.Root(1).Child("policy")})
	must.OK(t, err)
	return p
}

// changed returns a posterior whose options are the defaults modified by change.
func changed[O any](t testing.TB, k posterior.Kind[O], dim, arms int, change func(*O)) posterior.Posterior {
	t.Helper()
	o := k.Defaults()
	change(&o)
	return build(t, k, o, dim, arms)
}

// observe adds rewards of arm 0. Each row has the context, one number, and the reward.
func observe(t *testing.T, p posterior.Posterior, rows [][2]float64) {
	t.Helper()
	for _, row := range rows {
		must.OK(t, p.Observe([]float32{float32(row[0])}, 0, row[1]))
	}
}

// update ends rounds.
func update(t *testing.T, p posterior.Posterior, rounds int) {
	t.Helper()
	for range rounds {
		must.OK(t, p.Update(t.Context()))
	}
}

// predict returns the mean and the standard deviation of each value.
func predict(t testing.TB, p posterior.Posterior, arms int, contexts ...[]float32) (mean, sd []float64) {
	t.Helper()
	mean, sd = make([]float64, arms*len(contexts)), make([]float64, arms*len(contexts))
	must.OK(t, errors.Join(p.Predict(mean, contexts, posterior.Mean), p.(posterior.Spreader).Spread(sd, contexts)))
	return mean, sd
}

// checkDraws compares the mean and variance of draws with Predict's and Spread's, within 6 standard errors for values with a
// kurtosis of up to 5.
func checkDraws(t *testing.T, p posterior.Posterior, arms int, contexts [][]float32, draw func(dst []float64) error) {
	t.Helper()
	const n = 20_000
	mean, sd := predict(t, p, arms, contexts...)
	v, sum, squares := make([]float64, len(mean)), make([]float64, len(mean)), make([]float64, len(mean))
	for range n {
		must.OK(t, draw(v))
		for i, x := range v {
			sum[i] += (x - mean[i]) / n
			squares[i] += (x - mean[i]) * (x - mean[i]) / n
		}
	}
	for i, s := range sd {
		must.Near(t, fmt.Sprint("off in the mean of draws of number ", i), sum[i], 0, 6*s/math.Sqrt(n)+1e-9)
		must.Near(t, fmt.Sprint("variance of draws of number ", i), squares[i], s*s, 6*s*s*math.Sqrt(4./n)+1e-9)
	}
}

// draws returns a function that writes Predict's draws in the contexts to dst.
func draws(p posterior.Posterior, contexts [][]float32) func(dst []float64) error {
	return func(dst []float64) error { return p.Predict(dst, contexts, posterior.Draw) }
}

// closeTo fails unless got is within a relative 1e-9 of want.
func closeTo(t *testing.T, what string, got, want float64) {
	t.Helper()
	must.Near(t, what, got, want, 1e-9*max(1, math.Abs(want)))
}

func lgamma(x float64) float64 {
	v, _ := math.Lgamma(x)
	return v
}

// at returns the mean and variance of function i of arm 0.
func (p *armModels) at(i int, context []float32) (mean, variance float64) {
	p.setCurrent(context)
	return p.models[0].f[i].at()
}

// refusal returns the error of building a posterior with options modified by change.
func refusal[O any](k posterior.Kind[O], change func(*O)) error {
	o := k.Defaults()
	change(&o)
	_, err := k.New(o, posterior.Setup{Dim: 1, Arms: 2, Rounds: 1, Stream: stream.Root(1)})
	return err
}

func TestOptionsOutOfRange(t *testing.T) {
	for want, err := range map[string]error{
		"concentration":                      refusal(DPMM(), func(o *DPMMOptions) { o.Concentration = 0 }),
		"strength":                           refusal(DPMM(), func(o *DPMMOptions) { o.Strength = 0 }),
		"sweep":                              refusal(DPMM(), func(o *DPMMOptions) { o.Sweep = -1 }),
		"laws":                               refusal(DPMM(), func(o *DPMMOptions) { o.Laws = math.NaN() }),
		"beta":                               refusal(DPMM(), func(o *DPMMOptions) { o.Beta = 0 }),
		"length_scale":                       refusal(GP(), func(o *GPOptions) { o.LengthScale = 0 }),
		"prior_sd":                           refusal(GP(), func(o *GPOptions) { o.PriorSD = -1 }),
		"prior_mean":                         refusal(GP(), func(o *GPOptions) { o.PriorMean = math.Inf(1) }),
		"spread":                             refusal(GP(), func(o *GPOptions) { o.Spread = -1 }),
		"novelty":                            refusal(GP(), func(o *GPOptions) { o.Novelty = 0 }),
		"basis":                              refusal(GP(), func(o *GPOptions) { o.Basis = 0 }),
		"lambda: 1e-13, want 1e-12 to 1e12":  refusal(Linear(), func(o *LinearOptions) { o.Lambda = 1e-13 }),
		"lambda: 1e+13, want 1e-12 to 1e12":  refusal(Bag(), func(o *BagOptions) { o.Lambda = 1e13 }),
		"step: 1, want above 0, below 1":     refusal(VITS(), func(o *vitsOptions) { o.Step = 1 }),
		"variant: II, want I with own_scale": refusal(VITS(), func(o *vitsOptions) { o.Variant, o.OwnScale = vitsII, true }),
		"own_scale": refusal(Logistic(), func(o *LogisticOptions) {
			o.OwnScale, o.Likelihood.Kind = true, twoValued
		}),
		"discount: 0.5, want 0.973 to 1 for 1000 weights": func() error {
			o := Linear().Defaults()
			o.Discount, o.Intercept = 0.5, false
			_, err := Linear().New(o, posterior.Setup{Dim: 1000, Arms: 1, Rounds: 1, Stream: stream.Root(1)})
			return err
		}(),
		"groups of 3 columns, want 1": func() error {
			_, err := DPMM().New(DPMM().Defaults(), posterior.Setup{Dim: 1, Arms: 1, Groups: []int{1, 1, 1},
				Stream: stream.Root(1)})
			return err
		}(),
		"column 1 of a context and another of its group": newDPMM(t, 1, []int{3, 3}).Observe([]float32{1, 1}, 0, 1),
		"column 0 of a context is 0.5":                   newDPMM(t, 1, []int{3, 3}).Observe([]float32{0.5, 0}, 0, 1),
	} {
		must.Fail(t, err, want)
	}
}
