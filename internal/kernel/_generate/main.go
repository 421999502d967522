// Command _generate writes the assembly of package kernel. To run it:
//
//	go generate ./internal/kernel
//
// product.go, lists.go and elementwise.go emit functions for all instruction sets, in terms of a panel's operations.
// vector.go implements them for AVX2 with FMA and for AVX-512; neon.go and neon_panel.go do so for NEON, with the
// registers of neon_file.go and instructions of neon_instructions.go. Each other file emits one family of functions,
// for arm64 if its name begins with neon, else for amd64. Package kernel's plain Go code specifies the results.
package main

import (
	"errors"
	"flag"
	"log"

	. "github.com/mmcloughlin/avo/build"
)

func main() {
	flag.Parse() // avo's flags
	ConstraintExpr("amd64,!noasm")
	for _, w := range []width{avx2, avx512} {
		panels(w)
		packRows(w)
		nonzeroRows(w)
		nonzeroColumns(w)
		elementwise(&avxPanel{width: w, full: 1})
		normals(w)
		philoxWords(w)
		doubleColumns(w)
		peak(&avxPanel{width: w, full: 12})
	}
	doubleRows()
	transpose()
	maxIndex()
	Generate()
	err := errors.Join(
		generateNEON("arm64,!noasm", "../kernel_arm64.s", "../kernel_arm64.go"),
		writeCalls("../calls_amd64.go", "amd64", "amd64 && !noasm", "AVX512", "AVX2"),
		writeCalls("../calls_arm64.go", "arm64", "arm64 && !noasm", "NEON"),
		writeCalls("../calls_plain.go", "", "(!amd64 && !arm64) || noasm"),
	)
	if err != nil {
		log.Fatal(err)
	}
}

// panels emits the functions that have one version for each kind of panel.
func panels(w width) {
	if w == avx512 {
		for full := range 7 {
			for _, narrow := range []bool{false, true} {
				p := &avxPanel{width: w, full: full, masked: true, narrow: narrow} // the mask may include all lanes
				product(p, heights(full+1)...)
				skip(p)
				lists(p)
			}
		}
		return
	}
	// Sixteen registers: 4×3 accumulators, three vectors of B and one of A.
	product(&avxPanel{width: w, full: 3}, 4, 2, 1)
	product(&avxPanel{width: w, full: 2}, 6, 2, 1)
	last := &avxPanel{width: w, masked: true}
	product(last, 8, 4, 2, 1)
	for full := range 13 {
		skip(&avxPanel{width: w, full: full, masked: true})
	}
	// A panel of four columns has no mask, because AddRows stores often, and masked
	// stores of AVX2 are slow on some processors.
	for _, p := range []*avxPanel{{width: w, full: 12}, {width: w, full: 4}, {width: w, full: 1}, {width: avx2q, full: 1}, last} {
		lists(p)
	}
}
