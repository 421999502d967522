// Package exact has posteriors without chains: closed forms and approximations that are updated
// reward by reward.
package exact

import (
	"errors"
	"fmt"
	"math"

	"banditsim/bandit/stream"
)

// checkRow returns an error about a row that Observe cannot take.
func checkRow(context []float32, dim, arm, arms int, reward float64) error {
	switch {
	case len(context) != dim:
		return fmt.Errorf("exact: observe: a context of %d numbers, want %d", len(context), dim)
	case arm < 0 || arm >= arms:
		return fmt.Errorf("exact: observe: arm %d, want 0 to %d", arm, arms-1)
	case math.IsNaN(reward) || math.IsInf(reward, 0):
		return fmt.Errorf("exact: observe: a reward of %g", reward)
	}
	for _, v := range context {
		if v-v != 0 { // infinite or NaN
			return errors.New("exact: observe: a context that is not finite")
		}
	}
	return nil
}

// checkContexts panics if dst has the wrong length, and returns an error if a context has.
func checkContexts(dst []float64, contexts [][]float32, dim, arms int) error {
	if len(dst) != len(contexts)*arms {
		panic(fmt.Sprintf("exact: predict: room for %d values of %d contexts with %d arms", len(dst), len(contexts), arms))
	}
	for _, c := range contexts {
		if len(c) != dim {
			return fmt.Errorf("exact: predict: a context of %d numbers, want %d", len(c), dim)
		}
	}
	return nil
}

// A jointDraw draws correlated normal numbers.
type jointDraw struct {
	n      int
	c      []float64 // covariance, then its Cholesky factor: the lower triangle of n × n
	normal []float32
}

func (j *jointDraw) begin(n int) {
	j.n = n
	if len(j.c) < n*n {
		j.c, j.normal = make([]float64, n*n), make([]float32, n)
	}
}

func (j *jointDraw) set(row, column int, v float64) { j.c[row*j.n+column] = v }

// add adds scale times a draw with the covariance to dst. A row that depends on those before it
// (its pivot is lost in rounding errors) has a pivot of 0.
func (j *jointDraw) add(dst []float64, scale float64, r *stream.Stream) {
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
			dst[i] += float64(scale * c[i*n+k] * float64(z[k]))
		}
	}
}
