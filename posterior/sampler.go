package posterior

// A Target is an energy U over ℝᵈ that can be evaluated, with or without noise. It owns the random streams of its noise
// (batches, dropout). One goroutine at a time uses it.
type Target interface {
	// Dim returns d.
	Dim() int
	// EnergyGrad returns the energy at x and writes its gradient to grad, both with noise if the target has any; x and
	// grad have length Dim. A normal prior, of energy λ‖x‖²/2, adds λx to the gradient but nothing to energy. Samplers
	// that compare densities of positions get λ‖x‖²/2 from the target's method Penalty(x []float32) float64.
	EnergyGrad(grad, x []float32) (energy float64, err error)
}

// TargetFunc returns a target without noise in d dimensions. f returns the energy at x and writes the gradient to grad.
func TargetFunc(d int, f func(grad, x []float32) float64) Target { return targetFunc{d, f} }

type targetFunc struct {
	dim int
	f   func(grad, x []float32) float64
}

func (t targetFunc) Dim() int                                      { return t.dim }
func (t targetFunc) EnergyGrad(grad, x []float32) (float64, error) { return t.f(grad, x), nil }

// Bounded is implemented by a Target that is defined on a part of ℝᵈ only. Samplers reject moves that leave this part.
type Bounded interface {
	// Inside reports whether x is in this part.
	Inside(x []float32) bool
}

// A Chain is one member of the population that a Sampler moves, with the results of its last evaluation.
type Chain struct {
	Target Target
	X      []float32 // position, length Target.Dim()

	Energy     float64   // noisy energy Û at the position before the last move
	Grad       []float32 // noisy gradient at the same position
	Multiplier float64   // factor of the gradient in the last move; 1 without a contour (sgmcmc.Contour)

	bounds Bounded   // the target, if it is bounded
	old    []float32 // position that Keep saved
}

// NewChain returns a chain that starts at x, which must have length target.Dim(). The chain keeps x and moves it.
func NewChain(target Target, x []float32) Chain {
	c := Chain{Target: target, X: x, Grad: make([]float32, target.Dim()), Multiplier: 1}
	if b, ok := target.(Bounded); ok {
		c.bounds, c.old = b, make([]float32, len(x))
	}
	return c
}

// Keep saves the position if the target is bounded. A sampler calls it before each move.
func (c *Chain) Keep() {
	if c.bounds != nil {
		copy(c.old, c.X)
	}
}

// Refuse reports whether the chain has left the part of ℝᵈ that its target is bounded to. If so, it restores the
// position that Keep saved. A sampler calls it after each move.
func (c *Chain) Refuse() bool {
	if c.bounds == nil || c.bounds.Inside(c.X) {
		return false
	}
	copy(c.X, c.old)
	return true
}

// A Sampler moves all chains by one step: it evaluates all of them, lets them interact, and moves all of them. It owns
// the random streams of its noise. Every call of Step must get the same chains in the same order.
//
// A sampler may implement more: Weigher, Histogrammer, RoundStarter, and encoding.BinaryMarshaler and
// BinaryUnmarshaler, without which a trial cannot be saved midway. It may also have the method Series()
// []diagnostics.Series, which returns numbers about the last step, and the method SetSize(n float64). The owner of the
// chains calls SetSize if the energy is n times a mean over the data. For a larger n the sampler then takes smaller
// steps, so that one learning rate fits any n.
type Sampler interface {
	Step(chains []Chain) error
}

// A Weigher is a sampler whose chains have different weights in a prediction.
type Weigher interface {
	// Weights writes the weight of every chain, at least 0, to weights. Only ratios of weights matter.
	Weights(weights []float64)
}

// A Histogrammer is a sampler with a histogram over energy bins.
type Histogrammer interface {
	// Histogram returns the θ of each energy bin, and the bin of each chain, counted from 1 (0: none).
	// Both slices belong to the sampler. They are nil if the sampler has no histogram.
	Histogram() (theta []float64, bins []int)
}

// A RoundStarter is a sampler that depends on the rounds of a trial.
type RoundStarter interface {
	// StartRound is called before a round's gradient steps, with the numbers of earlier and of all rounds of the trial.
	StartRound(ended, rounds int)
}

// Parallel calls f(0) … f(n−1) once each, in any order, perhaps concurrently. It returns when all calls have returned.
type Parallel func(n int, f func(i int))

// Do calls f(0) … f(n−1) by means of parallel, or in turn if parallel is nil.
func (parallel Parallel) Do(n int, f func(i int)) {
	if parallel != nil {
		parallel(n, f)
		return
	}
	for i := range n {
		f(i)
	}
}

// Normals is a source of standard normal numbers, such as *stream.Stream.
type Normals interface {
	Normals(dst []float32)
}
