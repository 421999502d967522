package arm64

// Arg loads a parameter: a pointer or an integer.
func (f *Func) Arg(name string) R {
	r := f.R()
	f.Line("MOVD %s+%d(FP), %s", name, f.offset[name], r)
	return r
}

// ArgHalf loads a uint16.
func (f *Func) ArgHalf(name string) R {
	r := f.R()
	f.Line("MOVHU %s+%d(FP), %s", name, f.offset[name], r)
	return r
}

// ArgFloat loads a float32 into lane 0.
func (f *Func) ArgFloat(d V, name string) {
	f.Line("FMOVS %s+%d(FP), F%d", name, f.offset[name], d)
}

// Return stores the uint32 result.
func (f *Func) Return(r R) {
	f.Line("MOVW %s, %s+%d(FP)", r, result, f.offset[result])
	f.Ret()
}

// Address returns the address of constants.
func (f *Func) Address(offset int) R {
	r := f.R()
	f.Line("MOVD $constants<>+%d(SB), %s", offset, r)
	return r
}

// General registers.

func (f *Func) Mov(d, n R)            { f.Line("MOVD %s, %s", n, d) }
func (f *Func) MovImm(d R, i int)     { f.Line("MOVD $%d, %s", i, d) }
func (f *Func) Load(d, base R, o int) { f.Line("MOVD %d(%s), %s", o, base, d) }

// LoadWord loads 32 bits as an unsigned number.
func (f *Func) LoadWord(d, base R, o int) { f.Line("MOVWU %d(%s), %s", o, base, d) }

// LoadIntNext loads a signed number of 32 bits and advances base.
func (f *Func) LoadIntNext(d, base R) { f.Line("MOVW.P 4(%s), %s", base, d) }

// LoadNext loads 64 bits and advances base.
func (f *Func) LoadNext(d, base R) { f.Line("MOVD.P 8(%s), %s", base, d) }

// StoreNext stores 64 bits and advances base.
func (f *Func) StoreNext(d, base R) { f.Line("MOVD.P %s, 8(%s)", d, base) }

func (f *Func) Add(d, n, m R)             { f.Line("ADD %s, %s, %s", m, n, d) }
func (f *Func) AddImm(d, n R, i int)      { f.Line("ADD $%d, %s, %s", i, n, d) }
func (f *Func) AddShift(d, n, m R, s int) { f.Line("ADD %s<<%d, %s, %s", m, s, n, d) }
func (f *Func) Sub(d, n, m R)             { f.Line("SUB %s, %s, %s", m, n, d) }
func (f *Func) LslImm(d, n R, i int)      { f.Line("LSL $%d, %s, %s", i, n, d) }
func (f *Func) Mul(d, n, m R)             { f.Line("MUL %s, %s, %s", m, n, d) }
func (f *Func) Lsl(d, n, m R)             { f.Line("LSL %s, %s, %s", m, n, d) }
func (f *Func) Lsr(d, n, m R)             { f.Line("LSR %s, %s, %s", m, n, d) }
func (f *Func) Orr(d, n, m R)             { f.Line("ORR %s, %s, %s", m, n, d) }
func (f *Func) Clz(d, n R)                { f.Line("CLZ %s, %s", n, d) }
func (f *Func) Rbit(d, n R)               { f.Line("RBIT %s, %s", n, d) }

// Madd computes d = n·m + a.
func (f *Func) Madd(d, n, m, a R) { f.Line("MADD %s, %s, %s, %s", m, a, n, d) }

// Bics computes n &^ m and sets the flags.
func (f *Func) Bics(d, n, m R) { f.Line("BICS %s, %s, %s", m, n, d) }

// Subs subtracts a number and sets the flags.
func (f *Func) Subs(d, n R, i int) { f.Line("SUBS $%d, %s, %s", i, n, d) }

// Adds adds a number and sets the flags.
func (f *Func) Adds(d, n R, i int) { f.Line("ADDS $%d, %s, %s", i, n, d) }

