package nn

import (
	"fmt"

	"banditsim/internal/kernel"
)

// Rows is a batch of inputs, which is either dense or sparse. The rows of a sparse batch hold only zeros and ones.
type Rows struct {
	N      int       // number of rows
	Dense  []float32 // the rows of a dense batch, N × inputs; empty for a sparse batch
	Offset []int32   // N+1 elements: row i is 1 in the columns Index[Offset[i]:Offset[i+1]], and 0 in the others
	Index  []int32   // ascending in each row; empty for a dense batch
}

// Reset makes r an empty batch. It keeps the memory for the next one.
func (r *Rows) Reset() {
	r.N, r.Dense, r.Index = 0, r.Dense[:0], r.Index[:0]
	r.Offset = append(r.Offset[:0], 0)
}

// AppendDense adds one row, given by its elements, which it copies. A batch must not mix dense and sparse rows.
func (r *Rows) AppendDense(context []float32) {
	r.Dense = append(r.Dense, context...)
	r.N++
}

// AppendSparse adds one row, given by the ascending indices of its ones.
func (r *Rows) AppendSparse(ones []int32) {
	if len(r.Offset) == 0 { // r is the zero value
		r.Reset()
	}
	r.Index = append(r.Index, ones...)
	r.Offset = append(r.Offset, int32(len(r.Index)))
	r.N++
}

// sparse reports whether the batch is sparse.
func (r *Rows) sparse() bool { return len(r.Dense) == 0 }

// check panics if the lengths of the slices do not match N and the number of inputs.
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

// Ones appends to dst the ascending indices of the ones in context. It returns nil, false if a number is not 0 or 1.
func Ones(dst []int32, context []float32) (ones []int32, ok bool) {
	ones = kernel.Nonzeros(dst, context)
	for _, i := range ones[len(dst):] {
		if context[i] != 1 {
			return nil, false
		}
	}
	return ones, true
}
