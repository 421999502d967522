package stats

import (
	"math"
	"os"
	"testing"

	"banditsim/bandit/stream"
	"banditsim/internal/must"
)

// By hand for the values 1 … 6: the mean and s² are 3.5; k = 1/7, q = (.0025/7)^(1/6) = e^(−1.322903) = .266361;
// (5/6)·(1 − q)/(q − k) = (5/6)·.733639/.123504 = 4.95021; half of the width is √(3.5·4.95021) = 4.16243.
func TestAnytimeTByHand(t *testing.T) {
	m := momentsOf([]float64{1, 2, 3, 4, 5, 6})
	low, high := m.anytimeT(0.05)
	must.Near(t, "low", low, 3.5-4.16243, 2e-4)
	must.Near(t, "high", high, 3.5+4.16243, 2e-4)
	few := momentsOf([]float64{1, 2, 3, 4})
	if low, high := few.anytimeT(0.05); !math.IsInf(low, -1) || !math.IsInf(high, 1) {
		t.Errorf("of four values [%g, %g], want no ends", low, high)
	}
}

// TestAnytimeTIsTheEProcess checks that the interval of level 1 − α excludes 0 if and only if the e-process is above 1/α.
func TestAnytimeTIsTheEProcess(t *testing.T) {
	s := stream.Root(1).Child("anytime")
	normal := make([]float32, 12)
	for range 200 {
		s.Normals(normal)
		var m Moments
		for _, v := range normal {
			m.Add(float64(v) + 0.8)
		}
		e := m.tEvidence()
		for _, factor := range []float64{0.999, 1.001} {
			low, high := m.anytimeT(factor / e)
			must.That(t, (excludes(low, high) == 1) == (factor > 1) || e <= 1, "e %g at α %g: [%g, %g]", e, factor/e, low, high)
		}
	}
}

// By hand, 2ⁿ·B(k+½, n−k+½)/B(½, ½) is 2·½ = 1 for one sign, 4·(3/8) = 1.5 for two equal signs, 4·(1/8) = .5 for two
// different ones, and 32·(63/256) = 7.875 for five equal signs.
func TestSignEvidenceByHand(t *testing.T) {
	for _, test := range []struct {
		k, n int
		want float64
	}{{0, 0, 1}, {1, 1, 1}, {2, 2, 1.5}, {1, 2, 0.5}, {5, 5, 7.875}, {0, 5, 7.875}} {
		must.Near(t, "evidence", signEvidence(test.k, test.n), test.want, 1e-12*test.want)
	}
	_, _, _, sign := Anytime([]float64{1, 0, 2, 3, 4, 5}, 0.05)
	must.Near(t, "ties are dropped", sign, 1/7.875, 1e-12)
	if _, _, _, sign := Anytime([]float64{1, 2, 3, 4}, 0.05); sign != 1 {
		t.Errorf("p %g before the first look, want 1", sign)
	}
}

// TestAnytimeCoverage computes intervals after each of 200 pairs. In at most 5 % of sequences of normal values any anytime
// interval excludes the true mean, and in about 40 % any t-interval. With skewed values anytime intervals fail too often,
// as docs/logged.md says.
func TestAnytimeCoverage(t *testing.T) {
	runs := 2000
	if os.Getenv("BANDITSIM_LONG") != "" {
		runs = 20000
	}
	se := func(p float64) float64 { return 4.5 * math.Sqrt(p*(1-p)/float64(runs)) }
	for _, test := range []struct {
		differenceFamily
		anytime, student float64 // measured on 20,000 sequences
	}{{normalFamily, 0.034, 0.40}, {exponentialFamily, 0.13, 0.46}, {lognormalFamily, 0.25, 0.55}} {
		var anytime, student, sign float64
		for run := range runs {
			s := stream.Root(uint64(run)).Child("ever", test.name)
			var m Moments
			var a, b float64
			values := make([]float64, 200)
			for i := range values {
				values[i] = test.draw(s)
				m.Add(values[i])
				if m.n >= MinAnytime {
					low, high := m.anytimeT(0.05)
					a = max(a, excludes(low, high))
					b = max(b, excludes(m.tInterval(1)))
				}
			}
			anytime, student = anytime+a/float64(runs), student+b/float64(runs)
			if _, _, _, p := Anytime(values, 0.05); p < 0.05 {
				sign += 1 / float64(runs)
			}
		}
		t.Logf("%s: ever excludes the mean within 200 values: anytime %.4f, t %.4f; sign e-process of the median 0: %.4f", test.name, anytime, student, sign)
		must.Near(t, test.name+": anytime", anytime, test.anytime, se(test.anytime)+0.005)
		must.Near(t, test.name+": t", student, test.student, se(test.student)+0.02)
		must.That(t, test.name != "normal" || anytime <= 0.05 && sign <= 0.05,
			"normal: ever excludes %.4f, sign %.4f, want at most .05", anytime, sign)
	}
}

// excludes returns 1 if an interval excludes 0, else 0.
func excludes(low, high float64) float64 {
	if low > 0 || high < 0 {
		return 1
	}
	return 0
}
