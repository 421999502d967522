// Command _generate writes the assembly of package kernel. To run it:
//
//	go generate ./internal/kernel
//
// Each file describes one family of functions. For amd64 a description is a
// function of the vector width, from which AVX2 with FMA and AVX-512 are written.
// For arm64 it is in the file whose name begins with neon. Both use the
// names, signatures and comments of functions.go, the same offsets of fields and
// the same constants. The plain Go of package kernel specifies the results.
package main

import (
	"flag"
	"log"

	. "github.com/mmcloughlin/avo/build"
)

func main() {
	calls := flag.String("calls", "", "file of the Go functions that call the assembly, for amd64")
	neonFiles := flag.String("neon", "", "files of the kernel for arm64, without .s and .go")
	neonCalls := flag.String("neoncalls", "", "file of the Go functions that call it")
	flag.Parse()
	ConstraintExpr("amd64,!noasm")
	for _, w := range []width{avx2, avx512} {
		products(w)
		skips(w)
		lists(w)
		elementwise(w)
		langevin(w)
		normals(w)
		philoxWords(w)
		doubleColumns(w)
		peak(w)
	}
	doubleRows()
	transpose()
	maxIndex()
	Generate()
	if err := x86.writeCalls(*calls, "amd64 && !noasm", "AVX512", "AVX2"); err != nil {
		log.Fatal(err)
	}
	if err := generateNEON(*neonFiles+".s", *neonFiles+".go", *neonCalls); err != nil {
		log.Fatal(err)
	}
}
