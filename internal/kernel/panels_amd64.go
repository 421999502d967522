//go:build amd64 && !noasm

package kernel

import "golang.org/x/sys/cpu"

// supported reports whether the processor and the operating system support the
// named kernel.
func supported(name string) bool {
	x := &cpu.X86
	fused := x.HasAVX2 && x.HasFMA && x.HasBMI1 && x.HasBMI2
	switch name {
	case "avx2":
		return fused
	case "avx512":
		return fused && x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL
	}
	return false
}

const doublesAsm = true

// lanes returns the number of float32s in a vector of the kernel in use.
func lanes() int {
	if active == avx512 {
		return 16
	}
	return 8
}

// wideLanes returns the number of elements that nonzeroRowsAsm,
// nonzeroColumnsAsm and philoxWordsAsm process at once.
func wideLanes() int { return lanes() }

// packTables reports whether SumRows should copy its table into the first-level
// cache, although that takes more panels.
func packTables() bool { return active == avx512 }

// nearCache returns the number of bytes that a block of B may occupy: part of the
// second-level cache for AVX-512, whose wide panels use each element more often,
// of the first for AVX2.
func nearCache() int {
	if active == avx512 {
		return 256 << 10
	}
	return 12 << 10
}

// peakChains is the number of vectors in a round of peakAsm.
const peakChains = 12

// narrowest is the smallest number of columns that skipAsm and the functions of
// lists_asm.go support.
const narrowest = 1

// maskLanes[8−n:] is the AVX2 mask of the first n lanes.
var maskLanes = [16]int32{-1, -1, -1, -1, -1, -1, -1, -1}

// panel512 returns the next panel when left of n columns remain, for AVX-512. The columns
// are split evenly into panels of up to seven vectors and up to most columns. The number
// of a panel is twice the number of vectors before the last one, plus one if the last
// one fits into half a register.
func panel512(n, left, most int) panel {
	vectors := (n + 15) / 16
	panels := (vectors + 6) / 7
	columns := min(left, most, 16*((vectors+panels-1)/panels))
	full := (columns - 1) / 16
	tail := columns - 16*full
	p := panel{columns: columns, number: 2 * full, last: 1<<tail - 1}
	if tail <= 8 {
		p.number++
	}
	return p
}

// panel256 returns a panel of the given columns and number for AVX2.
func panel256(columns, number int) panel {
	full := (columns - 1) / 8
	return panel{columns: columns, number: number, lanes: &maskLanes[8-(columns-8*full)]}
}

// productPanel returns the next panel of productAsm when left of n columns remain.
func productPanel(n, left int) panel {
	switch {
	case active == avx512:
		return panel512(n, left, n)
	case left >= 24:
		return panel256(24, 0)
	case left >= 16:
		return panel256(16, 1)
	}
	return panel256(min(left, 8), 2)
}

// skipPanel returns the next panel of skipAsm when left of n columns remain.
func skipPanel(n, left int) panel {
	if active == avx512 {
		return panel512(n, left, n)
	}
	vectors := (n + 7) / 8
	panels := (vectors + 12) / 13
	columns := min(left, 8*((vectors+panels-1)/panels))
	return panel256(columns, (columns-1)/8)
}

// listPanel returns the next panel of the functions of lists_asm.go when left of n
// columns remain. It has up to most columns where packTables is true.
func listPanel(n, left, most int) panel {
	if active == avx512 {
		return panel512(n, left, most)
	}
	for number, columns := range [...]int{96, 32, 8, 4} {
		if left >= columns {
			return panel256(columns, number)
		}
	}
	return panel256(left, 4)
}
