package exact

import "testing"

// TestClaims: the posteriors that docs/policies.md says know where they have no data claim it, so that the checks of the
// contract apply to them.
func TestClaims(t *testing.T) {
	for name, claims := range map[string]bool{
		DPMM().Name: DPMM().Claims.Spread, Linear().Name: Linear().Claims.Spread, Logistic().Name: Logistic().Claims.Spread, GP().Name: GP().Claims.Spread, KernelRegression().Name: KernelRegression().Claims.Spread,
	} {
		if !claims {
			t.Errorf("%s does not claim a spread", name)
		}
	}
	// The constant 1 is a part of the models: without it a context of zeros has the value 0.
	for name, intercept := range map[string]bool{
		Linear().Name: Linear().Defaults().Intercept, Logistic().Name: Logistic().Defaults().Intercept, Bag().Name: Bag().Defaults().Intercept,
	} {
		if !intercept {
			t.Errorf("%s has no intercept by default", name)
		}
	}
}
