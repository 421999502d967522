package density

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
)

// A Line is a density over the real line.
type Line interface {
	// At returns the energy U = −log π, up to a constant, and its derivative.
	At(x float64) (u, du float64)
	// Support returns an interval outside of which the density is negligible.
	Support() (low, high float64)
}

// A Contour has the energy bins and the parameters of a contour sampler, which flattens the distribution of energies by
// one number θ(i) per bin. Bin i, from 1, contains the energies u_{i−1} < U ≤ u_i with u_i = Start +
// i·Width. The first bin also contains all lower energies, the last bin all higher ones (the samplers' option overflow
// = lastbin). In slices over the bins, bin 1 has the index 0.
type Contour struct {
	Bins        int
	Width       float64 // Δu
	Start       float64 // u₀
	Zeta        float64 // ζ
	Temperature float64 // τ
}

// Index returns the index of an energy's bin, from 0.
func (c Contour) Index(u float64) int {
	return int(min(max(math.Ceil((u-c.Start)/c.Width), 1), float64(c.Bins))) - 1
}

// Multiplier returns the multiplier of the drift in the bin with the given index. The multiplier in bin i is
// 1 + (ζτ/Δu)·(log θ(i) − log θ(i−1)), and 1 in bin 1.
func (c Contour) Multiplier(index int, logTheta []float64) float64 {
	if index == 0 {
		return 1
	}
	return 1 + float64(c.Zeta*c.Temperature/c.Width*(logTheta[index]-logTheta[index-1]))
}

// LogPsi returns log Ψ_θ(u), by equation (2) of the ICSGLD paper (Deng et al., ICLR 2022). This function of u is
// constant in bin 1, and linear within each other bin; above the last bin it continues the line of the last bin.
func (c Contour) LogPsi(u float64, logTheta []float64) float64 {
	i := c.Index(u)
	if i == 0 {
		return logTheta[0]
	}
	edge := c.Start + float64(float64(i)*c.Width) // lower edge of the bin
	return logTheta[i-1] + (logTheta[i]-logTheta[i-1])*(u-edge)/c.Width
}

// FixedPoint returns log θ*, where θ* is the equilibrium of the contour sampler for step sizes ε → 0: Σθ* = 1, and
//
//	∫_bin e^(−U/τ)·Ψ_θ*(U)^(−ζ) dx
//
// is the same for all bins, so that all bins are visited equally often. Given θ(i−1), the integral over
// bin i decreases in θ(i). FixedPoint therefore computes θ by bisection, bin by bin. It also
// returns the masses of the bins under e^(−U/τ), which sum to 1.
//
// It panics if there is no θ*: if ζ is not above 0, or a bin is empty.
func (c Contour) FixedPoint(d Line) (logTheta, mass []float64) {
	if !(c.Zeta > 0) {
		panic(fmt.Sprintf("density: no θ* at ζ = %g, want above 0", c.Zeta))
	}
	energies, widths := make([][]float64, c.Bins), make([][]float64, c.Bins)
	mass = make([]float64, c.Bins)
	borders, index := c.cells(d, 1e-3)
	sum := 0.0
	for k, i := range index {
		u, _ := d.At((borders[k] + borders[k+1]) / 2)
		h := borders[k+1] - borders[k]
		energies[i], widths[i] = append(energies[i], u), append(widths[i], h)
		p := h * math.Exp(-u/c.Temperature)
		mass[i] += p
		sum += p
	}
	logTheta = make([]float64, c.Bins)
	// Before normalization θ(1) = 1, so that the integral over bin 1 is the mass of bin 1.
	want := mass[0]
	for i := range mass {
		if !(mass[i] > 0) {
			panic(fmt.Sprintf("density: bin %d of %d is empty, it has no θ*: choose another start or width", i+1, c.Bins))
		}
		if i > 0 {
			logTheta[i] = c.solve(i, logTheta[i-1], want, energies[i], widths[i])
		}
		mass[i] /= sum
	}
	total := 0.0
	for _, l := range logTheta {
		total += math.Exp(l)
	}
	floats.AddConst(-math.Log(total), logTheta)
	return logTheta, mass
}

// solve returns log θ of bin i such that the integral of the flattened density over the bin is want. The argument below
// is log θ of bin i−1. The integral is a sum over the bin's cells, with the given energies and widths.
func (c Contour) solve(i int, below, want float64, energies, widths []float64) float64 {
	edge := c.Start + float64(float64(i)*c.Width)
	integral := func(step float64) float64 {
		sum := 0.0
		for k, u := range energies {
			sum += float64(widths[k] * math.Exp(-u/c.Temperature-float64(c.Zeta*(below+step*(u-edge)/c.Width))))
		}
		return sum
	}
	low, high := -1.0, 1.0
	for integral(low) < want {
		low *= 2
	}
	for integral(high) > want {
		high *= 2
	}
	low, high = bisect(low, high, 60, func(step float64) bool { return integral(step) > want })
	return below + (low+high)/2
}

// bisect halves the interval from low to high a number of times, keeping holds(low) true and holds(high) false.
func bisect(low, high float64, times int, holds func(x float64) bool) (float64, float64) {
	for range times {
		if mid := (low + high) / 2; holds(mid) {
			low = mid
		} else {
			high = mid
		}
	}
	return low, high
}

// cells divides the support of d into cells of at most the given width, each within a single bin.
// Cell k extends from borders[k] to borders[k+1] and lies in the bin with the index index[k].
func (c Contour) cells(d Line, width float64) (borders []float64, index []int) {
	const scan = 1e-3 // step in x; it must be shorter than every interval of x whose energies are in one bin
	at := func(x float64) int {
		u, _ := d.At(x)
		return c.Index(u)
	}
	low, high := d.Support()
	edges := []float64{low}
	bin := at(low)
	for x := low; x < high; x += scan {
		next := at(x + scan)
		if next != bin {
			left, _ := bisect(x, x+scan, 40, func(x float64) bool { return at(x) == bin })
			edges = append(edges, left)
		}
		bin = next
	}
	edges = append(edges, high)
	for i, left := range edges[:len(edges)-1] {
		n := int(math.Ceil((edges[i+1] - left) / width))
		for j := range n {
			borders = append(borders, left+(edges[i+1]-left)*float64(j)/float64(n))
			index = append(index, at((left+edges[i+1])/2))
		}
	}
	return append(borders, high), index
}
