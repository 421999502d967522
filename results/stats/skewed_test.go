package stats

import (
	"math"
	"slices"
	"testing"

	"banditsim/bandit/stream"
)

// Of samples of normal values at most skewedLevel are reported, and of those as skewed as the regret of
// a policy that sometimes stops learning, most are.
func TestSkewed(t *testing.T) {
	const samples = 10_000
	slack := 5 * math.Sqrt(skewedLevel*(1-skewedLevel)/samples)
	for _, n := range []int{8, 10, 20, 40, 100} {
		s := stream.Root(1).Child("skewed", n)
		v := make([]float64, n)
		normal, lognormal := 0, 0
		for range samples {
			for i := range v {
				v[i] = standardNormal(s)
			}
			if Skewed(v) {
				normal++
			}
			for i := range v {
				v[i] = math.Exp(1.5 * v[i])
			}
			if Skewed(v) {
				lognormal++
			}
		}
		alarms, found := float64(normal)/samples, float64(lognormal)/samples
		t.Logf("%d values: %.2f %% of normal samples, %.1f %% of lognormal ones", n, 100*alarms, 100*found)
		if alarms > skewedLevel+slack+0.002 {
			t.Errorf("%d values: %.2f %% of normal samples are reported, want at most %v %%", n, 100*alarms, 100*skewedLevel)
		}
		if n >= 20 && found < 0.8 {
			t.Errorf("%d values: only %.1f %% of lognormal samples are reported", n, 100*found)
		}
	}
}

func TestSkewedExamples(t *testing.T) {
	// One disaster among 20 seeds, 19 of them between 1,270 and 2,515.
	regret := []float64{16585}
	for k := range 19 {
		regret = append(regret, 1270+float64(k)*1245/18)
	}
	mirrored := slices.Clone(regret)
	for i := range mirrored {
		mirrored[i] *= -1
	}
	for _, test := range []struct {
		name   string
		values []float64
		want   bool
	}{
		{"one disaster", regret, true},
		{"mirrored", mirrored, true},
		{"without it", regret[1:], false},
		{"seven values", []float64{1, 1, 1, 1, 1, 1, 1e9}, false},
		{"equal", make([]float64, 20), false},
		{"none", nil, false},
	} {
		if got := Skewed(test.values); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}
