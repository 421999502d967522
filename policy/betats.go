package policy

import (
	"math"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/check"
	"banditsim/internal/kernel"
	"banditsim/internal/state"
)

// BetaTSOptions are the options of BetaTS.
type BetaTSOptions struct {
	PriorA float64      `json:"prior_a"` // successes before any reward, above 0
	PriorB float64      `json:"prior_b"` // failures before any reward, above 0
	Range  RangeOptions `json:"range"`
}

// BetaTSKind declares BetaTS.
var BetaTSKind = Kind[BetaTSOptions]{
	Name: "BetaTS", Doc: "Thompson sampling of Bernoulli means, without context (Thompson 1933; Agrawal and Goyal 2012)",
	Defaults: func() BetaTSOptions { return BetaTSOptions{PriorA: 1, PriorB: 1, Range: unitRange()} },
	New: func(o BetaTSOptions, s Setup) (bandit.Policy, error) {
		if err := check.First(check.Positive("prior_a", o.PriorA), check.Positive("prior_b", o.PriorB), o.Range.validate()); err != nil {
			return nil, err
		}
		return &BetaTS{newTally(o.Range, len(s.Spec.Arms)), o.PriorA, o.PriorB, s.Stream.Child("draw")}, nil
	},
}

// BetaTS draws the mean of each arm from Beta(prior_a + sₐ, prior_b + nₐ − sₐ) and pulls the arm of
// the highest draw; sₐ is the sum of its nₐ rewards on the scale of the range (Thompson, Biometrika 25,
// 1933; Agrawal and Goyal, COLT 2012, algorithm 1). Rewards between 0 and 1 count in proportion, where
// the source's algorithm 2 tosses a coin.
type BetaTS struct {
	tally
	a, b  float64
	draws *stream.Stream
}

var _ bandit.Policy = (*BetaTS)(nil)

// Act draws a mean for each arm.
func (b *BetaTS) Act(bandit.Round) (int, error) {
	best, highest := 0, -1.0
	for arm, n := range b.pulls {
		successes := float64(b.scaled(arm) * float64(n))
		x, y := gamma(b.a+successes, b.draws), gamma(b.b+(float64(n)-successes), b.draws)
		if v := x / (x + y); v > highest {
			best, highest = arm, v
		}
	}
	return best, nil
}

// gamma draws from the gamma distribution of the given shape and scale 1 (Marsaglia and Tsang, TOMS 26,
// 2000). Shapes below 1 are one more, times U^(1/shape).
func gamma(shape float64, r *stream.Stream) float64 {
	factor := 1.0
	if shape < 1 {
		factor = kernel.Exp(kernel.Log(1-r.Float64()) / shape)
		shape++
	}
	d := shape - 1./3
	c := 1 / math.Sqrt(9*d)
	var normal [1]float32
	for {
		r.Normals(normal[:])
		x, u := float64(normal[0]), 1-r.Float64()
		v := 1 + float64(c*x)
		if v <= 0 {
			continue
		}
		v = v * v * v
		if kernel.Log(u) < float64(0.5*float64(x*x))+float64(d*(1-v+kernel.Log(v))) {
			return max(factor*float64(d*v), math.SmallestNonzeroFloat64) // so that two of them have a ratio
		}
	}
}

// MarshalBinary saves the moments and the stream.
func (b *BetaTS) MarshalBinary() ([]byte, error) {
	var w state.Writer
	w.Object(&b.tally)
	w.Object(b.draws)
	return w.Bytes()
}

// UnmarshalBinary restores what MarshalBinary saved.
func (b *BetaTS) UnmarshalBinary(saved []byte) error {
	r := state.NewReader(saved)
	r.Object(&b.tally)
	r.Object(b.draws)
	return r.Close()
}
