package nn

import (
	"fmt"

	"banditsim/internal/kernel"
)

// Rows is a batch of inputs in one of two forms. Sparse rows hold only zeros and ones, as one-hot
// encodings do: row i is one at the indices Index[Offset[i]:Offset[i+1]] (ascending), and zero
// elsewhere. Dense rows lie one after another in Dense.
type Rows struct {
	N      int       // number of rows
	Dense  []float32 // N × inputs; nil for sparse rows
	Offset []int32   // N+1 elements; nil for dense rows
	Index  []int32
}

// Reset makes r an empty batch and keeps its memory.
func (r *Rows) Reset() {
	r.N, r.Dense, r.Index = 0, r.Dense[:0], r.Index[:0]
	r.Offset = append(r.Offset[:0], 0)
}

// AppendDense adds one row, given by its elements.
func (r *Rows) AppendDense(context []float32) {
	r.Dense = append(r.Dense, context...)
	r.N++
}

// AppendSparse adds one row, given by the ascending indices of its ones.
func (r *Rows) AppendSparse(ones []int32) {
	r.Index = append(r.Index, ones...)
	r.Offset = append(r.Offset, int32(len(r.Index)))
	r.N++
}

// sparse reports whether the batch is sparse. A batch is never both.
func (r *Rows) sparse() bool { return len(r.Dense) == 0 }

func (r *Rows) check(inputs int) {
	if r.sparse() {
		if len(r.Offset) != r.N+1 {
			panic(fmt.Sprintf("nn: %d sparse rows with %d offsets, want %d", r.N, len(r.Offset), r.N+1))
		}
		return
	}
	if len(r.Dense) != r.N*inputs {
		panic(fmt.Sprintf("nn: %d dense rows of %d inputs in %d numbers", r.N, inputs, len(r.Dense)))
	}
}

// Ones returns the ascending indices of context's ones, appended to dst, if context holds only
// zeros and ones; otherwise it returns ok = false.
func Ones(dst []int32, context []float32) (ones []int32, ok bool) {
	ones = kernel.Nonzeros(dst, context)
	for _, i := range ones[len(dst):] {
		if context[i] != 1 {
			return nil, false
		}
	}
	return ones, true
}
