package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/reg"
)

// peakChains is the number of independent chains. It must be at least the latency
// of a multiply-add times the number of units.
const peakChains = 12

// peak emits the loop with which benchmarks measure the limit of the processor:
// multiply-adds on registers.
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
