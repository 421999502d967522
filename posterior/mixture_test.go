package posterior

import "math"

// The mixture .4 N(−6, 1) + .6 N(4, 1) with ten energy bins of width 1, of which the
// first ends at U = 2.15 (algorithms.md, O6 and section 6).
const (
	mixtureBins  = 10
	mixtureStart = 1.15
)

// mixtureEnergy returns U(x) = −log π(x) of the mixture and its derivative.
func mixtureEnergy(x float64) (u, du float64) {
	// e is the ratio of the left component to the right one.
	e := math.Exp(math.Log(.4/.6) - ((x+6)*(x+6)-(x-4)*(x-4))/2)
	u = (x-4)*(x-4)/2 + math.Log(2*math.Pi)/2 - math.Log(.6) - math.Log1p(e)
	left := 1 / (1 + 1/e)
	return u, left*(x+6) + (1-left)*(x-4)
}

// fixedPoint solves O6: the log θ, up to normalisation done here, at which
//
//	∫_bin e^(−U)·Ψ_θ(U)^(−ζ) dx
//
// is the same for all bins, with Ψ log-linear as in equation (2) of the paper.
// Given θ(i−1) the integral over bin i falls with θ(i): bisection, bin by bin. It
// also returns the bins' masses ∫ e^(−U) dx. It shares no code with Histogram.
func fixedPoint(zeta float64) (logTheta, mass []float64) {
	const h = 1e-4
	energies := make([][]float64, mixtureBins)
	mass = make([]float64, mixtureBins)
	for x := -20 + h/2; x < 20; x += h {
		u, _ := mixtureEnergy(x)
		i := 0 // from 0
		for i < mixtureBins-1 && u > mixtureStart+float64(i+1) {
			i++
		}
		energies[i] = append(energies[i], u)
		mass[i] += h * math.Exp(-u)
	}
	logTheta = make([]float64, mixtureBins)
	for i := 1; i < mixtureBins; i++ {
		edge := mixtureStart + float64(i)
		integral := func(slope float64) float64 {
			sum := 0.0
			for _, u := range energies[i] {
				sum += h * math.Exp(-u-zeta*(logTheta[i-1]+slope*(u-edge)))
			}
			return sum
		}
		low, high := -50.0, 50.0
		for range 45 {
			if mid := (low + high) / 2; integral(mid) > mass[0] {
				low = mid
			} else {
				high = mid
			}
		}
		logTheta[i] = logTheta[i-1] + (low+high)/2
	}
	sum := 0.0
	for _, l := range logTheta {
		sum += math.Exp(l)
	}
	for i := range logTheta {
		logTheta[i] -= math.Log(sum)
	}
	return logTheta, mass
}

// discreteLaw is the stationary law of the chain
//
//	x ← x − ε·M(U(x))·U'(x) + √(2ε)·w
//
// at a fixed θ, exactly but for a grid of small cells, whose borders include those
// of the bins. It knows what a finite ε does; θ* is of the limit ε → 0.
type discreteLaw struct {
	middle []float64 // cell by cell
	bin    []int     // from 0
	share  []float64 // of the time
}

func newDiscreteLaw(zeta, eps float64, logTheta []float64) discreteLaw {
	borders, bin := mixtureCells(math.Sqrt(2*eps) / 4)
	l := discreteLaw{bin: bin}
	p := make([][]float64, len(bin))
	for i := range p {
		p[i] = make([]float64, len(bin))
		x, width := (borders[i]+borders[i+1])/2, borders[i+1]-borders[i]
		l.middle = append(l.middle, x)
		_, du := mixtureEnergy(x)
		m := 1.0
		if b := bin[i]; b > 0 {
			m += zeta * (logTheta[b] - logTheta[b-1])
		}
		to := x - eps*m*du
		// A cell stands for its middle; the place within the cell would add
		// width²/12 to the variance (Sheppard's correction).
		sd := math.Sqrt(2*eps - width*width/12)
		for j := range p[i] {
			if borders[j+1] > to-8*sd && borders[j] < to+8*sd {
				p[i][j] = (math.Erf((borders[j+1]-to)/sd/math.Sqrt2) - math.Erf((borders[j]-to)/sd/math.Sqrt2)) / 2
			}
		}
	}
	l.share = stationary(p)
	return l
}

// occupancy returns the share of each bin.
func (l discreteLaw) occupancy() []float64 {
	o := make([]float64, mixtureBins)
	for i, q := range l.share {
		o[l.bin[i]] += q
	}
	return o
}

// discreteFixedPoint returns the log θ, with log θ(1) = 0, at which the chain of
// step ε is in all bins for the same time: it raises θ where the time is too long.
func discreteFixedPoint(zeta, eps float64) []float64 {
	logTheta, _ := fixedPoint(zeta)
	for range 40 {
		for i, o := range newDiscreteLaw(zeta, eps, logTheta).occupancy() {
			logTheta[i] += math.Log(o*mixtureBins) / zeta
		}
	}
	first := logTheta[0]
	for i := range logTheta {
		logTheta[i] -= first
	}
	return logTheta
}

// mixtureCells divides [−17, 15] into cells of about the given width and returns
// their borders and the bin (from 0) of each.
func mixtureCells(width float64) (borders []float64, bin []int) {
	binOf := func(x float64) int {
		u, _ := mixtureEnergy(x)
		return int(min(max(math.Ceil(u-mixtureStart), 1), mixtureBins)) - 1
	}
	edges := []float64{-17}
	for x := -17.0; x < 15; x += 0.001 {
		if binOf(x) == binOf(x+0.001) {
			continue
		}
		low, high := x, x+0.001
		for range 40 {
			if mid := (low + high) / 2; binOf(mid) == binOf(x) {
				low = mid
			} else {
				high = mid
			}
		}
		edges = append(edges, low)
	}
	edges = append(edges, 15)
	for i, left := range edges[:len(edges)-1] {
		k := int(math.Ceil((edges[i+1] - left) / width))
		for j := range k {
			borders = append(borders, left+(edges[i+1]-left)*float64(j)/float64(k))
			bin = append(bin, binOf((left+edges[i+1])/2))
		}
	}
	return append(borders, 15), bin
}

// stationary returns the law π = πp of a Markov chain by state reduction
// (Grassmann, Taksar, Heyman: Regenerative analysis and steady state
// distributions, Operations Research 1985). It destroys p.
func stationary(p [][]float64) []float64 {
	n := len(p)
	for k := n - 1; k > 0; k-- {
		first, out := k, 0.0
		for j := range k {
			if p[k][j] > 0 || p[j][k] > 0 {
				first = min(first, j)
			}
			out += p[k][j]
		}
		for i := first; i < k; i++ {
			if p[i][k] /= out; p[i][k] > 1e-30 { // less is slow and does not count
				for j := first; j < k; j++ {
					p[i][j] += p[i][k] * p[k][j]
				}
			}
		}
	}
	law, sum := make([]float64, n), 1.0
	law[0] = 1
	for k := 1; k < n; k++ {
		for i := range k {
			law[k] += law[i] * p[i][k]
		}
		sum += law[k]
	}
	for k := range law {
		law[k] /= sum
	}
	return law
}
