package neural

import (
	"testing"

	"banditsim/internal/checktest"
	"banditsim/internal/verify"
	"banditsim/posterior"
)

// TestContract checks the contract of networks with options that no registered posterior has.
func TestContract(t *testing.T) {
	small := PICSGLD().Kind
	for _, c := range []struct {
		name   string
		build  func(posterior.Setup) (posterior.Posterior, error)
		rounds int
		spread bool
	}{
		{"RMSProp", EpsGreedy().Subject().New, 150, false},
		{"no hidden layer", builder(small, func(o *LangevinOptions) { o.Hidden = nil }), 150, true},
		// Here every step ends a round: predictions follow it, not another evaluation of the energy.
		{"one step per round", builder(small, func(o *LangevinOptions) { o.Steps = 1 }), 1200, true},
		{"reduced energy, falling ω", builder(small, func(o *LangevinOptions) {
			o.Sampler.Contour.Energy, o.Sampler.Contour.EnergyRefresh = "reduced", 7
			o.Sampler.Contour.OmegaExponent, o.Sampler.Contour.OmegaOffset = 0.6, 100
		}), 150, true},
		{"weights Ψ^ζ", builder(small, func(o *LangevinOptions) { o.Sampler.Contour.Weights = "psi" }), 150, true},
		{"decay, field θ^ζ, last bin", builder(small, func(o *LangevinOptions) {
			o.Sampler.Decay, o.Sampler.Contour.Field, o.Sampler.Contour.Overflow = 0.99, "theta^zeta", "lastbin"
		}), 150, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			claims := posterior.Claims{Rounds: c.rounds, Spread: c.spread}
			checktest.Checks(t, verify.Posterior(posterior.Subject{Name: c.name, New: c.build, Claims: claims}))
		})
	}
}
