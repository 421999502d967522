package main

import . "github.com/mmcloughlin/avo/operand"

// A vectors value is the registers of one row of a panel.
type vectors any

// A from is a row of a panel in memory.
type from struct {
	base  Op
	whole bool // all its vectors can be loaded without a mask
	kept  bool // the emitted code must not change the register base
}

// A panel is a range of columns, whose rows are in vector registers. It emits instructions of one instruction set.
// Operands are in the order of the architecture manuals, the destination first.
type panel interface {
	// Operations on general registers. Constant operands are ints.

	open(f function, panel string) // begins the version of f for a panel
	argument(name string) Op       // a register with an argument of 64 bits
	// begin begins the version for this panel of the function called name, with the comment doc. Its only argument is t,
	// and fields has the offsets of the fields of *t.
	begin(name, doc string, fields map[string]int)
	leave()
	Comment(lines ...string)

	field(name string) Op // a register with a field of 64 bits
	keep(names ...string) // loads fields before the loop that uses them, if there are enough registers
	reg() Op              // a register, until the end of the current scope
	scope(body func())    // emits body, in a scope of its own

	// loop emits a loop in which body runs n ≥ 1 times, in a scope. body may read n.
	loop(label string, n Op, body func())
	// eachBit returns a function that emits a loop over the set bits of the word at bits, and advances bits. If the word
	// is 0, the code jumps to label end. Otherwise it runs the code of before once, and that of body for each bit, whose
	// number is in register number. body may change this register, but must not use ifLess, which changes the flags.
	eachBit() func(bits Op, end string, before func(), body func(number Op))

	move(d, s Op)       // d = s
	add(d Op, s any)    // d += s
	mul(d, n Op)        // d *= n
	madd(d, n, m, a Op) // d = n·m + a
	nextInt(d, base Op) // loads a signed number of 32 bits and advances base
	element(d, base Op) // d = base + 4·d
	Label(name string)  // its scope is the function
	top(name string)    // like Label, for the start of a short loop: it may align the code
	jump(label string)
	ifZero(n Op, label string)        // jumps if n is 0
	ifLess(n Op, m any, label string) // jumps if n < m, as signed numbers

	// Operations on vectors.

	row() vectors            // new registers, until the end of the current scope
	load(v vectors, base Op) // loads the row at base
	store(v vectors, base Op)
	addTo(base Op, v vectors) // the row at base += v

	// op emits an operation for each vector: copy, add, mul, div, sqrt, fma (d += a·b), fms (d −= a·b). The destination is
	// the first operand. Each of the others is a value of type vectors, a row in memory (type from, at most one), or a
	// single number that is used for every element: a constant or, in mul, fma and fms, a factor.
	op(name string, operands ...any)
	constant(f float32) any       // a constant: f
	scalar(a, i Op) any           // a factor: the number at address a + i
	factor(name string) any       // a factor: an argument that is a float32
	relu() func(v vectors, x any) // a function that emits v = max(0, x), which keeps NaN and −0
	// constants returns two functions of a field's name. They load this field of the struct of float32s at the address c.
	// The function factor returns it as a factor, and the function vector as a constant.
	constants(c Op, fields map[string]int) (factor, vector func(name string) any)

	floor(rows []vectors, label string) // raises elements below the field floor, 0 or −Inf, to floor
	gradient() func(v vectors, h Op)    // a function that emits v = 0 where the row at h is ≤ 0
	chain(t *tile, label string)        // emits the loop over the columns of A, which computes t

	// each emits a loop over arrays of n vectors. body emits the code for one row's vectors; the loop then advances the
	// addresses in arrays to the next row. It is for functions without argument t, whose panels have only whole vectors.
	each(n Op, arrays []Op, body func())
}
