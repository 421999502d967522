package simulation

import (
	"math"
	"slices"

	"banditsim/internal/lists"
	"banditsim/lab/density"
	"banditsim/posterior"
)

// A walk is one run of a method on the landscape. It estimates the density from the positions of its chains over time
// or, for particles, from their current positions.
type walk struct {
	sampler  posterior.Sampler
	chains   []posterior.Chain
	counting int                          // number of chains, counted from the first, that give samples in each step; 0 for particles
	keep     func() bool                  // reports whether the samples of a step count; nil if all do
	weigh    func(energy float64) float64 // returns the log weight of a sample from its noisy energy
	before   [][]float32                  // positions before the step
	found    *grid                        // estimate from the samples so far
}

func newWalk(sampler posterior.Sampler, chains []posterior.Chain) *walk {
	before := lists.Each(chains, func(c posterior.Chain) []float32 { return make([]float32, len(c.X)) })
	return &walk{sampler: sampler, chains: chains, counting: len(chains), before: before, found: newGrid(), weigh: func(float64) float64 { return 0 }}
}

// step does one step. If count is set, the positions before the move are added to the estimate: the weights depend on
// energies, which the sampler evaluates at these positions.
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
		w.found.add(w.before[p], w.weigh(w.chains[p].Energy))
	}
	return nil
}

// estimate returns the estimate of the density so far.
func (w *walk) estimate() *grid {
	if w.counting > 0 {
		return w.found
	}
	g := newGrid()
	for _, c := range w.chains {
		g.add(c.X, 0)
	}
	return g
}

// clouds has one sampler per population of particles. Populations do not interact; their chains are consecutive.
type clouds []posterior.Sampler

// Step moves all particles.
func (c clouds) Step(chains []posterior.Chain) error {
	for i, population := range slices.Collect(slices.Chunk(chains, len(chains)/len(c))) {
		if err := c[i].Step(population); err != nil {
			return err
		}
	}
	return nil
}

// GridSide is the number of fine cells along a side of LandscapeRun.Grid.
const GridSide = 50

// Other sizes of the histograms over the box.
const (
	cellsSide = density.LandscapeCells // coarse cells along a side of the box; each has one mode
	gridCells = GridSide * GridSide
	blockSide = GridSide / cellsSide // fine cells along a side of a coarse cell
)

// A grid is an estimate of the density: a histogram of weighted samples over 50×50 cells of the box, in the order of
// LandscapeRun.Modes. The logarithms of weights may have any size: the sums of weights are divided by exp(scale), and
// scale grows with the weights, so that nothing overflows.
type grid struct {
	mass  [gridCells]float64 // sums of weights, times exp(−scale)
	scale float64            // −∞ without a sample
}

func newGrid() *grid { return &grid{scale: math.Inf(-1)} }

// add counts a sample x, which must be in the box, with the weight exp(logWeight).
func (g *grid) add(x []float32, logWeight float64) {
	const perUnit = GridSide / (2 * density.LandscapeBox)
	column := min(int((float64(x[0])+density.LandscapeBox)*perUnit), GridSide-1)
	row := min(int((float64(x[1])+density.LandscapeBox)*perUnit), GridSide-1)
	// Weights up to e³⁰⁰, after the division by exp(scale), can be summed without overflow.
	if logWeight-g.scale > 300 {
		g.rescale(logWeight)
	}
	weight := 1.0
	if d := logWeight - g.scale; d != 0 {
		weight = math.Exp(d)
	}
	g.mass[row*GridSide+column] += weight
}

// rescale changes the scale without changing the weights.
func (g *grid) rescale(scale float64) {
	factor := math.Exp(g.scale - scale)
	for i := range g.mass {
		g.mass[i] *= factor
	}
	g.scale = scale
}

// fine returns the masses of the 50×50 cells, which sum to 1; all are NaN without a sample.
func (g *grid) fine() []float64 {
	sum := 0.0
	for _, m := range g.mass {
		sum += m
	}
	return lists.Each(g.mass[:], func(m float64) float64 { return m / sum })
}

// coarse returns the masses of the cells of the 25 modes from those of 50×50 cells.
func coarse(fine []float64) []float64 {
	share := make([]float64, cellsSide*cellsSide)
	for i, m := range fine {
		row, column := i/GridSide, i%GridSide
		share[row/blockSide*cellsSide+column/blockSide] += m
	}
	return share
}

// Smoothing is the share of the uniform distribution that is mixed into an estimate of the modes' masses before the
// comparison with the truth. Without smoothing, a mode that was never visited would make the divergence infinite. With
// smoothing, such a mode adds 0.1 nats if it is the one with the smallest mass, and more otherwise.
const Smoothing = 1e-3

// cellsDivergence returns KL(truth‖smoothed estimate) over the cells of the modes, in nats. For n
// independent draws it is about (cells−1)/(2n).
func cellsDivergence(truth, estimate []float64) float64 {
	sum := 0.0
	for i, p := range truth {
		q := float64((1-Smoothing)*estimate[i]) + Smoothing/float64(len(estimate))
		sum += float64(p * math.Log(p/q))
	}
	return sum
}

// gridDivergence returns KL(estimate‖truth) over the fine cells, in nats; all elements of truth are
// positive. For n independent draws it is about (cells−1)/(2n).
func gridDivergence(estimate, truth []float64) float64 {
	sum := 0.0
	for i, q := range estimate {
		if q != 0 { // true for NaN, which makes the sum NaN
			sum += float64(q * math.Log(q/truth[i]))
		}
	}
	return sum
}
