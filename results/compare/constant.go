package compare

import (
	"fmt"
	"math"
	"slices"

	"banditsim/bandit"
	"banditsim/internal/words"
	"banditsim/results"
)

// A Constant is the best constant arm of an environment: that of the lowest expected regret for a policy that always pulls one.
type Constant struct {
	Arm string `json:"arm"` // its name; "" if there is none: it is another from seed to seed, or from round to round
	// Regret is the expected regret over all rounds, Percent that in percent of acting uniformly.
	Regret  words.Float `json:"regret"`
	Percent words.Float `json:"percent_of_uniform"`
}

// newConstant returns that of a set, nil if no sidecar tells: those of older versions do not.
func newConstant(set *results.Set) *Constant {
	nan := words.Float(math.NaN())
	arm := constantArm(set)
	switch {
	case arm == nil:
		return nil
	case arm.Arm == "":
		return &Constant{Regret: nan, Percent: nan}
	}
	uniform, _ := set.Conditions.UniformRegret()
	regret := float64(set.Conditions.Protocol.AllPulls()) * arm.Regret
	return &Constant{Arm: arm.Arm, Regret: words.Float(regret), Percent: percent(regret, uniform)}
}

// String returns a line of a caption.
func (c *Constant) String() string {
	if c.Arm == "" {
		return "best constant arm: " + words.None
	}
	text := fmt.Sprintf("best constant arm: always %q costs %s", words.Plain(c.Arm), words.Amount(float64(c.Regret)))
	if words.Finite(float64(c.Percent)) {
		text += fmt.Sprintf(", %s of uniform", words.Percent(float64(c.Percent)))
	}
	return text
}

// sentence returns the best constant arm, which is not nil, with the number of policies of a summary that cost less.
func (c *Constant) sentence(s *Summary) string {
	text := "B" + c.String()[1:]
	if c.Arm == "" {
		return text + ", another from seed to seed or from round to round."
	}
	below := 0
	for _, p := range s.Policies {
		if p.Regret[Primary()].All.Mean < float64(c.Regret) {
			below++
		}
	}
	text += fmt.Sprintf("; %d of %d policies cost less", below, len(s.Policies))
	if lowest := s.Policies[0].Regret[Primary()].All; below > 0 && lowest.HasInterval() && lowest.High >= float64(c.Regret) {
		text += ", none of them surely: it is within the interval of the best"
	}
	return text + "."
}

// constantArm returns the best constant arm of the environment, which sidecars have, without a name if there is none; nil if no
// sidecar tells. It reads the last sidecar of each policy, as there may be thousands of an older version, to which seeds were added.
func constantArm(set *results.Set) *bandit.ConstantArm {
	for _, p := range set.Policies {
		if len(p.Records) == 0 {
			continue
		}
		s, err := p.Records[len(p.Records)-1].Sidecar()
		if err == nil && s.ConstantArm != nil && (s.ConstantArm.Arm == "" || slices.Contains(set.Conditions.Environment.Arms, s.ConstantArm.Arm)) {
			return s.ConstantArm
		}
	}
	return nil
}
