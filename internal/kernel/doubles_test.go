package kernel

import "testing"

// TestDoubles compares the functions of doubles.go with the loops in their comments, for lengths 0 to 130. A context of the
// mushroom data has length 117.
func TestDoubles(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		b := &borders{t: t}
		r := source(5)
		for n := range 131 {
			for _, rare := range []int{0, 50} {
				lead := n % 8
				x, y := random[float64](r, n, rare), random[float64](r, n, rare)
				a := r.NormFloat64()
				want := make([]float64, n)
				for i, v := range y {
					want[i] = v + float64(a*x[i])
				}
				got := clone(b, y, lead)
				AddScaled(got, a, clone(b, x, lead+1))
				same(t, "AddScaled", got, want)

				p := random[float64](r, n*(n+1)/2, rare)
				rows := n
				if n > 8 && n%3 > 0 {
					rows = 8
				}
				want = append([]float64(nil), p...)
				at := 0
				for i := range rows {
					f := a * x[i]
					for _, v := range x[i:] {
						want[at] -= float64(f * v)
						at++
					}
				}
				got = clone(b, p, lead)
				SubtractOuter(got, clone(b, x, lead+1), a, rows)
				same(t, "SubtractOuter", got, want)

				var starts [8]int
				var index []int32
				var value []float64
				for i := range n {
					if rare == 0 || r.IntN(4) == 0 {
						index, value = append(index, int32(i)), append(value, x[i])
					}
				}
				var sums, wantSums [8]float64
				table := random[float64](r, 3*n, rare)
				for t := range starts {
					starts[t] = r.IntN(2*n + 1)
					sums[t] = r.NormFloat64()
					wantSums[t] = sums[t]
					for k, i := range index {
						wantSums[t] += float64(value[k] * table[starts[t]+int(i)])
					}
				}
				DotRows(&sums, clone(b, table, lead), &starts, index, value)
				same(t, "DotRows", sums[:], wantSums[:])

				columns := random[float64](r, n*SideBySide, 20*rare)
				var dots, quads [SideBySide]float64
				for c := range SideBySide {
					at := 0
					for k := range n {
						xk, sum := columns[k*SideBySide+c], 0.0
						dots[c] += float64(x[k] * xk)
						row := p[at : at+n-k]
						at += n - k
						for l, f := range row[1:] {
							sum += float64(columns[(k+1+l)*SideBySide+c] * f)
						}
						quads[c] += float64(xk * (float64(xk*row[0]) + 2*sum))
					}
				}
				dst := (*[SideBySide]float64)(clone(b, random[float64](r, SideBySide, 0), lead))
				DotColumns(dst, clone(b, x, lead), clone(b, columns, lead+1))
				same(t, "DotColumns", dst[:], dots[:])
				QuadColumns(dst, clone(b, p, lead), clone(b, columns, lead+1), n)
				same(t, "QuadColumns", dst[:], quads[:])
				b.check()
			}
		}
	})
	five := make([]float64, 5)
	mustPanic(t, "kernel: x has length 5, want 4", func() { AddScaled(five[:4], 1, five) })
	mustPanic(t, "kernel: rows left is -1, want at least 0", func() { SubtractOuter(five, five[:2], 1, 3) })
	mustPanic(t, "runtime error: index out of range [5] with length 5", func() { SubtractOuter(five, five[:3], 1, 3) })
	mustPanic(t, "runtime error: index out of range [5] with length 5", func() {
		DotRows(new([8]float64), five, &[8]int{0, 1, 2, 3, 1, 1, 1, 1}, []int32{0, 2}, five[:2])
	})
	mustPanic(t, "kernel: x has length 5, want 48", func() { DotColumns(new([SideBySide]float64), five[:2], five) })
	mustPanic(t, "kernel: p has length 5, want 3", func() { QuadColumns(new([SideBySide]float64), five, five, 2) })
}
