// Package posteriortest checks samplers and posteriors as subtests, in the quick grade at seed 1. In a package's test:
//
//	func TestContract(t *testing.T) { posteriortest.Posterior(t, Kind) }
//	func TestSampler(t *testing.T)  { posteriortest.Sampler(t, Method) }
package posteriortest

import (
	"testing"

	"banditsim/internal/checktest"
	"banditsim/internal/verify"
	"banditsim/lab/claims"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// Posterior checks that posteriors of kind k satisfy the contract of posterior.Posterior and what k claims.
func Posterior[O any](t *testing.T, k posterior.Kind[O]) {
	t.Helper()
	checktest.Checks(t, verify.Posterior(k.Subject()))
}

// Sampler checks that the sampler of method m samples what m claims. It ends the test if m.Subject returns an error.
func Sampler[O any](t *testing.T, m sgmcmc.Method[O]) {
	t.Helper()
	s, err := m.Subject()
	if err != nil {
		t.Fatal(err)
	}
	checktest.Checks(t, claims.Sampler{Subject: s}.Checks())
}
