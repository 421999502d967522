package ridge

import "banditsim/internal/kernel"

// MaxBatch is the largest number of vectors in a Batch.
const MaxBatch = kernel.SideBySide

// A Batch is several vectors. Its products are those of one after another, computed side by side unless most numbers are zero.
type Batch struct {
	vectors  []Vector
	columns  []float64 // the vectors as columns of a matrix with MaxBatch columns, row by row; nil: one after another
	space    []float64
	products [MaxBatch]float64
}

// Set makes b the vectors of up to MaxBatch contexts, which have the same length, each as Vector.Set makes it.
func (b *Batch) Set(contexts [][]float32, constant bool) {
	for len(b.vectors) < len(contexts) {
		b.vectors = append(b.vectors, Vector{})
	}
	all := b.vectors[:cap(b.vectors)]
	b.vectors, b.columns = all[:len(contexts)], nil
	d, squares := 0, 0
	for i, c := range contexts {
		v := &b.vectors[i]
		v.Set(c, constant)
		squares += len(v.Index) * len(v.Index)
		d = len(c)
	}
	if constant {
		d++
	}
	// A form of all vectors side by side takes 1.5·d² cycles, those of one after another about one for each element of theirs.
	if squares < 2*d*d {
		return
	}
	if len(b.space) < d*MaxBatch {
		b.space = make([]float64, d*MaxBatch)
	}
	b.columns = b.space[:d*MaxBatch]
	clear(b.columns)
	for c := range b.vectors {
		v := &b.vectors[c]
		for k, i := range v.Index {
			b.columns[int(i)*MaxBatch+c] = v.Value[k]
		}
	}
}

// Len returns the number of vectors.
func (b *Batch) Len() int { return len(b.vectors) }

// Dot sets every stride-th number of dst, from the first, to the product of a vector with w.
func (b *Batch) Dot(dst []float64, stride int, w []float64) {
	if b.columns != nil {
		kernel.DotColumns(&b.products, w, b.columns)
	}
	b.set(dst, stride, func(v *Vector) float64 { return v.Dot(w) })
}

// Quads sets every stride-th number of dst, from the first, to xᵀPx of a vector, at least 0.
func (m *Inverse) Quads(dst []float64, stride int, b *Batch) {
	if b.columns != nil {
		m.settle()
		kernel.QuadColumns(&b.products, m.p, b.columns, m.d)
	}
	b.set(dst, stride, func(v *Vector) float64 { return m.Quad(v) })
}

// set sets numbers to the products or, one after another, to f. A product that is not finite is computed by f too, as zeros of a
// vector were multiplied by an infinite number.
func (b *Batch) set(dst []float64, stride int, f func(*Vector) float64) {
	for i := range b.vectors {
		if v := b.products[i]; b.columns != nil && v-v == 0 {
			dst[i*stride] = v
		} else {
			dst[i*stride] = f(&b.vectors[i])
		}
	}
}
