// Package posteriortest runs the checks of package verify under testing.T. In a package's own
// test:
//
//	func TestContract(t *testing.T) { posteriortest.Posterior(t, Kind) }
//	func TestSampler(t *testing.T)  { posteriortest.Sampler(t, Method) }
package posteriortest

import (
	"testing"

	"banditsim/posterior"
	"banditsim/posterior/neural"
	"banditsim/posterior/sgmcmc"
	"banditsim/posterior/verify"
	"banditsim/posterior/verify/claims"
	"banditsim/posterior/verify/contract"
)

// Posterior checks the contract of posterior.Posterior, and the claims.
func Posterior[O any](t *testing.T, k posterior.Kind[O]) {
	t.Helper()
	Run(t, contract.Of(k))
}

// Sampler checks what a sampler claims.
func Sampler[O any](t *testing.T, m sgmcmc.Method[O]) {
	t.Helper()
	s, err := neural.Over(m).Subject()
	if err != nil {
		t.Fatal(err)
	}
	Run(t, claims.Sampler{Subject: s})
}

// Run runs the checks of a subject as subtests, side by side, in the quick grade at seed 1.
func Run(t *testing.T, s verify.Subject) {
	t.Helper()
	RunGrade(t, s, verify.Options{Grade: verify.Quick, Seed: 1})
}

// RunGrade is Run with another grade or seed.
func RunGrade(t *testing.T, s verify.Subject, o verify.Options) {
	t.Helper()
	for _, c := range s.Checks() {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			for _, r := range c.Run(o) {
				if r.Verdict == verify.Fail {
					t.Error(r)
				} else {
					t.Log(r)
				}
			}
		})
	}
}
