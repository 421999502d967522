//go:build amd64 && !noasm

package kernel

func addScaled(y []float64, a float64, x []float64) {
	if active == plain {
		addScaledPlain(y, a, x)
		return
	}
	addScaledAsm(&y[0], a, &x[0], len(y))
}

func subtractOuter(p, v []float64, g float64, rows int) {
	if active == plain {
		subtractOuterPlain(p, v, g, rows)
		return
	}
	subtractOuterAsm(&p[0], &v[0], g, len(v), rows)
}

func dotColumns(dst *[SideBySide]float64, p, x []float64) {
	if active == plain {
		dotColumnsPlain(dst, p, x)
		return
	}
	dotColumnsAsm(&dst[0], &p[0], &x[0], len(p))
}

func quadColumns(dst *[SideBySide]float64, p, x []float64, n int) {
	if active == plain {
		quadColumnsPlain(dst, p, x, n)
		return
	}
	quadColumnsAsm(&dst[0], &p[0], &x[0], n)
}

func dotRows(sums *[8]float64, p []float64, starts *[8]int, index []int32, value []float64) {
	if active == plain {
		dotRowsPlain(sums, p, starts, index, value)
		return
	}
	dotRowsAsm(&sums[0], &p[0], &starts[0], &index[0], &value[0], len(index))
}
