package kernel

import "fmt"

// checkMatrix panics unless s has rows×cols elements with leading dimension ld.
// It divides, because a product could overflow.
func checkMatrix(name string, s []float32, ld, rows, cols int) {
	if ld < cols {
		panic(fmt.Sprintf("kernel: %s: leading dimension %d is less than the %d columns", name, ld, cols))
	}
	if rows <= 0 || cols <= 0 {
		return
	}
	if cols > len(s) || rows-1 > (len(s)-cols)/ld {
		panic(fmt.Sprintf("kernel: %s: length %d is too short for %d×%d with leading dimension %d", name, len(s), rows, cols, ld))
	}
}

// checkSize panics if a dimension is negative.
func checkSize(name string, n int) {
	if n < 0 {
		panic(fmt.Sprintf("kernel: %s is %d, want at least 0", name, n))
	}
}

// checkLen panics unless got == want.
func checkLen(name string, got, want int) {
	if got != want {
		panicLen(name, got, want)
	}
}

// panicLen is separate from checkLen so that the compiler can inline the latter.
func panicLen(name string, got, want int) {
	panic(fmt.Sprintf("kernel: %s has length %d, want %d", name, got, want))
}

// checkLists panics unless off and idx are lists of rows of a matrix with the given
// number of rows: off is nondecreasing and within idx, and the indices are in range.
func checkLists(off, idx []int32, rows int) {
	if len(off) == 0 {
		panic("kernel: off has length 0, want rows + 1")
	}
	if off[0] < 0 {
		panic(fmt.Sprintf("kernel: off[0] is %d, want at least 0", off[0]))
	}
	for i := 1; i < len(off); i++ {
		if off[i] < off[i-1] {
			panic(fmt.Sprintf("kernel: off[%d] is %d, less than %d before it", i, off[i], off[i-1]))
		}
	}
	if last := off[len(off)-1]; int(last) > len(idx) {
		panic(fmt.Sprintf("kernel: off ends at %d, idx has length %d", last, len(idx)))
	}
	if used := idx[off[0]:off[len(off)-1]]; len(used) > 0 {
		// Negative indices, as unsigned numbers, are larger than all others.
		if max := maxIndex(used); uint64(max) >= uint64(rows) {
			panic(fmt.Sprintf("kernel: idx holds %d, the matrix has %d rows", int32(max), rows))
		}
	}
}

// maxIndex returns the maximum of the indices as unsigned numbers.
func maxIndex(idx []int32) (m uint32) {
	if active != plain && len(idx) >= 8 {
		m, idx = maxIndexAsm(&idx[0], len(idx)/8), idx[len(idx)&^7:]
	}
	for _, j := range idx {
		m = max(m, uint32(j))
	}
	return m
}
