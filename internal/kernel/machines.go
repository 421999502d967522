package kernel

import (
	"slices"

	"golang.org/x/sys/cpu"
)

// A machine describes a kernel in assembly.
type machine struct {
	lanes      int  // number of float32s in a vector
	wide       int  // processed at once: elements by nonzeroRowsAsm, columns by nonzeroColumnsAsm, blocks by philoxWordsAsm
	narrowest  int  // smallest number of columns for which skipAsm and the assembly of SumRows, AddRows and ColumnSums work
	near       int  // approximate size in bytes of a block of the B of MulAdd (see nextBlock), which stays in a cache
	packTables bool // SumRows may copy each panel of W into the first-level cache, and then uses narrower panels
	peakChains int  // number of vectors in a round of peakAsm

	product, skip, list cut // how columns are divided into panels: for productAsm, skipAsm, and the assembly that reads lists
}

var machines = [...]machine{
	neon: {
		lanes: 4, wide: 16, near: 24 << 10, peakChains: 24,
		narrowest: 4, // a whole vector: a panel's last vector is moved back until it ends with the panel, and must not begin before it
		product:   cut{vectors: 6}, skip: cut{vectors: 26}, list: cut{vectors: 26},
	},
	avx2: {
		lanes: 8, wide: 8, near: 12 << 10, peakChains: 12, narrowest: 1,
		product: cut{widths: []int{24, 16}}, skip: cut{vectors: 13}, list: cut{widths: []int{96, 32, 8, 4}},
	},
	// Wide panels need fewer loads per multiply-add, so that a block of B may be too large for the first-level cache.
	avx512: {
		lanes: 16, wide: 16, near: 256 << 10, peakChains: 12, narrowest: 1, packTables: true,
		product: cut{vectors: 7}, skip: cut{vectors: 7}, list: cut{vectors: 7},
	},
}

// supported reports whether the build has the named kernel, and whether the processor and the operating system support
// it. All arm64 processors that Go runs on have NEON.
func supported(name string) bool {
	x := &cpu.X86
	fused := assembly == "amd64" && x.HasAVX2 && x.HasFMA && x.HasBMI1 && x.HasBMI2
	switch name {
	case "neon":
		return assembly == "arm64"
	case "avx2":
		return fused
	case "avx512":
		return fused && x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL
	}
	return false
}

// A panel is the range of columns that one call of the assembly computes.
type panel struct {
	columns int
	number  int    // number of the assembly function for panels of this width
	last    uint64 // AVX-512: mask of the last vector's lanes in use; NEON: distance in bytes from the first to the last vector
	lanes   *int32 // AVX2: the last vector's mask, all ones in lanes in use and zeros in others
}

// A cut divides columns into panels.
type cut struct {
	vectors int   // if not 0, the largest number of vectors in a panel; panels are about equally wide
	widths  []int // otherwise a panel has the first of these widths that fits, or up to one vector if none fits
}

// maskLanes[8−n:] is the AVX2 mask of the first n lanes.
var maskLanes = [16]int32{-1, -1, -1, -1, -1, -1, -1, -1}

// next returns the next panel; remaining is the number of columns that are in no panel yet. If c.vectors is not 0, the
// panel has at most limit columns.
func (c cut) next(remaining, limit int) panel {
	lanes := machines[active].lanes
	p := panel{columns: min(remaining, lanes), number: len(c.widths)}
	if i := slices.IndexFunc(c.widths, func(width int) bool { return width <= remaining }); i >= 0 {
		p.columns, p.number = c.widths[i], i
	}
	if c.vectors > 0 {
		vectors := (remaining + lanes - 1) / lanes
		panels := (vectors + c.vectors - 1) / c.vectors
		p.columns = min(remaining, limit, lanes*((vectors+panels-1)/panels))
		p.number = (p.columns - 1) / lanes
	}
	tail := (p.columns-1)%lanes + 1 // columns of the last vector
	switch active {
	case avx512: // the last vector may be of half width
		p.number *= 2
		if tail <= 8 {
			p.number++
		}
		p.last = 1<<tail - 1
	case avx2:
		p.lanes = &maskLanes[8-tail]
	case neon: // only products have panels of one to three columns, which are numbered after the others
		p.last = uint64(4 * (p.columns - 4))
		if p.columns < 4 {
			p.number = c.vectors - 1 + p.columns
		}
	}
	return p
}

// bulk divides n elements into whole vectors and calls process for successive parts of these, with the index of the
// first element and the number of vectors. It returns the number of elements in whole vectors, or 0 for the plain Go
// kernel. The caller processes the rest.
func bulk(n int, process func(first, vectors int)) int {
	if active == plain {
		return 0
	}
	lanes := machines[active].lanes
	whole := n - n%lanes
	const most = 1 << 13 // vectors per call
	for i := 0; i < whole; i += most * lanes {
		process(i, min(most, (whole-i)/lanes))
	}
	return whole
}
