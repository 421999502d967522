// Command _generate writes the assembly of package kernel. Run it by
//
//	go generate ./internal/kernel
//
// Each file here holds one family of functions, in AVX2 with FMA and in
// AVX-512, from one description: a function of the width. What the functions
// must equal is said by the plain Go of package kernel.
package main

import . "github.com/mmcloughlin/avo/build"

func main() {
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
}