func (f *Func) Cmp(n, m R)        { f.Line("CMP %s, %s", m, n) }
func (f *Func) CmpImm(n R, i int) { f.Line("CMP $%d, %s", i, n) }

// Branch jumps on a condition (EQ, NE, LT, GE, LO, HS) or always ("").
func (f *Func) Branch(condition, label string) { f.Line("B%s %s", condition, label) }

// IfZero and IfNot jump if a register is zero, or is not.
func (f *Func) IfZero(n R, label string) { f.Line("CBZ %s, %s", n, label) }
func (f *Func) IfNot(n R, label string)  { f.Line("CBNZ %s, %s", n, label) }

// Vectors in memory.

// Loads loads a block, Stores stores one.
func (f *Func) Loads(d Block, base R)  { f.Line("VLD1 (%s), %s", base, d) }
func (f *Func) Stores(d Block, base R) { f.Line("VST1 %s, (%s)", d, base) }

// LoadsNext loads a block and advances base by its size, StoresNext stores one.
func (f *Func) LoadsNext(d Block, base R)  { f.Line("VLD1.P %d(%s), %s", 16*len(d), base, d) }
func (f *Func) StoresNext(d Block, base R) { f.Line("VST1.P %s, %d(%s)", d, 16*len(d), base) }

// LoadsStep loads a block and advances base by step.
func (f *Func) LoadsStep(d Block, base, step R) { f.Line("VLD1.P (%s)(%s), %s", base, step, d) }

// StoresStep stores a block and advances base by step.
func (f *Func) StoresStep(d Block, base, step R) { f.Line("VST1.P %s, (%s)(%s)", d, base, step) }

// LoadOffset loads the vector at base + o, StoreOffset stores one.
func (f *Func) LoadOffset(d V, base R, o int)  { f.Line("FMOVQ %d(%s), F%d", o, base, d) }
func (f *Func) StoreOffset(d V, base R, o int) { f.Line("FMOVQ F%d, %d(%s)", d, o, base) }

// LoadLane loads lane i and keeps the others, StoreLane stores it.
func (f *Func) LoadLane(d V, i int, base R)  { f.Line("VLD1 (%s), V%d.S[%d]", base, d, i) }
func (f *Func) StoreLane(d V, i int, base R) { f.Line("VST1 V%d.S[%d], (%s)", d, i, base) }

// LoadScalar loads the number at base + offset into lane 0; the others become 0.
func (f *Func) LoadScalar(d V, base, offset R) { f.Line("FMOVS (%s)(%s), F%d", base, offset, d) }

// LoadHalf loads the low two lanes; the others become 0. StoreHalf stores them.
func (f *Func) LoadHalf(d V, base R)  { f.Line("FMOVD (%s), F%d", base, d) }
func (f *Func) StoreHalf(d V, base R) { f.Line("FMOVD F%d, (%s)", d, base) }

// Broadcast loads the number at base into each lane.
func (f *Func) Broadcast(d V, base R) { f.Line("VLD1R (%s), [%s]", base, d) }

// BroadcastPairNext loads two numbers, the first into each lane of d[0], the second
// into each lane of d[1], and advances base.
func (f *Func) BroadcastPairNext(d Block, base R) { f.Line("VLD2R.P 8(%s), %s", base, d) }

// Vectors in registers.

func (f *Func) VMov(d, n V)    { f.Line("VMOV %s, %s", n.As("B16"), d.As("B16")) }
func (f *Func) And(d, n, m V)  { f.bits("VAND", d, n, m) }
func (f *Func) VOrr(d, n, m V) { f.bits("VORR", d, n, m) }
func (f *Func) Eor(d, n, m V)  { f.bits("VEOR", d, n, m) }

// Bit copies the bits of n for which m has ones to d, Bif those for which it has zeros.
func (f *Func) Bit(d, n, m V) { f.bits("VBIT", d, n, m) }
func (f *Func) Bif(d, n, m V) { f.bits("VBIF", d, n, m) }

