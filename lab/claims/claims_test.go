package claims

import (
	"strings"
	"testing"

	"banditsim/internal/must"
	"banditsim/internal/verify"
	"banditsim/internal/worked"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// TestClaimsThatLack: a subject with invalid claims fails, with the reason.
func TestClaimsThatLack(t *testing.T) {
	s := subject("SGLD")
	s.Claims.Memory = nil
	r := verify.Verify(s.Checks(), verify.Options{Grade: verify.Quick, Seed: 1})
	must.That(t, len(r) == 1 && r[0].Verdict == verify.Fail && strings.Contains(r[0].Detail, "Memory is nil"),
		"results %v", r)
}

// TestWorkedSteps: every sampler of the project has steps worked out by hand under its name; ConstSGD has
// those of SGLD, whose code it is.
func TestWorkedSteps(t *testing.T) {
	for _, s := range subjects() {
		must.That(t, len(worked.Of(s.Name)) != 0 || s.Name == "ConstSGD", "package worked has no steps of %s", s.Name)
	}
}

// TestWithoutAClosedForm: a sampler that claims no variance is compared with the limit of small
// steps, which detects a wrong noise too. The everyday grade takes steps four times as long, and
// leaves out the regression: what the extrapolation leaves is then one standard error of the
// variance.
func TestWithoutAClosedForm(t *testing.T) {
	t.Parallel()
	s := subject("pSGLD")
	s.Claims.Variance, s.Claims.Autocorrelation = nil, nil
	if !*long {
		s.Claims.FineRate *= 4
	}
	build := s.New
	for _, factor := range []float64{1, 1.05} {
		s.New = func(o sgmcmc.LangevinOptions, u sgmcmc.Setup) (posterior.Sampler, error) {
			o.Temperature *= factor
			return build(o, u)
		}
		for _, c := range s.Checks() {
			if c.Name != "variance" && (c.Name != "linear regression" || factor != 1 || !*long) {
				continue
			}
			r := c.Run(verify.Options{Grade: verify.Quick, Seed: 1})
			must.That(t, verify.Failed(r) == (factor != 1), "noise variance times %g, %s: %v", factor, c.Name, r)
		}
	}
}
