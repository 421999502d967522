package posteriortest

import (
	"testing"
)

// Run runs the checks of a subject as subtests, side by side, in the quick grade at
// seed 1. In a package's own test:
//
//	func TestContract(t *testing.T) {
//		posteriortest.Run(t, posteriortest.Posterior{New: New, Rounds: 100, Spread: true})
//	}
func Run(t *testing.T, s Subject) {
	t.Helper()
	RunGrade(t, s, Options{Grade: Quick, Seed: 1})
}

// RunGrade is Run with another grade or seed.
func RunGrade(t *testing.T, s Subject, o Options) {
	t.Helper()
	for _, c := range s.Checks() {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			for _, r := range c.Run(o) {
				if r.Verdict == Fail {
					t.Error(r)
				} else {
					t.Log(r)
				}
			}
		})
	}
}
