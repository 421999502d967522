package mixture

import "testing"

// TestClaims: draws differ more without data, so that the check of the contract applies.
func TestClaims(t *testing.T) {
	if !DPMM().Claims.Spread {
		t.Error("DPMM does not claim a spread")
	}
}
