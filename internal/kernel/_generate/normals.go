package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The coefficients are those of package kernel, where a test compares the results.
var (
	logCoef = []float32{1, -0.6666690707206726, 0.500001072883606, -0.39981213212013245, 0.33295536041259766,
		-0.2896411120891571, 0.2632444202899933, -0.208966925740242, 0.08981980383396149}
	sinCoef = []float32{1.5707963705062866, -0.6459634900093079, 0.07968003302812576, -0.00460165785625577}
	cosCoef = []float32{-1.2337005138397217, 0.25366923213005066, -0.02086016535758972, 0.0009037664858624339}
)

const (
	minus2Ln2     = -1.3862943649291992
	threeQuarters = 0x3f400000
	signBit       = 0x80000000
)

// horner emits v = v·x + c.
func (w width) horner(v, x reg.Register, c Mem) {
	if w == avx512 {
		VFMADD213PS_BCST(c, x, v)
	} else {
		VFMADD213PS(c, x, v)
	}
}

// polynomial emits a polynomial at x. coef are its coefficients, the lowest degree first.
func (w width) polynomial(coef []float32, x reg.Register) reg.VecVirtual {
	n := len(coef) - 1
	v := w.broadcast(float(coef[n]))
	for i := n - 1; i >= 0; i-- {
		w.horner(v, x, float(coef[i]))
	}
	return v
}

// normals emits the generator of normals.
func normals(w width) {
	w.open(normalsFunction, "")
	dst, n, keys := argument("dst"), argument("chunks"), argument("keys")
	nonce, block := argument("nonce"), argument("firstBlock")

	per := w.lanes() // blocks computed at once
	w.loop("loop", n, func() {
		for first := 0; first < 16; first += per {
			words := philox(w, keys, nonce, block)
			for pair := range 2 {
				r := radius(w, words[2*pair])
				c, s := circle(w, words[2*pair+1])
				VMULPS(r, c, c)
				VMULPS(r, s, s)
				VMOVUPS(c, Mem{Base: dst, Disp: 4 * (32*pair + first)})
				VMOVUPS(s, Mem{Base: dst, Disp: 4 * (32*pair + 16 + first)})
			}
			ADDQ(Imm(uint64(per)), block)
		}
		ADDQ(U32(256), dst)
	})
	w.leave()
}

// philoxWords emits the generator of words, without Box–Muller.
func philoxWords(w width) {
	w.open(philoxWordsFunction, "")
	dst, n, keys := argument("dst"), argument("groups"), argument("keys")
	nonce, block := argument("nonce"), argument("firstBlock")
	w.loop("loop", n, func() {
		for i, words := range philox(w, keys, nonce, block) {
			VMOVUPS(words, Mem{Base: dst, Disp: i * int(w)})
		}
		ADDQ(Imm(uint64(w.lanes())), block)
		ADDQ(U32(4*uint32(w)), dst)
	})
	w.leave()
}

// philox emits the generation of one block per 32-bit lane, and returns the blocks' four
// words. The register block has the first block's number. During the rounds each 64-bit
// lane has a word of one block in its low half, the only half that the multiplication
// reads. At the end the vectors of even and odd blocks are merged.
func philox(w width, keys, nonce, block reg.Register) [4]reg.VecVirtual {
	m0, m1 := w.result(VPBROADCASTD, word(0xD2511F53)), w.result(VPBROADCASTD, word(0xCD9E8D57))
	var c [2][4]reg.VecVirtual // even and odd blocks
	x := XMM()
	for odd := range c {
		for i := range 4 {
			c[odd][i] = w.vec()
		}
		VMOVQ(block, x)
		base := w.result(VPBROADCASTQ, x)
		if w == avx512 {
			steps := ZMM()
			VMOVDQU(counters(uint32(odd)), steps.AsY())
			VINSERTI64X4(Imm(1), counters(uint32(odd)+8), steps, steps)
			VPADDQ(steps, base, c[odd][0])
		} else {
			VPADDQ(counters(uint32(odd)), base, c[odd][0])
		}
		VPSRLQ(Imm(32), c[odd][0], c[odd][1])
		VMOVQ(nonce, x)
		VPBROADCASTQ(x, c[odd][2])
		VPSRLQ(Imm(32), c[odd][2], c[odd][3])
	}
	for round := range 10 {
		k0 := Mem{Base: keys, Disp: 8 * round}
		k1 := Mem{Base: keys, Disp: 8*round + 4}
		for odd := range c {
			v := &c[odd]
			p0, p1 := w.result(VPMULUDQ, v[0], m0), w.result(VPMULUDQ, v[2], m1)
			hi0, hi1 := w.result(VPSRLQ, Imm(32), p0), w.result(VPSRLQ, Imm(32), p1)
			if w == avx512 {
				const xor3 = 0x96
				VPTERNLOGD_BCST(Imm(xor3), k0, v[1], hi1)
				VPTERNLOGD_BCST(Imm(xor3), k1, v[3], hi0)
			} else {
				k := YMM()
				VPBROADCASTD(k0, k)
				VPXOR(v[1], hi1, hi1)
				VPXOR(k, hi1, hi1)
				VPBROADCASTD(k1, k)
				VPXOR(v[3], hi0, hi0)
				VPXOR(k, hi0, hi0)
			}
			*v = [4]reg.VecVirtual{hi1, p1, hi0, p0}
		}
	}
	var words [4]reg.VecVirtual
	var k reg.Register
	if w == avx512 {
		bits := GP32()
		MOVL(U32(0xaaaa), bits)
		k = K()
		KMOVW(bits, k)
	}
	for i := range words {
		even, odd := c[0][i], c[1][i]
		words[i] = odd
		VPSLLQ(Imm(32), odd, odd)
		if w == avx512 {
			VPBLENDMD(odd, even, k, odd)
		} else {
			VPBLENDD(Imm(0xaa), odd, even, odd)
		}
	}
	return words
}

