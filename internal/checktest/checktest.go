// Package checktest helps to test samplers and posteriors over networks: comparisons of numbers, in standard errors,
// with a tolerance or bit for bit (the first two fail on NaN); checks as subtests; scripted normal numbers; streams.
package checktest

import (
	"fmt"
	"math"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/lists"
	"banditsim/internal/verify"
	"banditsim/posterior"
)

// maxSE is the number of standard errors by which a statistic may be off. A Gaussian statistic is off by more with
// probability 2e-9. The tests check fewer than 200 statistics, so the probability of any false alarm is below 4e-7.
const maxSE = 6

// SE compares a statistic with its expected value, in standard errors.
func SE(t *testing.T, name string, got, want, se float64) {
	t.Helper()
	t.Logf("%s: got %.6g, want %.6g, standard error %.2g: %+.2f standard errors off", name, got, want, se, (got-want)/se)
	if !(math.Abs(got-want) <= maxSE*se) {
		t.Errorf("%s is %g, want %g: %+.1f standard errors of %g off, want at most %d", name, got, want, (got-want)/se, se, maxSE)
	}
}

// Near compares two numbers. The tolerance is relative to |want|, or absolute if |want| is below 1.
func Near(t *testing.T, name string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*max(1, math.Abs(want))) {
		t.Errorf("%s is %.15g, want %.15g", name, got, want)
	}
}

// Vector is Near for each element.
func Vector(t *testing.T, name string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, want %d", name, len(got), len(want))
	}
	for i := range got {
		Near(t, fmt.Sprintf("%s[%d]", name, i), got[i], want[i], tolerance)
	}
}

// Bits compares two vectors bit for bit.
func Bits(t *testing.T, name string, got, want []float32) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, want %d", name, len(got), len(want))
	}
	for i := range got {
		if math.Float32bits(got[i]) != math.Float32bits(want[i]) {
			t.Fatalf("%s: element %d is %g, want exactly %g", name, i, got[i], want[i])
		}
	}
}

// NewScript returns a source of normals that returns the given numbers, one vector per call.
func NewScript(vectors [][]float32) posterior.Normals { return &script{vectors} }

type script struct{ vectors [][]float32 }

func (s *script) Normals(dst []float32) {
	copy(dst, s.vectors[0])
	s.vectors = s.vectors[1:]
}

// Advance moves the chains by a number of steps.
func Advance(t testing.TB, s posterior.Sampler, chains []posterior.Chain, steps int) {
	t.Helper()
	for range steps {
		if err := s.Step(chains); err != nil {
			t.Fatal(err)
		}
	}
}

// Checks runs checks as subtests, side by side, in the quick grade at seed 1.
func Checks(t *testing.T, checks []verify.Check) {
	t.Helper()
	for _, c := range checks {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			for _, r := range c.Run(verify.Options{Grade: verify.Quick, Seed: 1}) {
				if r.Verdict == verify.Fail {
					t.Error(r)
				} else {
					t.Log(r)
				}
			}
		})
	}
}

// Stream returns the stream with the given path below a fixed root.
func Stream(path ...any) *stream.Stream { return stream.Root(2).Child(path...) }

// Wide returns x as float64.
func Wide(x []float32) []float64 {
	return lists.Each(x, func(v float32) float64 { return float64(v) })
}

// Narrow returns x as float32.
func Narrow(x []float64) []float32 {
	return lists.Each(x, func(v float64) float32 { return float32(v) })
}
