package sgmcmc_test

import (
	"testing"

	"banditsim/internal/verify"
	"banditsim/internal/worked"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// follow compares the steps of a sampler with those that were worked out by hand.
func follow[O any](t *testing.T, m sgmcmc.Method[O]) {
	t.Run(m.Name, func(t *testing.T) {
		if len(worked.Of(m.Name)) == 0 {
			t.Fatal("there are no steps worked out by hand")
		}
		check := verify.Check{Name: "hand-computed steps", Do: func(j *verify.Judge) {
			worked.Follow(j, worked.Of(m.Name), func(o sgmcmc.LangevinOptions, u sgmcmc.Setup) (posterior.Sampler, error) {
				return m.New(m.Checked(o), u)
			})
		}}
		for _, r := range check.Run(verify.Options{Grade: verify.Quick, Seed: 1}) {
			if r.Verdict == verify.Fail {
				t.Error(r)
			}
		}
	})
}

// TestWorkedSteps: single steps with given noise give the results worked out by hand.
func TestWorkedSteps(t *testing.T) {
	follow(t, sgmcmc.SGLD())
	follow(t, sgmcmc.PSGLD())
	follow(t, sgmcmc.CSGLD())
	follow(t, sgmcmc.ICSGLD())
	follow(t, sgmcmc.PCSGLD())
	follow(t, sgmcmc.PICSGLD())
	follow(t, sgmcmc.CycSGLD())
	follow(t, sgmcmc.ReSGLD())
	follow(t, sgmcmc.SGHMC())
	follow(t, sgmcmc.ICSGHMC())
	follow(t, sgmcmc.SGNHT())
	follow(t, sgmcmc.CycSGHMC())
	follow(t, sgmcmc.ReSGHMC())
	follow(t, sgmcmc.MALA())
	follow(t, sgmcmc.HMC())
	follow(t, sgmcmc.SVGD())
}
