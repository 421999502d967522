package claims

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"banditsim/internal/lists"
	"banditsim/internal/verify"
	"banditsim/posterior"
	"banditsim/posterior/sgmcmc"
)

// checkMultiplier compares multipliers with values computed by hand. It then gives chains random energies, and compares
// θ, multipliers and weights of the contour with those of a formula.
func checkMultiplier(j *judge, s Sampler) {
	j.handMultiplier(s)
	chains := s.count(5)
	for _, c := range []struct {
		name string
		set  func(o *sgmcmc.ContourOptions)
	}{
		{"skip", func(*sgmcmc.ContourOptions) {}},
		{"lastbin", func(o *sgmcmc.ContourOptions) { o.Overflow = "lastbin" }},
		{"field θ^ζ", func(o *sgmcmc.ContourOptions) { o.Field = "theta^zeta" }},
		{"forward difference", func(o *sgmcmc.ContourOptions) { o.Difference = "forward" }},
		{"weights Ψ^ζ", func(o *sgmcmc.ContourOptions) { o.Weights, o.Overflow = "psi", "lastbin" }},
		{"falling ω", func(o *sgmcmc.ContourOptions) { o.OmegaExponent, o.OmegaOffset = 0.6, 5 }},
	} {
		o := contour(6, -1, 0.5, "skip")
		c.set(&o)
		const temperature = 0.4
		g := s.scriptEnergies(j, chains, o, temperature, nil)
		f := &formula{o: o, temperature: temperature, theta: slices.Repeat([]float64{1 / float64(o.Bins)}, o.Bins)}
		w, ok := g.sampler.(posterior.Weigher)
		if !ok {
			verify.Failf("a contour is claimed, but %T is no posterior.Weigher", g.sampler)
		}
		r := j.Rand(c.name)
		var found, expected [3][][]float64 // θ, multipliers and weights, step by step
		for range 40 {
			energies := make([]float64, chains)
			for p := range energies {
				energies[p] = -1.5 + 4*r.Float64() // from below the first bin to above the last
			}
			theta, _ := g.step(energies...)
			f.update(energies)
			multipliers := lists.Each(g.chains, func(c posterior.Chain) float64 { return c.Multiplier })
			weights := make([]float64, chains)
			w.Weights(weights)
			want := [][]float64{slices.Clone(f.theta), f.multipliers, shares(f.weights)}
			for k, got := range [][]float64{slices.Clone(theta), multipliers, shares(weights)} {
				found[k], expected[k] = append(found[k], got), append(expected[k], want[k])
			}
		}
		for k, name := range []string{"θ, ", "multipliers, ", "weights, "} {
			j.Together(name+c.name, func() {
				for step, got := range found[k] {
					for i, v := range got { // rounding differs, because the order of operations does
						j.Near(fmt.Sprintf("element %d at step %d", i+1, step+1), v, expected[k][step][i], 1e-12)
					}
				}
			})
		}
	}
}

// handMultiplier compares multipliers with values computed by hand for θ = (.6, .3, .1) and ζτ/Δu = 2.
func (j *judge) handMultiplier(s Sampler) {
	o := contour(3, 0, 1, "skip")
	o.Zeta = 4
	j.Together("by hand", func() {
		for _, c := range []struct{ energy, want float64 }{
			{1.5, 1 + 2*math.Log(0.3/0.6)}, // −0.386
			{0.5, 1},                       // the first bin
			{2.5, 1 + 2*math.Log(0.1/0.3)},
			{3.5, 1}, // no bin
		} {
			g := s.scriptEnergies(j, s.count(1), o, 0.5, []float64{0.6, 0.3, 0.1})
			g.step(c.energy) // the first step does not change θ
			j.Near(fmt.Sprint("multiplier at energy ", c.energy), g.chains[0].Multiplier, c.want, 1e-12)
		}
	})
}

// A formula implements the contour of the ICSGLD paper (Deng et al., ICLR 2022) directly from the paper's formulas.
type formula struct {
	o                           sgmcmc.ContourOptions
	temperature                 float64
	theta, multipliers, weights []float64
	updated                     bool // update has been called; its first call does not change θ
	moves                       int  // number of updates of θ
}

// update updates θ, multipliers and weights with the chains' energies.
func (f *formula) update(energies []float64) {
	bins, q, inRange := f.count(energies)
	if f.updated && inRange > 0 {
		f.move(q, inRange)
	}
	f.updated = true
	f.evaluate(energies, bins)
}

// count returns the index of each energy's bin (−1 if there is none), the number q of energies in each bin, and the
// number inRange of energies that have a bin.
func (f *formula) count(energies []float64) (bins []int, q []float64, inRange float64) {
	m := len(f.theta)
	q = make([]float64, m)
	for _, u := range energies {
		i := 0
		for i < m-1 && u > f.o.Start+float64(float64(i+1)*f.o.Width) {
			i++
		}
		if u > f.o.Start+float64(float64(m)*f.o.Width) && f.o.Overflow == "skip" {
			bins = append(bins, -1)
			continue
		}
		bins = append(bins, i)
		q[i]++
		inRange++
	}
	return bins, q, inRange
}

// evaluate computes the multipliers and weights of chains with the given energies, whose bins have the given indices.
func (f *formula) evaluate(energies []float64, bins []int) {
	f.multipliers, f.weights = nil, nil
	for p, i := range bins {
		low, high := i-1, i
		if f.o.Difference == "forward" {
			low, high = i, i+1
		}
		multiplier, weight := 1.0, f.o.WeightRegularizer
		if i >= 0 && low >= 0 && high < len(f.theta) {
			multiplier += float64(f.o.Zeta * f.temperature / f.o.Width * math.Log(f.theta[high]/f.theta[low]))
		}
		if i >= 0 {
			weight += math.Pow(f.theta[i], f.o.Zeta)
		}
		if f.o.Weights == "psi" {
			weight = math.Pow(f.psi(energies[p], i), f.o.Zeta)
		}
		f.multipliers, f.weights = append(f.multipliers, multiplier), append(f.weights, weight)
	}
}

// move computes θ_i ← θ_i + ω(p_i·field(θ_i) − θ_i·S), S = Σ p_i·field(θ_i), with p = q/inRange; field(θ) is θ or θ^ζ.
func (f *formula) move(q []float64, inRange float64) {
	f.moves++
	omega := f.o.Omega
	if f.o.OmegaExponent != 0 || f.o.OmegaOffset != 0 {
		omega = math.Min(omega, 1/(math.Pow(float64(f.moves), f.o.OmegaExponent)+f.o.OmegaOffset))
	}
	field := make([]float64, len(q))
	s := 0.0
	for i, theta := range f.theta {
		power := 1.0
		if f.o.Field == "theta^zeta" {
			power = f.o.Zeta
		}
		field[i] = q[i] / inRange * math.Pow(theta, power)
		s += field[i]
	}
	for i := range f.theta {
		f.theta[i] += float64(omega * (field[i] - float64(f.theta[i]*s)))
	}
}

// psi returns Ψ_θ(u) for an energy in the bin with index i: θ(1) in the first bin, and also if i is −1.
func (f *formula) psi(u float64, i int) float64 {
	if i <= 0 {
		return f.theta[0]
	}
	edge := f.o.Start + float64(float64(i)*f.o.Width)
	return f.theta[i-1] * math.Pow(f.theta[i]/f.theta[i-1], (u-edge)/f.o.Width)
}

// shares returns w divided by its sum.
func shares(w []float64) []float64 {
	s := slices.Clone(w)
	floats.Scale(1/floats.Sum(s), s)
	return s
}
