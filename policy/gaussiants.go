package policy

import (
	"math"

	"banditsim/bandit"
	"banditsim/bandit/stream"
	"banditsim/internal/check"
	"banditsim/internal/state"
)

// GaussianTSOptions are the options of GaussianTS.
type GaussianTSOptions struct {
	Noise float64      `json:"noise"` // standard deviation of a reward on the scale of the range; 1 is the source's
	Range RangeOptions `json:"range"`
}

// GaussianTSKind declares GaussianTS.
//
// GaussianTS draws the mean of each arm from
//
//	N(sₐ/(nₐ+1), noise²/(nₐ+1))
//
// and pulls the arm of the highest draw; sₐ is the sum of its nₐ rewards on the scale of the range
// (Agrawal and Goyal, AISTATS 2013, algorithm 2).
func GaussianTSKind() Kind[GaussianTSOptions] {
	return Kind[GaussianTSOptions]{
		Name: "GaussianTS", Doc: "Thompson sampling of Gaussian means, without context (Agrawal and Goyal 2013)",
		Defaults: func() GaussianTSOptions { return GaussianTSOptions{Noise: 1, Range: unitRange()} },
		New: func(o GaussianTSOptions, s Setup) (bandit.Policy, error) {
			if err := check.First(check.NotNegative("noise", o.Noise), o.Range.validate()); err != nil {
				return nil, err
			}
			arms := len(s.Spec.Arms)
			return &gaussianTS{newTally(o.Range, arms), o.Noise, s.Stream.Child("draw"), make([]float32, arms)}, nil
		},
	}
}

// gaussianTS is the policy of GaussianTSKind.
type gaussianTS struct {
	tally
	noise  float64
	draws  *stream.Stream
	normal []float32 // one for each arm
}

var _ bandit.Policy = (*gaussianTS)(nil)

// Act draws a mean for each arm.
func (g *gaussianTS) Act(bandit.Round) (int, error) {
	g.draws.Normals(g.normal)
	best, highest := 0, math.Inf(-1)
	for arm, z := range g.normal {
		n := float64(g.pulls[arm])
		v := float64(g.scaled(arm)*n)/(n+1) + float64(g.noise*float64(z))/math.Sqrt(n+1)
		if v > highest {
			best, highest = arm, v
		}
	}
	return best, nil
}

// MarshalBinary saves the moments and the stream.
func (g *gaussianTS) MarshalBinary() ([]byte, error) { return state.Save(g.state) }

// UnmarshalBinary restores what MarshalBinary saved.
func (g *gaussianTS) UnmarshalBinary(b []byte) error { return state.Restore(b, g.state) }

func (g *gaussianTS) state(c *state.Codec) {
	c.Object(&g.tally)
	c.Object(g.draws)
}
