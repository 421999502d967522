package ridge

import "math"

// A Joint draws correlated normal numbers: Begin, Set of all covariances, Add.
type Joint struct {
	n      int
	c      []float64 // covariance, then its Cholesky factor: the lower triangle of n × n
	normal []float32
}

// Begin starts a draw of n numbers.
func (j *Joint) Begin(n int) {
	j.n = n
	if len(j.c) < n*n {
		j.c, j.normal = make([]float64, n*n), make([]float32, n)
	}
}

// Set sets a covariance; column is at most row.
func (j *Joint) Set(row, column int, v float64) { j.c[row*j.n+column] = v }

// Add adds scale times a draw with the covariance to every stride-th number of dst, from the first. A row that depends on those before it
// (its pivot is lost in rounding errors) has a pivot of 0.
func (j *Joint) Add(dst []float64, stride int, scale float64, r interface{ Normals(dst []float32) }) {
	n, c := j.n, j.c
	z := j.normal[:n]
	r.Normals(z)
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
		for k := range i + 1 {
			dst[i*stride] += float64(scale * c[i*n+k] * float64(z[k]))
		}
	}
}
