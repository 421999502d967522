package ridge

import (
	"slices"

	"banditsim/internal/kernel"
)

// MaxBatch is the largest number of vectors in a Batch.
const MaxBatch = kernel.SideBySide

// A Batch is several vectors. Their products with another vector or a matrix are computed side by side, unless that is
// slower: with few vectors or many zeros. The results are bit for bit those of one vector at a time.
type Batch struct {
	vectors  []Vector
	columns  []float64 // matrix with the vectors as its MaxBatch columns, row by row; empty: one vector at a time
	products [MaxBatch]float64
}

// Set sets the vectors of b to contexts, 1 to MaxBatch of equal length, each as Vector.Set does.
func (b *Batch) Set(contexts [][]float32, constant bool) {
	b.vectors, b.columns = slices.Grow(b.vectors[:0], len(contexts))[:len(contexts)], b.columns[:0]
	d, squares := Dim(len(contexts[0]), constant), 0
	for i, c := range contexts {
		v := &b.vectors[i]
		v.Set(c, constant)
		squares += len(v.Index) * len(v.Index)
	}
	// Side by side, all quadratic forms take 1.5·d² cycles, plus the copy to columns. One vector at a time, they take
	// about one cycle for each pair of nonzeros of a vector, and the variable squares has the number of these pairs.
	if squares < 2*d*d {
		return
	}
	b.columns = slices.Grow(b.columns, d*MaxBatch)[:d*MaxBatch]
	clear(b.columns)
	for c, v := range b.vectors {
		for k, i := range v.Index {
			b.columns[int(i)*MaxBatch+c] = v.Value[k]
		}
	}
}

// Len returns the number of vectors.
func (b *Batch) Len() int { return len(b.vectors) }

// Dot sets dst[i*stride] to the dot product of vector i and w.
func (b *Batch) Dot(dst []float64, stride int, w []float64) {
	if len(b.columns) > 0 {
		kernel.DotColumns(&b.products, w, b.columns)
	}
	b.set(dst, stride, func(v *Vector) float64 { return v.Dot(w) })
}

// Quads sets dst[i*stride] to xᵀPx of vector i, at least 0.
func (m *Inverse) Quads(dst []float64, stride int, b *Batch) {
	if len(b.columns) > 0 {
		m.settle()
		kernel.QuadColumns(&b.products, m.p, b.columns, m.d)
		for i, v := range b.products {
			b.products[i] = max(0, v) // as in Quad: if P is almost singular, rounding can make the form negative
		}
	}
	b.set(dst, stride, func(v *Vector) float64 { return m.Quad(v) })
}

// set sets dst[i*stride] to product i if products were computed side by side, else to f of vector i. It also calls f if
// product i is not finite: side by side, a vector's zeros are multiplied too, and zero times infinity is NaN.
func (b *Batch) set(dst []float64, stride int, f func(*Vector) float64) {
	for i := range b.vectors {
		if v := b.products[i]; len(b.columns) > 0 && v-v == 0 {
			dst[i*stride] = v
		} else {
			dst[i*stride] = f(&b.vectors[i])
		}
	}
}
