package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// table is a read-only table of 32-byte constants, usually of eight equal lanes.
// AVX-512 broadcasts the first lane.
type table struct {
	sym   Mem
	where map[[8]uint32]int
	size  int
}

var constants table

func (t *table) entry(lanes [8]uint32) Mem {
	if t.where == nil {
		t.sym = GLOBL("constants", RODATA|NOPTR)
		t.where = map[[8]uint32]int{}
	}
	off, ok := t.where[lanes]
	if !ok {
		off = t.size
		for i, l := range lanes {
			DATA(off+4*i, U32(l))
		}
		t.where[lanes] = off
		t.size += 32
	}
	return t.sym.Offset(off)
}

func word(u uint32) Mem {
	var lanes [8]uint32
	for i := range lanes {
		lanes[i] = u
	}
	return constants.entry(lanes)
}

func float(f float32) Mem { return word(math.Float32bits(f)) }

// counters returns a constant of four 64-bit lanes.
func counters(a, b, c, d uint32) Mem {
	return constants.entry([8]uint32{a, 0, b, 0, c, 0, d, 0})
}