func (f *Func) bits(op string, d, n, m V) {
	f.Line("%s %s, %s, %s", op, m.As("B16"), n.As("B16"), d.As("B16"))
}

// Zero sets all lanes to zero.
func (f *Func) Zero(d V) { f.Eor(d, d, d) }

// Dup copies a general register to the two lanes of 64 bits.
func (f *Func) Dup(d V, n R) { f.Line("VDUP %s, %s", n, d.As("D2")) }

// DupLane copies lane i of n to each lane.
func (f *Func) DupLane(d, n V, i int) { f.Line("VDUP V%d.S[%d], %s", n, i, d) }

// Half copies the low 16 bits to a general register, Word the low 32.
func (f *Func) Half(d R, n V) { f.Line("VMOV V%d.H[0], %s", n, d) }
func (f *Func) Word(d R, n V) { f.Line("VMOV V%d.S[0], %s", n, d) }

// Fmla computes d += n·m with one rounding, Fmls d −= n·m.
func (f *Func) Fmla(d, n, m V) { f.lanes("VFMLA", "S4", d, n, m) }
func (f *Func) Fmls(d, n, m V) { f.lanes("VFMLS", "S4", d, n, m) }

// Integers.

func (f *Func) VAdd(d, n, m V)    { f.lanes("VADD", "S4", d, n, m) }
func (f *Func) VAdd64(d, n, m V)  { f.lanes("VADD", "D2", d, n, m) }
func (f *Func) VSub(d, n, m V)    { f.lanes("VSUB", "S4", d, n, m) }
func (f *Func) Umax(d, n, m V)    { f.lanes("VUMAX", "S4", d, n, m) }
func (f *Func) Shl(d, n V, i int) { f.Line("VSHL $%d, %s, %s", i, n, d) }

// Cmtst sets all bits of a lane if n and m have a common bit there.
func (f *Func) Cmtst(d, n, m V) { f.lanes("VCMTST", "S4", d, n, m) }

// AddPairs adds pairs of adjacent bytes of n and m.
func (f *Func) AddPairs(d, n, m V) { f.lanes("VADDP", "B16", d, n, m) }

// Even selects the even lanes of n and of m, Odd the odd ones.
func (f *Func) Even(d, n, m V)   { f.lanes("VUZP1", "S4", d, n, m) }
func (f *Func) Odd(d, n, m V)    { f.lanes("VUZP2", "S4", d, n, m) }
func (f *Func) Even16(d, n, m V) { f.lanes("VUZP1", "H8", d, n, m) }
func (f *Func) Even8(d, n, m V)  { f.lanes("VUZP1", "B16", d, n, m) }

// ZipLow interleaves the low two lanes of n and m, ZipHigh the high two.
func (f *Func) ZipLow(d, n, m V)  { f.lanes("VZIP1", "S4", d, n, m) }
func (f *Func) ZipHigh(d, n, m V) { f.lanes("VZIP2", "S4", d, n, m) }

// Trn1 interleaves lanes 0 and 2 of n and m, Trn2 lanes 1 and 3. Trn1Pairs and
// Trn2Pairs do so with lanes of 64 bits.
func (f *Func) Trn1(d, n, m V)      { f.lanes("VTRN1", "S4", d, n, m) }
func (f *Func) Trn2(d, n, m V)      { f.lanes("VTRN2", "S4", d, n, m) }
func (f *Func) Trn1Pairs(d, n, m V) { f.lanes("VTRN1", "D2", d, n, m) }
func (f *Func) Trn2Pairs(d, n, m V) { f.lanes("VTRN2", "D2", d, n, m) }

func (f *Func) lanes(op, arrangement string, d, n, m V) {
	f.Line("%s %s, %s, %s", op, m.As(arrangement), n.As(arrangement), d.As(arrangement))
}

// Select sets d to n if the condition holds, else to m.
func (f *Func) Select(condition string, d, n, m R) { f.Line("CSEL %s, %s, %s, %s", condition, n, m, d) }
