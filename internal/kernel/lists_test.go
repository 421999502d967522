package kernel

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A listCase has random lists of rows and matrices of matching shapes.
type listCase struct {
	n, ld    int
	off, idx []int32
	dense    []float32 // C or D
	table    []float32 // W or G
	bias     []float32
}

// randomLists returns m lists of rows, of length longest at most. If distinct is true, all have this length and no row twice.
func randomLists(r *rand.Rand, m, n, rows, longest int, distinct bool) listCase {
	c := listCase{n: n, ld: n + r.IntN(4)}
	c.off = append(c.off, int32(r.IntN(3)))
	for range m {
		length := longest
		if !distinct {
			length = r.IntN(longest + 1)
		}
		c.off = append(c.off, c.off[len(c.off)-1]+int32(length))
	}
	c.idx = make([]int32, int(c.off[m])+r.IntN(3))
	for i := range c.idx {
		c.idx[i] = int32(r.IntN(rows))
	}
	if distinct {
		for i := range m {
			for k, row := range r.Perm(rows)[:longest] {
				c.idx[int(c.off[i])+k] = int32(row)
			}
		}
	}
	rare := []int{0, 40}[r.IntN(2)]
	c.dense, c.table, c.bias = random[float32](r, size(m, n, c.ld), rare), random[float32](r, rows*n, rare), random[float32](r, n, rare)
	return c
}

func (c listCase) run(t *testing.T, b *borders, lead int) {
	t.Helper()
	// The loops in the comments of SumRows and AddRows.
	wantC, wantG := slices.Clone(c.dense), slices.Clone(c.table)
	for i := range len(c.off) - 1 {
		copy(wantC[i*c.ld:][:c.n], c.bias)
		for _, r := range c.idx[c.off[i]:c.off[i+1]] {
			for j := range c.n {
				wantC[i*c.ld+j] += c.table[int(r)*c.n+j]
				wantG[int(r)*c.n+j] += c.dense[i*c.ld+j]
			}
		}
	}
	gotC, gotG := clone(b, c.dense, lead), clone(b, c.table, lead+1)
	w, d, bias := clone(b, c.table, lead+2), clone(b, c.dense, lead+3), clone(b, c.bias, lead)
	SumRows(gotC, c.ld, bias, w, c.n, c.off, c.idx)
	AddRows(gotG, c.n, d, c.ld, c.off, c.idx)
	same(t, "SumRows", gotC, wantC)
	same(t, "AddRows", gotG, wantG)

	m := len(c.off) - 1
	want := slices.Clone(c.bias)
	for j := range want {
		for i := range m {
			want[j] += c.dense[i*c.ld+j]
		}
	}
	ColumnSums(bias, d, c.ld, m, c.n)
	same(t, "ColumnSums", bias, want)
	b.check()
}

func TestLists(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		b := &borders{t: t}
		r := source(2)
		for n := 1; n <= 260; n++ {
			for _, m := range []int{0, 1, 2, 7} {
				randomLists(r, m, n, 1+r.IntN(5), 4, false).run(t, b, r.IntN(16))
			}
			// Long enough for the lists to be transposed.
			randomLists(r, 60+r.IntN(10), n, 5, 3, true).run(t, b, r.IntN(16))
		}
		SumRows(nil, 0, nil, nil, 0, nil, nil) // no columns, nothing to do
		AddRows(nil, 0, nil, 0, nil, nil)
		for _, c := range []listCase{
			randomLists(r, 512, 100, 117, 22, true),
			randomLists(r, 512, 100, 117, 44, false), // some lists have a row twice
			randomLists(r, 128, 20, 256, 40, true),
			randomLists(r, 128, 20, 257, 40, true), // too many rows to transpose
			randomLists(r, 3, 100, 117, 0, false),
			randomLists(r, 5000, 3, 2, 2, false),
			randomLists(r, 5000, 3, 2, 2, true),
		} {
			c.run(t, b, 1)
		}
		// One of 64 lists has a row twice.
		c := randomLists(r, 200, 100, 20, 10, true)
		c.idx[c.off[70]] = c.idx[c.off[70]+1]
		c.run(t, b, 2)
	})
}

func TestListPanics(t *testing.T) {
	x := make([]float32, 100)
	eachKernel(t, func(t *testing.T) {
		for _, c := range []struct {
			want     string
			off, idx []int32
		}{
			{"kernel: off has length 0, want rows + 1", nil, nil},
			{"kernel: off[0] is -1, want at least 0", []int32{-1, 0}, nil},
			{"kernel: off[2] is 1, less than 2 before it", []int32{0, 2, 1}, []int32{0, 0}},
			{"kernel: off ends at 3, idx has length 2", []int32{0, 3}, []int32{0, 0}},
			{"kernel: idx holds 10, the matrix has 10 rows", []int32{0, 2}, []int32{0, 10}},
			{"kernel: idx holds 10, the matrix has 10 rows", []int32{0, 20}, append(make([]int32, 10), 10, 9, 0, 0, 0, 0, 0, 0, 0, 0)},
			{"kernel: idx holds -2, the matrix has 10 rows", []int32{0, 20}, append([]int32{-2}, make([]int32, 19)...)},
			{"kernel: idx holds -2, the matrix has 10 rows", []int32{0, 9}, append(make([]int32, 8), -2)},
		} {
			mustPanic(t, c.want, func() { SumRows(x, 10, x[:10], x, 10, c.off, c.idx) })
			mustPanic(t, c.want, func() { AddRows(x, 10, x, 10, c.off, c.idx) })
		}
		mustPanic(t, "kernel: c: length 10 is too short for 2×10 with leading dimension 10",
			func() { SumRows(x[:10], 10, x[:10], x, 10, []int32{0, 0, 0}, nil) })
		mustPanic(t, "kernel: d: length 10 is too short for 2×10 with leading dimension 10",
			func() { AddRows(x, 10, x[:10], 10, []int32{0, 0, 0}, nil) })
		mustPanic(t, "kernel: n is -1, want at least 0", func() { SumRows(nil, 0, nil, nil, -1, []int32{0}, nil) })
		mustPanic(t, "kernel: dst has length 9, want 10", func() { ColumnSums(x[:9], x, 10, 10, 10) })
		// Indices outside the lists are not checked.
		SumRows(x, 10, make([]float32, 10), make([]float32, 100), 10, []int32{1, 2}, []int32{99, 1, 99})
		SumRows(x, 10, make([]float32, 10), nil, 10, []int32{1, 1}, []int32{99, 1, 99})
		AddRows(nil, 10, x, 10, []int32{1, 1}, []int32{99, 1, 99})
	})
}
