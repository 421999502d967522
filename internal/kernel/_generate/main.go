// Command _generate writes the assembly of package kernel. To run it:
//
//	go generate ./internal/kernel
//
// Each file describes one family of functions. For amd64 a description is a function
// of the vector width; it is called for AVX2 with FMA and for AVX-512. Descriptions for
// arm64 are in files whose names begin with neon. Names, signatures and comments of
// the functions are in functions.go. The plain Go of package kernel specifies the results.
package main

import (
	"errors"
	"flag"
	"log"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	calls := flag.String("calls", "", "file of the Go functions that call the assembly, for amd64")
	neonFiles := flag.String("neon", "", "files of the kernel for arm64, without .s and .go")
	neonCalls := flag.String("neoncalls", "", "file of the Go functions that call the kernel for arm64")
	flag.Parse()
	ConstraintExpr("amd64,!noasm")
	for _, w := range []width{avx2, avx512} {
		products(w)
		skips(w)
		lists(w)
		elementwise(w)
		langevins(func(precondition, noise bool) { langevin(w, precondition, noise) })
		normals(w)
		philoxWords(w)
		doubleColumns(w)
		peak(w)
	}
	doubleRows()
	transpose()
	maxIndex()
	Generate()
	err := x86.writeCalls(*calls, "amd64 && !noasm", "AVX512", "AVX2")
	if err := errors.Join(err, generateNEON(*neonFiles+".s", *neonFiles+".go", *neonCalls)); err != nil {
		log.Fatal(err)
	}
}

// peakChains is the number of independent chains of multiply-adds. It must be at least the
// latency of a multiply-add in cycles times the number of units.
const peakChains = 12

// peak emits multiply-adds on registers, with which benchmarks measure the limit of the
// processor.
func peak(w width) {
	w.open(peakFunction, "")
	n := argument("rounds")
	a := w.broadcast(float(0.5))
	var acc []reg.VecVirtual
	for range peakChains {
		acc = append(acc, w.broadcast(float(1)))
	}
	loop("loop", n, func() {
		for _, v := range acc {
			VFMADD213PS(a, a, v) // v = v/2 + 1/2 stays 1
		}
	})
	leave()
}
