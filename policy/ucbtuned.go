package policy

import (
	"math"

	"banditsim/bandit"
	"banditsim/internal/check"
	"banditsim/internal/kernel"
)

// UCBTunedOptions are the options of UCBTuned.
type UCBTunedOptions struct {
	Width float64      `json:"width"` // factor of the bound's width; 1 is the source's, smaller explores less
	Range RangeOptions `json:"range"`
}

// UCBTunedKind declares UCBTuned.
//
// UCBTuned pulls the arm a with the highest bound
//
//	x̄ₐ + width·√(ln t/nₐ · min(1/4, Vₐ)),  Vₐ = sₐ² + √(2 ln t/nₐ),
//
// where x̄ₐ and sₐ² are mean and variance of its nₐ rewards on the scale of the range and t the number
// of all pulls (Auer, Cesa-Bianchi and Fischer, Machine Learning 47, 2002, section 4). Arms without
// pulls come first.
func UCBTunedKind() Kind[UCBTunedOptions] {
	return Kind[UCBTunedOptions]{
		Name: "UCBTuned", Doc: "upper confidence bounds by the arms' variances, without context (Auer et al. 2002)",
		Defaults: func() UCBTunedOptions { return UCBTunedOptions{Width: 1, Range: unitRange()} },
		New: func(o UCBTunedOptions, s Setup) (bandit.Policy, error) {
			if err := check.First(check.NotNegative("width", o.Width), o.Range.validate()); err != nil {
				return nil, err
			}
			return &ucbTuned{newTally(o.Range, len(s.Spec.Arms)), o.Width}, nil
		},
	}
}

// ucbTuned is the policy of UCBTunedKind.
type ucbTuned struct {
	tally
	width float64
}

var _ bandit.Policy = (*ucbTuned)(nil)

// Act returns the arm of the highest bound.
func (u *ucbTuned) Act(bandit.Round) (int, error) {
	log := kernel.Log(float64(u.total))
	return u.best(func(arm int) float64 {
		ratio := log / float64(u.pulls[arm])
		v := u.variance(arm) + math.Sqrt(2*ratio)
		return u.scaled(arm) + float64(u.width*math.Sqrt(ratio*min(0.25, v)))
	}), nil
}
