package kernel

// The functions of this file work on float64s. They round products and sums separately, in the order of the Go loop in
// their comment. There is assembly for amd64 only.

// AddScaled adds a·x to y,
//
//	for i := range y {
//		y[i] += float64(a * x[i])
//	}
func AddScaled(y []float64, a float64, x []float64) {
	checkLen("x", len(x), len(y))
	switch {
	case len(y) == 0:
	case active >= avx2:
		addScaledAsm(&y[0], a, &x[0], len(y))
	default:
		addScaledPlain(y, a, x)
	}
}

// addScaledPlain is AddScaled in plain Go, checks bounds once for eight elements, and takes half a simple loop's time.
func addScaledPlain(y []float64, a float64, x []float64) {
	x = x[:len(y)]
	i := 0
	for ; i+8 <= len(y); i += 8 {
		r, w := (*[8]float64)(y[i:]), (*[8]float64)(x[i:])
		r[0] += float64(a * w[0])
		r[1] += float64(a * w[1])
		r[2] += float64(a * w[2])
		r[3] += float64(a * w[3])
		r[4] += float64(a * w[4])
		r[5] += float64(a * w[5])
		r[6] += float64(a * w[6])
		r[7] += float64(a * w[7])
	}
	for ; i < len(y); i++ {
		y[i] += float64(a * x[i])
	}
}

// SubtractOuter subtracts g·vvᵀ from a symmetric matrix with len(v) columns. It changes only the first rows of the
// matrix; their number is the argument rows. p holds the upper triangle of the matrix row by row,
//
//	for i := range rows {
//		f := g * v[i]
//		for j := i; j < len(v); j++ { // p begins with the diagonal element of row i
//			p[j-i] -= float64(f * v[j])
//		}
//		p = p[len(v)-i:]
//	}
func SubtractOuter(p, v []float64, g float64, rows int) {
	n := len(v)
	checkSize("rows", rows)
	checkSize("rows left", n-rows)
	if rows == 0 {
		return
	}
	_ = p[rows*(2*n-rows+1)/2-1]
	if active >= avx2 {
		subtractOuterAsm(&p[0], &v[0], g, n, rows)
		return
	}
	for i := range rows {
		rest := v[i:]
		addScaledPlain(p[:len(rest)], -(g * v[i]), rest)
		p = p[len(rest):]
	}
}

// DotRows adds to sums[t] the dot product of row t of a matrix and a sparse vector. Row t begins at p[starts[t]]. value
// holds the elements of the vector that are not zero, and index their positions in ascending order:
//
//	for t := range sums {
//		for k, i := range index {
//			sums[t] += float64(value[k] * p[starts[t]+int(i)])
//		}
//	}
func DotRows(sums *[8]float64, p []float64, starts *[8]int, index []int32, value []float64) {
	n := len(index)
	checkLen("value", len(value), n)
	if n == 0 {
		return
	}
	for _, start := range starts {
		_, _ = p[start+int(index[0])], p[start+int(index[n-1])]
	}
	if active >= avx2 {
		dotRowsAsm(&sums[0], &p[0], &starts[0], &index[0], &value[0], n)
		return
	}
	dotFourRows((*[4]float64)(sums[:]), p, (*[4]int)(starts[:]), index, value)
	dotFourRows((*[4]float64)(sums[4:]), p, (*[4]int)(starts[4:]), index, value)
}

// dotFourRows is DotRows for four rows. Four independent sums take little more time than one.
func dotFourRows(sums *[4]float64, p []float64, starts *[4]int, index []int32, value []float64) {
	n := int(index[len(index)-1]) + 1
	a, b, c, d := p[starts[0]:][:n], p[starts[1]:][:n], p[starts[2]:][:n], p[starts[3]:][:n]
	value = value[:len(index)]
	s0, s1, s2, s3 := sums[0], sums[1], sums[2], sums[3]
	for k, i := range index {
		f := value[k]
		s0 += float64(f * a[i])
		s1 += float64(f * b[i])
		s2 += float64(f * c[i])
		s3 += float64(f * d[i])
	}
	*sums = [4]float64{s0, s1, s2, s3}
}

// SideBySide is the number of columns that DotColumns and QuadColumns process side by side.
const SideBySide = 24

// DotColumns sets dst to the dot products of p and each column of the matrix x with len(p) rows and SideBySide columns,
//
//	for c := range dst {
//		dst[c] = 0
//		for i := range p {
//			dst[c] += float64(p[i] * x[i*SideBySide+c])
//		}
//	}
func DotColumns(dst *[SideBySide]float64, p, x []float64) {
	checkLen("x", len(x), len(p)*SideBySide)
	if active >= avx2 && len(p) > 0 {
		dotColumnsAsm(&dst[0], &p[0], &x[0], len(p))
		return
	}
	dotColumnsPlain(dst, p, x)
}

func dotColumnsPlain(dst *[SideBySide]float64, p, x []float64) {
	clear(dst[:])
	for i, f := range p {
		for c, v := range (*[SideBySide]float64)(x[i*SideBySide:]) {
			dst[c] += float64(f * v)
		}
	}
}

// QuadColumns sets dst[c] to vᵀPv, where v is column c of the matrix x, which has n rows and SideBySide columns. P is a
// symmetric n×n matrix, and p holds its upper triangle row by row,
//
//	for c := range dst {
//		dst[c] = 0
//		for k := range n {
//			row, sum := P[k], 0.0
//			for l := k + 1; l < n; l++ {
//				sum += float64(x[l][c] * row[l])
//			}
//			dst[c] += float64(x[k][c] * (float64(x[k][c]*row[k]) + 2*sum))
//		}
//	}
func QuadColumns(dst *[SideBySide]float64, p, x []float64, n int) {
	checkSize("n", n)
	checkLen("p", len(p), n*(n+1)/2)
	checkLen("x", len(x), n*SideBySide)
	clear(dst[:])
	if active >= avx2 && n > 0 {
		quadColumnsAsm(&dst[0], &p[0], &x[0], n)
		return
	}
	for k := range n {
		var sum [SideBySide]float64
		row := p[:n-k]
		p = p[n-k:]
		dotColumnsPlain(&sum, row[1:], x[(k+1)*SideBySide:])
		for c, v := range (*[SideBySide]float64)(x[k*SideBySide:]) {
			dst[c] += float64(v * (float64(v*row[0]) + float64(2*sum[c])))
		}
	}
}
