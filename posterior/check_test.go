package posterior

import (
	"math"
	"testing"

	"banditsim/bandit/stream"
)

// near tells whether got is within tolerance of want. It is false on NaN.
func near(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance }

// maxSE is the number of standard errors by which a statistic may be off. A
// Gaussian one is farther out with probability 2e-9. The package checks fewer than
// 200, so that the chance of a false alarm is below 4e-7 altogether.
const maxSE = 6

// checkSE compares a statistic with what it should be, in standard errors.
func checkSE(t *testing.T, name string, got, want, se float64) {
	t.Helper()
	checkWithin(t, name, got, want, se, maxSE)
}

func checkWithin(t *testing.T, name string, got, want, se, limit float64) {
	t.Helper()
	t.Logf("%s: got %.6g, want %.6g, standard error %.2g: %+.2f standard errors off", name, got, want, se, (got-want)/se)
	if !near(got, want, limit*se) {
		t.Errorf("%s is %g, want %g: %+.1f standard errors of %g off, want at most %g", name, got, want, (got-want)/se, se, limit)
	}
}

// checkSharp is checkSE for a test that must see a fault of 5 %: such a fault
// has to lie at least 9 standard errors out.
func checkSharp(t *testing.T, name string, got, want, se float64) {
	t.Helper()
	if !(9*se <= 0.05*math.Abs(want)) {
		t.Errorf("%s: a standard error of %g is too large to see a fault of 5 %% in %g at 9 of them", name, se, want)
	}
	checkSE(t, name, got, want, se)
}

// chiSquareLimit is the value that chi-square with the given degrees of freedom
// exceeds with probability 1e-9, by the approximation of Wilson and Hilferty
// (The distribution of chi-square, PNAS 1931).
func chiSquareLimit(df float64) float64 {
	const z = 6
	c := 2 / (9 * df)
	return df * math.Pow(1-c+z*math.Sqrt(c), 3)
}

// checkNear compares two numbers relative to their size (or to 1, if smaller).
func checkNear(t *testing.T, name string, got, want, tolerance float64) {
	t.Helper()
	if !near(got, want, tolerance*max(1, math.Abs(want))) {
		t.Errorf("%s is %.15g, want %.15g", name, got, want)
	}
}

// checkBits compares two vectors bit for bit.
func checkBits(t *testing.T, name string, got, want []float32) {
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

// meanSE returns the mean of independent replicates and its standard error.
func meanSE(x []float64) (mean, se float64) {
	n := float64(len(x))
	for _, v := range x {
		mean += v / n
	}
	for _, v := range x {
		se += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(se / (n - 1) / n)
}

// function is a Target made of a function.
type function struct {
	dim int
	f   func(grad, x []float32) float64
}

func (t function) Dim() int                                      { return t.dim }
func (t function) EnergyGrad(grad, x []float32) (float64, error) { return t.f(grad, x), nil }

// script is a Normals that plays given numbers, one vector a call.
type script struct{ lines [][]float32 }

func (s *script) Normals(dst []float32) {
	copy(dst, s.lines[0])
	s.lines = s.lines[1:]
}

// advance does a number of steps.
func advance(t testing.TB, s Sampler, chains []Chain, steps int) {
	t.Helper()
	for range steps {
		if err := s.Step(chains); err != nil {
			t.Fatal(err)
		}
	}
}

// testStream returns a stream for a role in a test.
func testStream(path ...any) *stream.Stream { return stream.Root(2).Child(path...) }

// testNoise is the noise of a chain of newSmall.
func testNoise(seed uint64, chain int) *stream.Stream {
	return stream.Root(seed).Child("chain", chain, "noise")
}
