// Command _generate writes the assembly of package kernel. Run it by
//
//	go generate ./internal/kernel
//
// Each file here holds one family of functions, in AVX2 with FMA and in
// AVX-512, from one description: a function of the width. What the functions
// must equal is said by the plain Go of package kernel.
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
		peak(w)
	}
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
