// Package posteriortest runs the checks of package verify under testing.T. In a package's own
// test, of a posterior (a contract.Posterior) or of a sampler (a claims.Sampler):
//
//	func TestContract(t *testing.T) {
//		posteriortest.Run(t, contract.Posterior{New: New, Rounds: 100, Spread: true})
//	}
package posteriortest

import (
	"testing"

	"banditsim/posterior/verify"
)

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
