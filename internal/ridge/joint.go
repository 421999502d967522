package ridge

import "math"

// A Joint draws correlated normal numbers. Add draws after Begin, then Set for each covariance, or only BeginProducts.
type Joint struct {
	n        int
	c        []float64 // lower triangle of the n × n covariance or, if factored is true, of its Cholesky factor
	factored bool
	normal   []float32
}

// Begin starts draws of n numbers.
func (j *Joint) Begin(n int) {
	j.n, j.factored = n, false
	if len(j.c) < n*n {
		j.c, j.normal = make([]float64, n*n), make([]float32, n)
	}
}

// BeginProducts starts draws of a number w·x for each vector x, with the same w ~ N(0, P), and sets their covariances.
func (j *Joint) BeginProducts(m *Inverse, x []Vector) {
	j.Begin(len(x))
	for i := range x {
		px, _ := m.Gain(&x[i])
		for k := range i + 1 {
			j.Set(i, k, x[k].Dot(px))
		}
	}
}

// Set sets the covariance of the numbers with the indices row and column to v; row must be at least column.
func (j *Joint) Set(row, column int, v float64) { j.c[row*j.n+column] = v }

// Add makes one draw and adds scale times its number i to dst[i*stride], for all i.
func (j *Joint) Add(dst []float64, stride int, scale float64, r interface{ Normals(dst []float32) }) {
	if !j.factored {
		j.factor()
	}
	z := j.normal[:j.n]
	r.Normals(z)
	for i := range z {
		for k := range i + 1 {
			dst[i*stride] += float64(scale * j.c[i*j.n+k] * float64(z[k]))
		}
	}
}

// factor computes the Cholesky factor in place. A row linearly dependent, up to rounding, on earlier rows gets pivot 0.
func (j *Joint) factor() {
	n, c := j.n, j.c
	for i := range n {
		for k := range i + 1 {
			sum, size := c[i*n+k], c[i*n+i]
			for l := range k {
				sum -= float64(c[i*n+l] * c[k*n+l])
			}
			switch {
			case k == i && sum > 1e-12*size:
				c[i*n+i] = math.Sqrt(sum)
			case k == i || c[k*n+k] == 0:
				c[i*n+k] = 0
			default:
				c[i*n+k] = sum / c[k*n+k]
			}
		}
	}
	j.factored = true
}