// radius emits kernel.radius.
func radius(w width, word0 reg.VecVirtual) reg.VecVirtual {
	sign, t := w.result(VPSRAD, Imm(31), word0), w.vec()
	w.op(VPXOR, VPXORD)(word0, sign, t)
	VCVTDQ2PS(t, t)
	w.horner(t, w.broadcast(float(0x1p-32)), float(0x1p-33))

	one := w.broadcast(float(1))
	y := w.vec()
	if w == avx512 {
		k := K()
		VPMOVD2M(word0, k)
		VMOVAPS(t, y)
		VSUBPS(t, one, k, y)
	} else {
		VSUBPS(t, one, y)
		VBLENDVPS(word0, y, t, y)
	}

	e := w.result(VPSUBD, w.broadcast(word(threeQuarters)), y)
	VPSRAD(Imm(23), e, e)
	f := w.result(VPSLLD, Imm(23), e)
	VPSUBD(f, y, f)
	VSUBPS(one, f, f)
	if w == avx512 {
		k := K()
		VPTESTNMD(e, e, k)
		VPXORD_BCST(word(signBit), t, k, f)
	} else {
		isZero := w.zero()
		VPCMPEQD(e, isZero, isZero)
		VXORPS(word(signBit), t, t)
		VBLENDVPS(isZero, t, f, f)
	}

	p := w.polynomial(logCoef, f)
	f2, q := w.result(VMULPS, f, f), w.result(VMULPS, w.broadcast(float(-2)), f)
	VFMADD231PS(f2, p, q)
	VCVTDQ2PS(e, e)
	VFMADD231PS(w.broadcast(float(minus2Ln2)), e, q)
	VSQRTPS(q, q)
	return q
}

// circle emits kernel.circle.
func circle(w width, word1 reg.VecVirtual) (cos, sin reg.VecVirtual) {
	z := w.result(VPSLLD, Imm(2), word1)
	w.op(VPOR, VPORD_BCST)(word(2), z, z)
	VCVTDQ2PS(z, z)
	VMULPS(w.broadcast(float(0x1p-32)), z, z)
	y := w.result(VMULPS, z, z)
	s := w.polynomial(sinCoef, y)
	VMULPS(z, s, s)
	c := w.polynomial(cosCoef, y)
	w.horner(c, y, float(1))
	if w == avx512 {
		const xorAnd = 0x78 // c ^ (word & sign)
		VPTERNLOGD_BCST(Imm(xorAnd), word(signBit), word1, c)
		swap, k := w.result(VPSLLD, Imm(1), word1), K()
		VPMOVD2M(swap, k)
		return w.result(VBLENDMPS, s, c, k), w.result(VBLENDMPS, c, s, k)
	}
	sign := w.vec()
	VPAND(word(signBit), word1, sign)
	VPXOR(sign, c, c)
	VPSLLD(Imm(1), word1, word1)
	cos, sin = w.vec(), w.vec()
	VBLENDVPS(word1, s, c, cos)
	VBLENDVPS(word1, c, s, sin)
	return cos, sin
}
