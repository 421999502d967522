package exact

import (
	"fmt"
	"math"
	"slices"

	"banditsim/bandit/stream"
	"banditsim/internal/kernel"
	"banditsim/internal/moments"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// A blend is DPMM with the option linear: a weighted average of the mixture and one linear regression per arm. The
// weights depend on how well each model predicted rewards before learning from them (dynamic model averaging: Raftery,
// Kárný and Ettler, Technometrics 52, 2010). With σ² the mean square of a model's n errors, older ones counting less,
//
//	weight of the regression = 1/(1 + (σ_regression/σ_mixture)ⁿ)
//
// A draw is a draw of one of the two models, chosen with these probabilities.
type blend struct {
	*dpmm
	state.Fields
	regression posterior.Posterior
	errors     [2]residuals // errors[0] of the mixture, errors[1] of the regression
	rewards    moments.Running
	models     *stream.Stream // draws one of the two models
	values     []float64      // means or draws of the regression in the current context
	spreads    []float64      // standard deviations of the regression in the current context
}

// newBlend returns the blend of d, which must have no rewards yet, and a new regression.
func newBlend(d *dpmm, setup posterior.Setup) (*blend, error) {
	o := Linear().Defaults()
	o.OwnScale = true
	setup.Stream = setup.Stream.Child("linear")
	p, err := o.build(setup)
	if err != nil {
		return nil, fmt.Errorf("exact: dpmm: linear: %w", err)
	}
	b := &blend{dpmm: d, regression: p, models: setup.Stream.Child("model")}
	b.values, b.spreads = make([]float64, b.arms), make([]float64, b.arms)
	b.Fields, d.valueLaw = b.state, b
	return b, nil
}

// weight returns the weight of the regression, 0 to 1.
func (b *blend) weight() float64 {
	scale := b.rewards.SD()
	odds := b.errors[1].Weight() * kernel.Log(b.errors[1].SD(scale)/b.errors[0].SD(scale))
	return 1 / (1 + kernel.Exp(min(odds, 700)))
}

// Observe records both models' errors in predicting the reward, unless it is the arm's first, then lets them learn it.
func (b *blend) Observe(context []float32, arm int, reward float64) error {
	mixture, known := 0.0, arm >= 0 && arm < b.arms && b.m.arms[arm].total > 0
	if known {
		if err := b.setContext(context, posterior.Mean); err != nil {
			return err
		}
		mixture, _ = b.dpmm.moments(arm)
	}
	if err := b.dpmm.Observe(context, arm, reward); err != nil {
		return err
	}
	if err := b.regression.Observe(context, arm, reward); err != nil {
		return err
	}
	b.rewards.Add(reward)
	if known {
		for i, value := range []float64{mixture, b.values[arm]} {
			b.errors[i].Add(float64((reward - value) * (reward - value)))
		}
	}
	return nil
}

// setContext sets the context of both models. For means, it sets b.values and b.spreads to the means and the standard
// deviations of the regression. For draws, it sets b.values to draws from the regression.
func (b *blend) setContext(context []float32, how posterior.Prediction) error {
	contexts := [][]float32{context}
	if err := b.regression.Predict(b.values, contexts, how); err != nil {
		return err
	}
	if how == posterior.Mean {
		if err := b.regression.(posterior.Spreader).Spread(b.spreads, contexts); err != nil {
			return err
		}
	}
	return b.dpmm.setContext(context, how)
}

func (b *blend) moments(arm int) (mean, sd float64) {
	mean, sd = b.dpmm.moments(arm)
	w, apart := b.weight(), b.values[arm]-mean
	variance := float64((1-w)*float64(sd*sd)) + float64(w*float64(b.spreads[arm]*b.spreads[arm])) + float64(w*(1-w)*float64(apart*apart))
	return mean + float64(w*apart), math.Sqrt(variance)
}

// draw returns a draw of one of the two models.
func (b *blend) draw(arm int) float64 {
	value := b.dpmm.draw(arm)
	if b.models.Float64() < b.weight() {
		return b.values[arm]
	}
	return value
}

// DrawSamples draws each sample from one of the two models.
func (b *blend) DrawSamples(dst []float64, contexts [][]float32) error {
	w := b.weight()
	for sample := range slices.Chunk(dst, len(contexts)*b.arms) {
		from := b.drawSample
		if b.models.Float64() < w {
			from = b.regression.(posterior.JointDrawer).DrawJoint
		}
		if err := from(sample, contexts); err != nil {
			return err
		}
	}
	return nil
}

// Improvement writes the improvement under the model with the larger weight, and +Inf for an arm without rewards.
func (b *blend) Improvement(dst []float64, contexts [][]float32, over []float64) error {
	if b.weight() < 0.5 {
		return b.dpmm.Improvement(dst, contexts, over)
	}
	return b.improve(dst, contexts, func(i, arm int) float64 { return normalGain(b.values[arm]-over[i], b.spreads[arm]) })
}

// normalGain returns E[max(0, v)] = sd·(φ(z) + z·Φ(z)) for a normal v, with z = mean/sd. Φ is computed by a series with
// positive terms (Marsaglia, Journal of Statistical Software 11, 2004), with an error below 1e-14.
func normalGain(mean, sd float64) float64 {
	z := math.Abs(mean) / sd
	if !(z < 8) {
		return max(0, mean)
	}
	density := kernel.Exp(-z*z/2) / math.Sqrt(2*math.Pi)
	sum, term := z, z
	for i := 3.; term > 1e-17; i += 2 {
		term *= z * z / i
		sum += term
	}
	below := float64(z * (0.5 - float64(density*sum))) // z·Φ(−z)
	return max(0, mean) + float64(sd*max(0, density-below))
}

func (b *blend) state(c *state.Codec) {
	c.Object(b.dpmm)
	c.Any("linear", b.regression)
	c.Object(b.models)
	b.rewards.State(c)
	for i := range b.errors {
		b.errors[i].State(c)
	}
}
