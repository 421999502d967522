package ridge

import (
	"fmt"
	"testing"

	"banditsim/internal/must"
)

// fixedNormals gives numbers that the test knows.
type fixedNormals []float32

func (f fixedNormals) Normals(dst []float32) { copy(dst, f) }

// TestJointByHand: the covariance (4, 2; 2, 10) has the Cholesky factor (2, 0; 1, 3). What is added is scale·L·z, to every stride-th
// number, and the same factor serves until Begin.
func TestJointByHand(t *testing.T) {
	var j Joint
	j.Begin(2)
	j.Set(0, 0, 4)
	j.Set(1, 0, 2)
	j.Set(1, 1, 10)
	for _, c := range []struct {
		scale  float64
		z      fixedNormals
		stride int
		want   []float64
	}{
		{1, fixedNormals{1, 0}, 1, []float64{102, 201}},
		{2.5, fixedNormals{1, 0}, 1, []float64{105, 202.5}},
		{2.5, fixedNormals{-2, 4}, 1, []float64{90, 225}},
		{0.5, fixedNormals{-2, 4}, 2, []float64{98, 200, 305}},
		{0, fixedNormals{5, 5}, 1, []float64{100, 200}},
	} {
		dst := []float64{100, 200, 300}[:len(c.want)]
		j.Add(dst, c.stride, c.scale, c.z)
		for i, v := range dst {
			must.Near(t, fmt.Sprint(c.scale, " times ", c.z), v, c.want[i], 1e-12)
		}
	}
	j.Begin(2) // equal rows: the second has nothing of its own
	j.Set(0, 0, 9)
	j.Set(1, 0, 9)
	j.Set(1, 1, 9)
	dst := []float64{0, 0}
	j.Add(dst, 1, 1, fixedNormals{1, 7})
	if dst[0] != 3 || dst[1] != 3 {
		t.Errorf("equal rows: %v, want 3 and 3", dst)
	}
}
