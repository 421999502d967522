package sgmcmc

import (
	"math"
	"testing"

	"banditsim/bandit/stream"
)

func rangingOver(t *testing.T, chains int) *ranging {
	t.Helper()
	o := DefaultContour()
	o.Range, o.Bins, o.Gain, o.Limit, o.ThetaWarmup = "auto", 20, 0.6, 0.9, 0
	return newRanging(must(NewHistogram(o, 0.5, chains)), 0.5)
}

// meet gives rounds of 16 steps of chains with energies that are normal about a mean.
func meet(r *ranging, s *stream.Stream, rounds int, mean, sd float64) (moved, steps int) {
	energies, multipliers := make([]float64, len(r.h.bins)), make([]float64, len(r.h.bins))
	z := make([]float32, len(r.h.bins))
	for k := range rounds {
		r.StartRound(k+1, 1000)
		for range 16 {
			s.Normals(z)
			for p := range z {
				energies[p] = mean + sd*float64(z[p])
			}
			r.Meet(multipliers, energies)
			for _, m := range multipliers {
				if steps++; m != 1 {
					moved++
				}
			}
		}
	}
	return moved, steps
}

// TestRanging: bins lie over the energies, whatever their unit, follow them, and multipliers then differ from 1.
func TestRanging(t *testing.T) {
	for _, unit := range []float64{1e-6, 1, 1e9} {
		r, s := rangingOver(t, 4), stream.Root(1)
		meet(r, s, 1, 3*unit, unit)
		if r.laid {
			t.Error("bins before the round after the first energies")
		}
		meet(r, s, 20, 3*unit, unit)
		if low, high := r.h.o.Start/unit, r.h.edge(20)/unit; !(low > -1 && low < 1.5 && high > 4.5 && high < 7) {
			t.Errorf("unit %g: bins over [%g, %g], want them about [0.5, 5.5]", unit, low, high)
		}
		if moved, steps := meet(r, s, 20, 3*unit, unit); float64(moved) < 0.8*float64(steps) {
			t.Errorf("unit %g: M ≠ 1 in %d of %d steps", unit, moved, steps)
		}
		start := r.h.o.Start
		if meet(r, s, 10, 3*unit, unit); r.h.o.Start != start {
			t.Errorf("unit %g: the bins moved without need", unit)
		}
		theta := append([]float64(nil), r.h.theta...)
		r.StartRound(0, 1000) // θ stays when the bins move
		meet(r, s, 9, 300*unit, unit)
		if low := r.h.o.Start / unit; !(low > 250) {
			t.Errorf("unit %g: bins from %g, want them to follow the energies to 300", unit, low)
		}
		for i, v := range r.h.theta {
			if !(math.Abs(math.Log(v/theta[i])) < 5) {
				t.Errorf("unit %g: θ(%d) from %g to %g", unit, i+1, theta[i], v)
			}
		}
	}
}

// TestRangingGain: M − 1 is κ times the difference of log θ, within the limit.
func TestRangingGain(t *testing.T) {
	r, s := rangingOver(t, 1), stream.Root(2)
	meet(r, s, 30, 0, 1)
	multipliers := make([]float64, 1)
	for _, u := range []float64{-1, 0, 0.5, 1.5} {
		r.h.frozen = true
		r.Meet(multipliers, []float64{u})
		j := r.h.Bin(u)
		want := 1 + 0.6*(math.Log(r.h.theta[j-1])-math.Log(r.h.theta[j-2]))
		if want = min(max(want, 0.1), 1.9); !(math.Abs(multipliers[0]-want) < 1e-9) {
			t.Errorf("energy %g: M = %g, want %g", u, multipliers[0], want)
		}
	}
	if want := 0.6 * r.h.o.Width / 0.5; !(math.Abs(r.h.o.Zeta-want) < 1e-12) {
		t.Errorf("ζ = %g, want κΔu/τ = %g", r.h.o.Zeta, want)
	}
}

// TestRangingEqualEnergies: bins have a width where all energies are equal.
func TestRangingEqualEnergies(t *testing.T) {
	r := rangingOver(t, 4)
	meet(r, stream.Root(1), 10, 5, 0)
	if !r.laid || !(r.h.o.Width > 0) || r.h.Bin(5) < 2 || r.h.Bin(5) > 19 {
		t.Errorf("laid %t, width %g, bin of the energy %d", r.laid, r.h.o.Width, r.h.Bin(5))
	}
}
