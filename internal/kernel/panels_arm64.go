//go:build arm64 && !noasm

package kernel

// supported reports whether the processor supports the named kernel. All arm64
// processors that Go runs on have NEON.
func supported(name string) bool { return name == "neon" }

// lanes returns the number of float32s in a vector.
func lanes() int { return 4 }

// wideLanes returns the number of elements that nonzeroRowsAsm,
// nonzeroColumnsAsm and philoxWordsAsm process at once.
func wideLanes() int { return 16 }

// packTables reports whether SumRows should copy its table.
func packTables() bool { return false }

// nearCache returns the number of bytes that a block of B may occupy in the
// first-level cache.
func nearCache() int { return 24 << 10 }

// peakChains is the number of vectors in a round of peakAsm.
const peakChains = 24

// narrowest is the smallest number of columns that skipAsm and the functions of
// lists_asm.go support: that of one vector, as the last vector of a panel ends with
// its last column.
const narrowest = 4

// evenPanel returns the next panel when left columns remain. They are split evenly into
// panels of up to most vectors, so that a panel has fewer than four columns only if the
// matrix has.
func evenPanel(left, most int) panel {
	vectors := (left + 3) / 4
	panels := (vectors + most - 1) / most
	columns := min(left, 4*((vectors+panels-1)/panels))
	return panel{columns: columns, number: (columns - 1) / 4, last: uint64(4 * (columns - 4))}
}

// productPanel returns the next panel of productAsm when left columns remain.
func productPanel(_, left int) panel {
	if left < 4 {
		return panel{columns: left, number: 5 + left}
	}
	return evenPanel(left, 6)
}

// skipPanel returns the next panel of skipAsm when left columns remain.
func skipPanel(_, left int) panel { return evenPanel(left, 26) }

// listPanel returns the next panel of the functions of lists_asm.go when left columns remain.
func listPanel(_, left, _ int) panel { return evenPanel(left, 26) }
