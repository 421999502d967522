package exact

import (
	"cmp"
	"fmt"
	"math"

	"banditsim/bandit/stream"
	"banditsim/internal/check"
	"banditsim/internal/moments"
	"banditsim/internal/ridge"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// BagOptions are the options of Bag.
type BagOptions struct {
	Models    int     `json:"models"`    // number of models, each a linear regression per arm, 1 to 1,000
	Lambda    float64 `json:"lambda"`    // ridge penalty of a model's weights, 1e-12 to 1e12
	Intercept bool    `json:"intercept"` // whether the context gets a constant 1 as a last number
	// OwnScale subtracts the mean of all rewards so far before regression. A model without rewards predicts that mean.
	OwnScale bool `json:"own_scale,omitzero"`
}

// Bag is the online bootstrap of linear regression: the weight of each reward in each model is drawn from the Poisson
// distribution with mean 1 (Oza and Russell, AISTATS 2001; bandits: Agarwal et al., ICML 2014, section 5, as Vowpal
// Wabbit's --bag). A model is one exact weighted ridge regression per arm. A draw takes the same model for all arms, so
// Thompson sampling pulls an arm with a probability equal to the share of models that prefer it. Before any reward all
// models predict 0, and they keep predicting 0 in directions without data.
//
// A reward costs as much per model as with Linear. A prediction costs O(models·s) for a context with s nonzero numbers.
func Bag() posterior.Kind[BagOptions] {
	return posterior.Kind[BagOptions]{
		Name: "LinearBag", Doc: "online bootstrap of exact linear regression, 10 models",
		Defaults: func() BagOptions { return BagOptions{Models: 10, Lambda: 1, Intercept: true} },
		New:      BagOptions.build,
		Claims:   posterior.Claims{Rounds: 1},
	}
}

func (o BagOptions) build(setup posterior.Setup) (posterior.Posterior, error) {
	d := ridge.Dim(setup.Dim, o.Intercept)
	if err := cmp.Or(check.Within("models", o.Models, 1, 1000), ridge.CheckPenalty(o.Lambda),
		ridge.Check(d, setup.Arms*o.Models)); err != nil {
		return nil, fmt.Errorf("exact: bag: %w", err)
	}
	b := &bag{o: o, counts: setup.Stream.Child("bootstrap")}
	b.base = newBase(setup, b, b.state, b.learn)
	for range o.Models * setup.Arms {
		b.models = append(b.models, newRegression(d, o.Lambda, o.OwnScale))
	}
	return b, nil
}

// bag is the posterior that Bag declares.
type bag struct {
	base
	o      BagOptions
	models []*regression   // regressions of arm 0, one per model, then those of arm 1, …
	counts *stream.Stream  // draws the weights of rewards
	seen   moments.Running // moments of the rewards of all arms, with own_scale
	x      ridge.Vector    // the current context
	drawn  int             // index of the drawn model
}

// modelsOf returns the regressions of an arm, one per model.
func (b *bag) modelsOf(arm int) []*regression { return b.models[arm*b.o.Models : (arm+1)*b.o.Models] }

// learn adds the reward to each of the arm's regressions, with a weight drawn for each.
func (b *bag) learn(context []float32, arm int, reward float64) error {
	b.x.Set(context, b.o.Intercept)
	for _, g := range b.modelsOf(arm) {
		if n := b.counts.Poisson(); n > 0 {
			g.add(&b.x, reward, 1, float64(n))
		}
	}
	if b.o.OwnScale {
		b.seen.Add(reward)
	}
	return nil
}

func (b *bag) setContext(context []float32, how posterior.Prediction) error {
	b.x.Set(context, b.o.Intercept)
	if how == posterior.Draw {
		b.drawn = b.rand.IntN(b.o.Models)
	}
	return nil
}

func (b *bag) draw(arm int) float64 { return b.modelsOf(arm)[b.drawn].value(&b.x, b.seen.Mean) }

// DrawJoint writes the values of one drawn model in all contexts.
func (b *bag) DrawJoint(dst []float64, contexts [][]float32) error {
	b.drawn = b.rand.IntN(b.o.Models)
	return b.each(dst, contexts, posterior.Mean, func(_, arm int) float64 { return b.draw(arm) })
}

// moments returns the mean and the standard deviation of an arm's value over the models.
func (b *bag) moments(arm int) (mean, sd float64) {
	models := b.modelsOf(arm)
	return momentsOf(len(models), func(m int) float64 { return models[m].value(&b.x, b.seen.Mean) })
}

// momentsOf returns the mean and the (biased) standard deviation of n values.
func momentsOf(n int, value func(i int) float64) (mean, sd float64) {
	m2 := 0.0
	for i := range n {
		d := value(i) - mean
		mean += d / float64(i+1)
		m2 += float64(float64(d*d)*float64(i)) / float64(i+1)
	}
	return mean, math.Sqrt(m2 / float64(n))
}

func (b *bag) state(c *state.Codec) {
	c.Object(b.counts)
	c.Object(b.rand)
	if b.o.OwnScale {
		b.seen.State(c)
	}
	for _, g := range b.models {
		g.state(c)
	}
}
