// Package nn has networks over one flat vector of float32 parameters, dense and convolutional: batched forward and
// backward passes, dropout, and one-hot inputs that stay sparse. It has no loss: Backward takes the
// derivative by the outputs.
//
// The shape of a network (Model), its parameters (a []float32 that the caller owns) and the
// memory of a pass (Pass) are three things, so that any number of chains can share one shape, and
// samplers can treat a network as a point x in ℝᵈ.
//
// Every number is one chain of fused multiply-adds in a fixed order (see internal/kernel), hence
// the same on every machine. A sparse batch gives the bits of the dense one that it stands for,
// because fma(w, 0, s) = s.
package nn

import "banditsim/bandit/stream"

// A Model maps rows of inputs to rows of outputs. It is immutable and safe for concurrent use.
type Model interface {
	// Dim returns the number of parameters.
	Dim() int
	// Init draws initial parameters. The length of x is Dim.
	Init(x []float32, r *stream.Stream)
	// NewPass returns the memory for batches of up to batch rows.
	NewPass(batch int) Pass
}

// A Pass is the memory of one forward and backward pass. It is used by one goroutine at a time,
// and allocates nothing after its first batch. Lengths that do not fit panic.
type Pass interface {
	// Forward returns the outputs on a batch with parameters x: rows × outputs, row-major. They
	// belong to the pass until its next Forward, and may be overwritten. dropout may be nil; it
	// draws a new mask.
	Forward(x []float32, rows *Rows, dropout *Dropout) []float32
	// Backward sets grad to Σ delta·∂output/∂x over the batch of the last Forward, which had the
	// same x. delta is rows × outputs; it may be the slice that Forward returned.
	Backward(grad, x, delta []float32)
	// Features returns the last hidden layer of the last Forward, without dropout: row i starts
	// at i·stride. It returns nil for a model without a hidden layer.
	Features() (features []float32, stride int)
}
