// Package exact has posteriors without chains and networks: closed forms and approximations.
package exact

import (
	"context"
	"fmt"
	"math"

	"banditsim/bandit/stream"
	"banditsim/internal/check"
	"banditsim/internal/moments"
	"banditsim/internal/state"
	"banditsim/posterior"
)

// base is the common part of the posteriors of this package.
type base struct {
	state.Fields
	valueLaw
	learn     func(context []float32, arm int, reward float64) error // learns a row without an error of check.Row
	dim, arms int
	rand      *stream.Stream // for draws from the posterior
}

// A valueLaw is the posterior distribution of each arm's value (its mean reward) in one context.
type valueLaw interface {
	// setContext sets the context of later calls: of moments if how is posterior.Mean, of draw if it is posterior.Draw.
	setContext(context []float32, how posterior.Prediction) error
	moments(arm int) (mean, sd float64)
	draw(arm int) float64
}

var (
	_             posterior.Spreader     = (*base)(nil)
	_, _, _       posterior.JointDrawer  = (*linear)(nil), (*bag)(nil), (*trees)(nil)
	_, _, _, _, _ posterior.SampleDrawer = (*gp)(nil), (*logistic)(nil), (*local)(nil), (*dpmm)(nil), (*blend)(nil)
	_, _          posterior.Clusterer    = (*dpmm)(nil), (*blend)(nil)
)

func newBase(setup posterior.Setup, law valueLaw, fields state.Fields,
	learn func(context []float32, arm int, reward float64) error) base {
	return base{fields, law, learn, setup.Dim, setup.Arms, setup.Stream.Child("draw")}
}

func (b *base) Observe(context []float32, arm int, reward float64) error {
	err := check.Row(context, b.dim, arm, b.arms, reward)
	if err == nil {
		err = b.learn(context, arm, reward)
	}
	if err != nil {
		return fmt.Errorf("exact: observe: %w", err)
	}
	return nil
}

func (*base) Update(ctx context.Context) error { return ctx.Err() }

// Predict writes the mean of every value, or a draw of it if how is posterior.Draw.
func (b *base) Predict(dst []float64, contexts [][]float32, how posterior.Prediction) error {
	if err := how.Validate(); err != nil {
		return err
	}
	return b.each(dst, contexts, how, func(_, arm int) float64 {
		if how == posterior.Draw {
			return b.draw(arm)
		}
		mean, _ := b.moments(arm)
		return mean
	})
}

func (b *base) Spread(dst []float64, contexts [][]float32) error {
	return b.each(dst, contexts, posterior.Mean, func(_, arm int) float64 {
		_, sd := b.moments(arm)
		return sd
	})
}

// each calls setContext for every context i, and then sets the values of its arms in dst to f(i, arm).
func (b *base) each(dst []float64, contexts [][]float32, how posterior.Prediction, f func(i, arm int) float64) error {
	if err := b.checkContexts(dst, contexts); err != nil {
		return err
	}
	for i, c := range contexts {
		if err := b.setContext(c, how); err != nil {
			return err
		}
		for arm := range b.arms {
			dst[i*b.arms+arm] = f(i, arm)
		}
	}
	return b.checkValues(dst)
}

// checkContexts returns an error if a context has the wrong length. It panics if dst has the wrong length.
func (b *base) checkContexts(dst []float64, contexts [][]float32) error {
	if len(dst) != len(contexts)*b.arms {
		panic(fmt.Sprintf("exact: predict: room for %d values of %d contexts with %d arms", len(dst), len(contexts), b.arms))
	}
	for _, c := range contexts {
		if len(c) != b.dim {
			return fmt.Errorf("exact: predict: a context of %d numbers, want %d", len(c), b.dim)
		}
	}
	return nil
}

// checkValues returns an error if a value is not finite.
func (b *base) checkValues(values []float64) error {
	for i, v := range values {
		if v-v != 0 { // infinite or NaN
			return fmt.Errorf("exact: predict: the value of arm %d is %g: rewards or contexts are too large", i%b.arms, v)
		}
	}
	return nil
}

// A history holds the rewards of an arm with their contexts, oldest first.
type history struct {
	dim      int
	contexts []float32 // contexts of all rewards, row by row
	rewards  []float64
}

// add appends a row.
func (h *history) add(context []float32, reward float64) {
	h.contexts = append(h.contexts, context...)
	h.rewards = append(h.rewards, reward)
}

// row returns the i-th context.
func (h *history) row(i int) []float32 { return h.contexts[i*h.dim : (i+1)*h.dim] }

// state saves or restores a history. It restores row by row, so that a wrong length in damaged data cannot fill memory.
func (h *history) state(c *state.Codec) {
	n := c.Len("rewards", len(h.rewards), math.MaxInt)
	blank := make([]float32, h.dim)
	if c.Reading() {
		*h = history{dim: h.dim}
	}
	for i := 0; i < n && c.Err() == nil; i++ {
		if c.Reading() {
			h.add(blank, 0)
		}
		c.Float64(&h.rewards[i])
		c.Float32s(h.row(i))
	}
}

// residuals estimates the noise of rewards from residuals, each a reward minus its prediction before it was learned.
type residuals struct {
	moments.Noise
	n float64 // number of residuals
}

// Add adds a residual whose square is e2.
func (r *residuals) Add(e2 float64) {
	r.n++
	r.Noise.Add(e2, r.n)
}

// State saves or restores the estimate.
func (r *residuals) State(c *state.Codec) {
	c.Float64In("residuals", &r.n, 0, math.MaxFloat64)
	r.Noise.State(c)
}
