package sgmcmc_test

import (
	"testing"

	"banditsim/internal/checktest"
	"banditsim/internal/must"
	"banditsim/internal/verify"
	"banditsim/internal/worked"
	"banditsim/posterior/sgmcmc"
)

// TestWorkedSteps checks that single steps with given noise give the results worked out by hand.
func TestWorkedSteps(t *testing.T) {
	for _, subject := range []func() (sgmcmc.Subject, error){
		sgmcmc.SGLD().Subject, sgmcmc.PSGLD().Subject, sgmcmc.CSGLD().Subject, sgmcmc.ICSGLD().Subject, sgmcmc.PCSGLD().Subject,
		sgmcmc.PICSGLD().Subject, sgmcmc.CycSGLD().Subject, sgmcmc.ReSGLD().Subject, sgmcmc.SGHMC().Subject,
		sgmcmc.ICSGHMC().Subject, sgmcmc.SGNHT().Subject, sgmcmc.CycSGHMC().Subject, sgmcmc.ReSGHMC().Subject,
		sgmcmc.MALA().Subject, sgmcmc.HMC().Subject, sgmcmc.SVGD().Subject,
	} {
		m := must.Get(subject())(t)
		t.Run(m.Name, func(t *testing.T) {
			must.Hold(t, len(worked.Of(m.Name)) != 0, "there are no steps worked out by hand")
			checktest.Checks(t, []verify.Check{{Name: "hand-computed steps", Do: func(j *verify.Judge) {
				worked.Follow(j, worked.Of(m.Name), m.New)
			}}})
		})
	}
}
