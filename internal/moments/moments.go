// Package moments computes running means and standard deviations, with which policies and posteriors standardize data.
package moments

import (
	"math"

	"banditsim/internal/state"
)

// A Running has the count N of numbers, their Mean, and the sum Squares of their squared deviations from Mean (Welford,
// Technometrics 4, 1962). Scaling them by a power of two scales Mean exactly, and SD too unless all numbers are equal.
type Running struct {
	N, Mean, Squares float64
}

// Add adds a number.
func (m *Running) Add(v float64) {
	m.N++
	d := v - m.Mean
	m.Mean += d / m.N
	m.Squares += float64(d * (v - m.Mean))
}

// SD returns the (biased) standard deviation, or 1 if there are no numbers or all are equal.
func (m *Running) SD() float64 {
	if m.Squares == 0 {
		return 1
	}
	return math.Sqrt(m.Squares / m.N)
}

// State saves the moments or restores them.
func (m *Running) State(c *state.Codec) {
	c.Float64In("numbers", &m.N, 0, math.MaxFloat64)
	c.Float64In("mean", &m.Mean, -math.MaxFloat64, math.MaxFloat64)
	c.Float64In("sum of squared deviations", &m.Squares, 0, math.MaxFloat64)
}

// Noise estimates the variance σ² of rewards about their predictions from k residuals e. Its prior counts as much as
// a = 5 residuals of the size s, the standard deviation of the rewards:
//
//	σ² = (a·s² + Σ e²)/(a + k)
//
// Older residuals count less: each new one multiplies Σ e² and k by 1 − 1/(20 + n/4), where n is the argument of Add.
type Noise struct {
	squares, count float64
}

const noisePrior = 5 // a

// Add adds a residual with square e2. n ≥ 1 counts the residuals or rewards so far; a larger n forgets more slowly.
func (s *Noise) Add(e2, n float64) {
	keep := 1 - 1/(20+n/4)
	s.squares = float64(s.squares*keep) + e2
	s.count = float64(s.count*keep) + 1
}

// Weight returns k, the number of residuals, of which older ones count less.
func (s *Noise) Weight() float64 { return s.count }

// SD returns σ. The argument sd is s, the standard deviation of the rewards.
func (s *Noise) SD(sd float64) float64 {
	return math.Sqrt((float64(noisePrior*float64(sd*sd)) + s.squares) / (noisePrior + s.count))
}

// Variance returns σ²/s². The argument sd is s, the standard deviation of the rewards.
func (s *Noise) Variance(sd float64) float64 {
	return (noisePrior + s.squares/(sd*sd)) / (noisePrior + s.count)
}

// State saves or restores the estimate.
func (s *Noise) State(c *state.Codec) {
	c.Float64In("squared residuals", &s.squares, 0, math.MaxFloat64)
	c.Float64In("weight of the residuals", &s.count, 0, math.MaxFloat64)
}

// Vectors has the count N of vectors, and the Mean and the Squares of each coordinate, as in Running.
type Vectors struct {
	N             float64
	Mean, Squares []float64
	Number        []bool // by coordinate, whether it has had a value other than 0 and 1; State leaves it out
}

// NewVectors returns the moments of no vectors in d dimensions.
func NewVectors(d int) Vectors {
	return Vectors{Mean: make([]float64, d), Squares: make([]float64, d), Number: make([]bool, d)}
}

// Add adds a vector.
func (m *Vectors) Add(x []float32) {
	m.N++
	for j, v := range x {
		d := float64(v) - m.Mean[j]
		m.Mean[j] += d / m.N
		m.Squares[j] += float64(d * (float64(v) - m.Mean[j]))
		m.Number[j] = m.Number[j] || v != 0 && v != 1
	}
}

// State saves the moments or restores them.
func (m *Vectors) State(c *state.Codec) {
	c.Float64In("vectors", &m.N, 0, math.MaxFloat64)
	c.Float64s(m.Mean)
	c.Float64s(m.Squares)
}
