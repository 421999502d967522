package policy

import (
	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/check"
	"banditsim/internal/state"
)

// BetaTSOptions are the options of BetaTS.
type BetaTSOptions struct {
	PriorA float64      `json:"prior_a"` // successes before any reward, above 0
	PriorB float64      `json:"prior_b"` // failures before any reward, above 0
	Range  RangeOptions `json:"range"`
}

// BetaTSKind declares BetaTS.
//
// BetaTS draws the mean of each arm from Beta(prior_a + sₐ, prior_b + nₐ − sₐ) and pulls the arm of
// the highest draw; sₐ is the sum of its nₐ rewards on the scale of the range (Thompson, Biometrika 25,
// 1933; Agrawal and Goyal, COLT 2012, algorithm 1). Rewards between 0 and 1 count in proportion, where
// the source's algorithm 2 tosses a coin.
func BetaTSKind() Kind[BetaTSOptions] {
	return Kind[BetaTSOptions]{
		Name: "BetaTS", Doc: "Thompson sampling of Bernoulli means, without context (Thompson 1933; Agrawal and Goyal 2012)",
		Defaults: func() BetaTSOptions { return BetaTSOptions{PriorA: 1, PriorB: 1, Range: unitRange()} },
		New: func(o BetaTSOptions, s Setup) (bandit.Policy, error) {
			if err := check.First(check.Positive("prior_a", o.PriorA), check.Positive("prior_b", o.PriorB), o.Range.validate()); err != nil {
				return nil, err
			}
			return &betaTS{newTally(o.Range, len(s.Spec.Arms)), o.PriorA, o.PriorB, s.Stream.Child("draw")}, nil
		},
	}
}

// betaTS is the policy of BetaTSKind.
type betaTS struct {
	tally
	a, b  float64
	draws *stream.Stream
}

var _ bandit.Policy = (*betaTS)(nil)

// Act draws a mean for each arm.
func (b *betaTS) Act(bandit.Round) (int, error) {
	best, highest := 0, -1.0
	for arm, n := range b.pulls {
		successes := float64(b.scaled(arm) * float64(n))
		x, y := b.draws.Gamma(b.a+successes), b.draws.Gamma(b.b+(float64(n)-successes))
		if v := x / (x + y); v > highest {
			best, highest = arm, v
		}
	}
	return best, nil
}

// MarshalBinary saves the moments and the stream.
func (b *betaTS) MarshalBinary() ([]byte, error) { return state.Save(b.state) }

// UnmarshalBinary restores what MarshalBinary saved.
func (b *betaTS) UnmarshalBinary(saved []byte) error { return state.Restore(saved, b.state) }

func (b *betaTS) state(c *state.Codec) {
	c.Object(&b.tally)
	c.Object(b.draws)
}
