package sgmcmc

import (
	"fmt"
	"math"
	"slices"

	"banditsim/internal/kernel"
	"banditsim/internal/state"
)

// Histogram is the paper's contour. θ has m bins, sums to 1 and is flat at the start. An energy Û is in bin i if
// u_{i−1} < Û ≤ u_i with u_i = u₀ + iΔu; bin 1 also has all lower energies.
//
// Of the chains in range, let q_i be the share in bin i, S = Σ q_i θ_i, and ω_k the step size (ContourOptions.Omega).
// Meet computes the new θ of each bin and then, with the new θ, the multiplier M_p of each chain p, in bin J_p:
//
//	θ_i ← θ_i + ω_k(q_i θ_i − S θ_i)
//	M_p = 1 + (ζτ/Δu)·(log θ(J_p) − log θ(max(J_p−1, 1)))
//
// The first Meet does not change θ, because the energies of the starting points are no sample.
type Histogram struct {
	binned
	slope  float64 // ζτ/Δu
	theta  []float64
	energy []float64 // energies of the chains, from the last SetEnergies
	counts []int     // scratch: number of chains in each bin
	moves  int       // number of updates of θ, k
	met    bool      // Meet or Visit was called
}

var _ Contour = (*Histogram)(nil)

// smallestTheta is the lower bound of θ. If one bin gets all visits, each step multiplies the others' θ by 1−ωS.
// Without it they would become denormal or 0, with logarithm −∞. With it, Σθ exceeds 1 by less than m·smallestTheta.
const smallestTheta = 1e-300

// NewHistogram returns a flat histogram for chains at temperature τ. It validates o as if its kind were "paper".
func NewHistogram(o ContourOptions, temperature float64, chains int) (*Histogram, error) {
	b, err := newBinned("paper", o, temperature, chains)
	if err != nil {
		return nil, err
	}
	h := &Histogram{
		binned: b, slope: o.Zeta * temperature / o.Width,
		theta: slices.Repeat([]float64{1 / float64(o.Bins)}, o.Bins), energy: make([]float64, chains), counts: make([]int, o.Bins+1),
	}
	h.Fields = h.state
	return h, nil
}

// setTheta sets θ to given numbers, such as θ of an earlier run, scaled to sum to 1. It returns an error unless there
// is a finite number above 0 for each bin.
func (h *Histogram) setTheta(theta []float64) error {
	sum := 0.0
	for i, t := range theta {
		if !(t > 0) || math.IsInf(t, 0) {
			return fmt.Errorf("sgmcmc: θ(%d) = %g, want a finite number above 0", i+1, t)
		}
		sum += t
	}
	if len(theta) != len(h.theta) {
		return fmt.Errorf("sgmcmc: θ of %d bins, want %d", len(theta), len(h.theta))
	}
	for i, t := range theta {
		h.theta[i] = t / sum
	}
	return nil
}

// State returns θ and the bin of every chain.
func (h *Histogram) State() (theta []float64, bins []int) { return h.theta, h.bins }

// Bin returns the bin J of an energy, from 1; 0 if it is out of range.
func (h *Histogram) Bin(energy float64) int {
	m := float64(h.o.Bins)
	// j stays a float64 until it is known to be at most m, as the conversion of an infinity to an integer is not defined.
	j := math.Ceil((energy - h.o.Start) / h.o.Width)
	// The quotient is rounded: near an edge, compare with the edge itself.
	if energy <= h.edge(j-1) {
		j--
	} else if energy > h.edge(j) {
		j++
	}
	switch {
	case j <= 1:
		return 1
	case j > m && h.o.Overflow == "lastbin":
		return h.o.Bins
	case j > m:
		return 0
	}
	return int(j)
}

func (h *Histogram) edge(i float64) float64 { return h.o.Start + float64(i*h.o.Width) }

// Meet updates θ by the energies of all chains and sets their multipliers.
func (h *Histogram) Meet(multipliers, energies []float64) {
	h.assign(energies, h.Bin)
	h.SetEnergies(energies)
	h.Visit(multipliers, h.bins, nil)
}

// Visit is Meet with the bins of all chains in place of their energies, for processes that each move some of the chains
// and send each other bins. If theta is not nil, it becomes θ: it must be the θ of another histogram with the same
// options after its Visit in this step.
func (h *Histogram) Visit(multipliers []float64, bins []int, theta []float64) {
	copy(h.bins, bins)
	if theta != nil {
		copy(h.theta, theta)
	} else if h.met && !h.frozen {
		h.learn()
	}
	h.met = true
	for p, j := range h.bins {
		multipliers[p] = h.multiplier(j)
	}
}

