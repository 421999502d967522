package simulation

import (
	"math"

	"banditsim/lab/density"
	"banditsim/posterior"
)

// A process is a method that runs on the landscape.
type process interface {
	// step does one step, and counts its samples if count is set.
	step(count bool) error
	// estimate returns the estimate so far.
	estimate() *grid
}

// A walk estimates the density by the positions of its chains over time.
type walk struct {
	sampler  posterior.Sampler
	chains   []posterior.Chain
	counting int                          // the first so many chains count
	keep     func() bool                  // whether the step's samples count; nil: always
	weigh    func(energy float64) float64 // log weight by the noisy energy; nil: all alike
	before   [][]float32                  // positions before the step
	found    *grid
}

func newWalk(sampler posterior.Sampler, chains []posterior.Chain) *walk {
	w := &walk{sampler: sampler, chains: chains, counting: len(chains), found: newGrid()}
	for _, c := range chains {
		w.before = append(w.before, make([]float32, len(c.X)))
	}
	return w
}

// step counts the positions before the move: the weights depend on the energies there.
func (w *walk) step(count bool) error {
	for p := range w.counting {
		copy(w.before[p], w.chains[p].X)
	}
	if err := w.sampler.Step(w.chains); err != nil {
		return err
	}
	if !count || w.keep != nil && !w.keep() {
		return nil
	}
	for p := range w.counting {
		logWeight := 0.0
		if w.weigh != nil {
			logWeight = w.weigh(w.chains[p].Energy)
		}
		w.found.add(w.before[p], logWeight)
	}
	return nil
}

func (w *walk) estimate() *grid { return w.found }

// Clouds estimate the density by the current positions of their particles.
type clouds []cloud

// A cloud is a population of particles that interact.
type cloud struct {
	sampler   posterior.Sampler
	particles []posterior.Chain
}

func (c clouds) step(bool) error {
	for i := range c {
		if err := c[i].sampler.Step(c[i].particles); err != nil {
			return err
		}
	}
	return nil
}

func (c clouds) estimate() *grid {
	g := newGrid()
	for _, one := range c {
		for _, p := range one.particles {
			g.add(p.X, 0)
		}
	}
	return g
}

// A counted landscape counts its evaluations.
type countedLandscape struct {
	*density.Landscape
	evaluations *int
}

var (
	_ posterior.Target  = countedLandscape{}
	_ posterior.Bounded = countedLandscape{}
)

// EnergyGrad evaluates the landscape.
func (c countedLandscape) EnergyGrad(grad, x []float32) (float64, error) {
	*c.evaluations++
	return c.Landscape.EnergyGrad(grad, x)
}

// Sizes of the histograms over the box.
const (
	gridSide  = 50 // cells of the fine one along a side
	cellsSide = density.LandscapeCells
	gridCells = gridSide * gridSide
	blockSide = gridSide / cellsSide
)

// A grid is the estimate of the density from weighted samples: a histogram over 50×50 cells of
// the box, row-major with the second coordinate as the row.
//
// Weights are logarithms of any size: they are summed relative to a scale that follows them, so
// that nothing overflows.
type grid struct {
	mass  [gridCells]float64 // times exp(−scale)
	scale float64
	empty bool
}

func newGrid() *grid { return &grid{empty: true} }

// add counts a sample in the box with the weight exp(logWeight).
func (g *grid) add(x []float32, logWeight float64) {
	const perUnit = gridSide / (2 * density.LandscapeBox)
	column := min(int((float64(x[0])+density.LandscapeBox)*perUnit), gridSide-1)
	row := min(int((float64(x[1])+density.LandscapeBox)*perUnit), gridSide-1)
	// exp of up to 300 on top of 1e300/gridCells is in range.
	if d := logWeight - g.scale; g.empty || d > 300 {
		g.rescale(logWeight)
	}
	weight := 1.0
	if d := logWeight - g.scale; d != 0 {
		weight = math.Exp(d)
	}
	g.mass[row*gridSide+column] += weight
	g.empty = false
}

// rescale makes exp(scale) the unit.
func (g *grid) rescale(scale float64) {
	factor := math.Exp(g.scale - scale)
	for i := range g.mass {
		g.mass[i] *= factor
	}
	g.scale = scale
}

// fine returns the shares of the 50×50 cells; NaN without a sample.
func (g *grid) fine() []float64 {
	share, sum := make([]float64, gridCells), 0.0
	for _, m := range g.mass {
		sum += m
	}
	for i, m := range g.mass {
		share[i] = m / sum
	}
	return share
}

// coarse sums the shares of 50×50 cells to those of the 25 modes' cells.
func coarse(fine []float64) []float64 {
	share := make([]float64, cellsSide*cellsSide)
	for i, m := range fine {
		row, column := i/gridSide, i%gridSide
		share[row/blockSide*cellsSide+column/blockSide] += m
	}
	return share
}

// Smoothing is the share of the uniform distribution that is mixed into an estimate before it is
// compared with the truth. A mode that was never visited then costs a finite amount (.1 for the
// smallest, more for the larger ones).
const Smoothing = 1e-3

// cellsDivergence is KL(truth‖estimate) over the modes' cells, in nats, of the smoothed estimate.
// For n independent draws it is about (cells−1)/(2n).
func cellsDivergence(truth, estimate []float64) float64 {
	sum := 0.0
	for i, p := range truth {
		q := float64((1-Smoothing)*estimate[i]) + Smoothing/float64(len(estimate))
		sum += float64(p * math.Log(p/q))
	}
	return sum
}

// gridDivergence is KL(estimate‖truth) over the fine cells, in nats, which are all positive in
// truth. For n independent draws it is about (cells−1)/(2n).
func gridDivergence(estimate, truth []float64) float64 {
	sum := 0.0
	for i, q := range estimate {
		if q != 0 { // NaN is not
			sum += float64(q * math.Log(q/truth[i]))
		}
	}
	return sum
}
