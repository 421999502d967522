// Package exact has posteriors without chains: closed forms and approximations that are updated
// reward by reward.
package exact

import (
	"fmt"
	"math"

	"banditsim/internal/check"
	"banditsim/internal/moments"
	"banditsim/internal/state"
)

// checkRow returns an error about a row that Observe cannot take.
func checkRow(context []float32, dim, arm, arms int, reward float64) error {
	if err := check.Row(context, dim, arm, arms, reward); err != nil {
		return fmt.Errorf("exact: observe: %w", err)
	}
	return nil
}

// checkContexts panics if dst has the wrong length, and returns an error if a context has.
func checkContexts(dst []float64, contexts [][]float32, dim, arms int) error {
	if len(dst) != len(contexts)*arms {
		panic(fmt.Sprintf("exact: predict: room for %d values of %d contexts with %d arms", len(dst), len(contexts), arms))
	}
	for _, c := range contexts {
		if len(c) != dim {
			return fmt.Errorf("exact: predict: a context of %d numbers, want %d", len(c), dim)
		}
	}
	return nil
}

// checkSamples is checkContexts for one or more samples.
func checkSamples(dst []float64, contexts [][]float32, dim, arms int) error {
	size := len(contexts) * arms
	if size == 0 || len(dst)%size != 0 {
		panic(fmt.Sprintf("exact: samples: room for %d values, samples have %d contexts with %d arms", len(dst), len(contexts), arms))
	}
	return checkContexts(dst[:min(size, len(dst))], contexts, dim, arms)
}

// each sets dst to f of every arm in every context, which look has seen before.
func each[A any](dst []float64, contexts [][]float32, dim int, arms []A, look func(c []float32), f func(A) float64) error {
	if err := checkContexts(dst, contexts, dim, len(arms)); err != nil {
		return err
	}
	for i, c := range contexts {
		look(c)
		for a, arm := range arms {
			v := f(arm)
			if err := checkValue(a, v); err != nil {
				return err
			}
			dst[i*len(arms)+a] = v
		}
	}
	return nil
}

// checkValue returns an error if the value of an arm is not finite.
func checkValue(arm int, v float64) error {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("exact: predict: the value of arm %d is %g: rewards or contexts are too large", arm, v)
	}
	return nil
}

// A history holds the rewards of an arm, with their contexts.
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

// state grows a history as it is restored, so that damaged numbers do not fill the memory.
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

// residuals estimate the noise of rewards from the errors of predictions that were made before each was learned from.
type residuals struct {
	moments.Noise
	n float64
}

// Add adds a residual by its square.
func (r *residuals) Add(e2 float64) {
	r.n++
	r.Noise.Add(e2, r.n)
}

// State saves the residuals or restores them.
func (r *residuals) State(c *state.Codec) {
	c.Float64In("residuals", &r.n, 0, math.MaxFloat64)
	r.Noise.State(c)
}