// SetEnergies sets the energies from which Weights computes weights of the kind "psi". Meet calls it, Visit does not.
func (h *Histogram) SetEnergies(energies []float64) { copy(h.energy, energies) }

// learn updates θ by the numbers of chains in the bins. It does nothing if no chain is in range.
func (h *Histogram) learn() {
	clear(h.counts)
	for _, j := range h.bins {
		h.counts[j]++
	}
	inRange := len(h.bins) - h.counts[0]
	if inRange == 0 {
		return
	}
	h.moves++
	omega := h.omega()
	pull := func(i int) float64 { // q_i times its factor
		if c := h.counts[i+1]; c > 0 {
			return float64(float64(c) / float64(inRange) * h.field(h.theta[i]))
		}
		return 0
	}
	s := 0.0
	for i := range h.theta {
		s += pull(i)
	}
	for i, theta := range h.theta {
		h.theta[i] = max(theta+float64(omega*(pull(i)-float64(theta*s))), smallestTheta)
	}
}

// omega returns ω_k, the step size of update k of θ, with k in h.moves.
func (h *Histogram) omega() float64 {
	if h.o.OmegaExponent == 0 {
		return min(h.o.Omega, 1/(1+h.o.OmegaOffset))
	}
	return min(h.o.Omega, 1/(power(float64(h.moves), h.o.OmegaExponent)+h.o.OmegaOffset))
}

// field returns the factor of q_i in the update of θ: θ_i, or θ_i^ζ with option field: theta^zeta (the original CSGLD).
func (h *Histogram) field(theta float64) float64 {
	if h.o.Field == "theta^zeta" {
		return power(theta, h.o.Zeta)
	}
	return theta
}

// multiplier returns M of a chain in bin j: 1 if j is 0 (out of range), or if the bin has no neighbor to compare with.
func (h *Histogram) multiplier(j int) float64 {
	below, above := j-2, j-1 // as indices of h.theta
	if h.o.Difference == "forward" {
		below, above = j-1, j
	}
	if j == 0 || below < 0 || above == len(h.theta) {
		return 1
	}
	return 1 + float64(h.slope*(kernel.Log(h.theta[above])-kernel.Log(h.theta[below])))
}

// Weights sets the weight of each chain. By default it is θ(J)^ζ + WeightRegularizer, and WeightRegularizer alone if
// the chain is out of range; the weights are nearly uniform if ζ is large, because the first term is then small. With
// the option weights: psi they are Ψ_θ(Û)^ζ, scaled so that the largest is 1. These are unbiased.
func (h *Histogram) Weights(weights []float64) {
	fill(weights, 1)
	if !h.met {
		return
	}
	for p, j := range h.bins {
		weights[p] = h.o.WeightRegularizer
		if j > 0 {
			weights[p] += power(h.theta[j-1], h.o.Zeta)
		}
	}
	if h.o.Weights != "psi" {
		return
	}
	largest := math.Inf(-1)
	for p, energy := range h.energy {
		weights[p] = h.o.Zeta * h.LogPsi(energy)
		largest = max(largest, weights[p])
	}
	if math.IsInf(largest, 0) || math.IsNaN(largest) { // infinite energies; NaN if ζ = 0
		fill(weights, 1)
		return
	}
	for p, w := range weights {
		weights[p] = kernel.Exp(w - largest)
	}
}

// LogPsi returns log Ψ_θ(u) (the paper's equation (2)): log θ(1) in bin 1, linear in the others and extrapolated above.
func (h *Histogram) LogPsi(u float64) float64 {
	i := min(math.Ceil((u-h.o.Start)/h.o.Width), float64(h.o.Bins))
	if i <= 1 {
		return kernel.Log(h.theta[0])
	}
	j := int(i)
	low, high := kernel.Log(h.theta[j-2]), kernel.Log(h.theta[j-1])
	if low == high {
		return low
	}
	return low + float64((high-low)*(u-h.edge(i-1))/h.o.Width)
}

func (h *Histogram) state(c *state.Codec) {
	c.Float64s(h.theta)
	c.Float64s(h.energy)
	for p := range h.bins {
		c.Int("bin", &h.bins[p], 0, h.o.Bins)
	}
	c.Int("moves of θ", &h.moves, 0, math.MaxInt)
	c.Bool(&h.met)
	c.Bool(&h.frozen)
}

// power returns x^y for x > 0, the same on every machine.
func power(x, y float64) float64 {
	if y == 1 {
		return x
	}
	return kernel.Exp(y * kernel.Log(x))
}

func fill(dst []float64, v float64) {
	for i := range dst {
		dst[i] = v
	}
}
