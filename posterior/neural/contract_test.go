package neural_test

import (
	"testing"

	"banditsim/internal/verify"
	"banditsim/posterior"
	"banditsim/posterior/neural"
)

// TestContract checks the contract of networks with options that no registered posterior has.
func TestContract(t *testing.T) {
	preset := func(set func(*neural.LangevinOptions)) func(posterior.Setup) (posterior.Posterior, error) {
		o := neural.PICSGLD().SmallDefaults()
		set(&o)
		return func(s posterior.Setup) (posterior.Posterior, error) { return neural.PICSGLD().New(o, s) }
	}
	for _, c := range []struct {
		name   string
		build  func(posterior.Setup) (posterior.Posterior, error)
		rounds int
		spread bool
	}{
		{"RMSProp", neural.EpsGreedy().Subject().New, 150, false},
		{"no hidden layer", preset(func(o *neural.LangevinOptions) { o.Hidden = nil }), 150, true},
		// A step that ends a round is followed by predictions, and not by an evaluation.
		{"one step per round", preset(func(o *neural.LangevinOptions) { o.Steps = 1 }), 1200, true},
		{"reduced energy, falling ω", preset(func(o *neural.LangevinOptions) {
			o.Sampler.Contour.Energy, o.Sampler.Contour.EnergyRefresh = "reduced", 7
			o.Sampler.Contour.OmegaExponent, o.Sampler.Contour.OmegaOffset = 0.6, 100
		}), 150, true},
		{"weights Ψ^ζ", preset(func(o *neural.LangevinOptions) { o.Sampler.Contour.Weights = "psi" }), 150, true},
		{"decay, field θ^ζ, last bin", preset(func(o *neural.LangevinOptions) {
			o.Sampler.Decay, o.Sampler.Contour.Field, o.Sampler.Contour.Overflow = 0.99, "theta^zeta", "lastbin"
		}), 150, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			verify.Test(t, verify.Posterior{Subject: posterior.Subject{
				Name: c.name, New: c.build, Claims: posterior.Claims{Rounds: c.rounds, Spread: c.spread},
			}}.Checks())
		})
	}
}
