package kernel

import "testing"

// TestZeroStride: a row stride of 0 is the same row again and again, and a column stride of 0 the
// same column.
func TestZeroStride(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		b := []float32{1, 2, 3, 4} // 2×2
		for _, c := range []struct {
			ars, acs int
			want     []float32
		}{
			{0, 1, []float32{5*1 + 7*3, 5*2 + 7*4, 5*1 + 7*3, 5*2 + 7*4}},
			{1, 0, []float32{5*1 + 5*3, 5*2 + 5*4, 7*1 + 7*3, 7*2 + 7*4}},
		} {
			got := make([]float32, 4)
			MulAdd(got, 2, []float32{5, 7}, c.ars, c.acs, b, 2, 2, 2, 2)
			same(t, "product", got, c.want)
		}
	})
}

func TestSumRowsRefusesANegativeWidth(t *testing.T) {
	mustPanic(t, "kernel: n is -1, want at least 0", func() { SumRows(nil, 0, nil, nil, -1, []int32{0}, nil) })
}
