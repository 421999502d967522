//go:build !amd64 || noasm

package kernel

// Only amd64 has assembly for float64s.

func addScaled(y []float64, a float64, x []float64) { addScaledPlain(y, a, x) }

func subtractOuter(p, v []float64, g float64, rows int) { subtractOuterPlain(p, v, g, rows) }

func dotColumns(dst *[SideBySide]float64, p, x []float64) { dotColumnsPlain(dst, p, x) }

func quadColumns(dst *[SideBySide]float64, p, x []float64, n int) { quadColumnsPlain(dst, p, x, n) }

func dotRows(sums *[8]float64, p []float64, starts *[8]int, index []int32, value []float64) {
	dotRowsPlain(sums, p, starts, index, value)
}
