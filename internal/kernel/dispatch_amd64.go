//go:build amd64 && !noasm

package kernel

import (
	"math"

	"golang.org/x/sys/cpu"
)

// supported reports whether this processor, and its operating system, run the
// named kernel.
func supported(name string) bool {
	x := &cpu.X86
	switch name {
	case "avx2":
		return x.HasAVX2 && x.HasFMA && x.HasBMI1 && x.HasBMI2
	case "avx512":
		return x.HasAVX2 && x.HasFMA && x.HasBMI1 && x.HasBMI2 && x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL
	}
	return false
}

// bulk cuts n elements into calls of whole vectors for assembly, and returns
// the first element of what is left for plain Go.
func bulk(n, lanes int, call func(first, vectors int)) int {
	whole := n - n%lanes
	const most = 1 << 13 // vectors a call
	for i := 0; i < whole; i += most * lanes {
		call(i, min(most, (whole-i)/lanes))
	}
	return whole
}

// lanes is the number of float32s in a vector of the kernel in use.
func lanes() int {
	switch active {
	case avx512:
		return 16
	case avx2:
		return 8
	}
	return math.MaxInt // plain Go does everything
}

func relu(x []float32) {
	rest := bulk(len(x), lanes(), func(i, vectors int) {
		if active == avx512 {
			reluAVX512(&x[i], vectors)
		} else {
			reluAVX2(&x[i], vectors)
		}
	})
	reluPlain(x[rest:])
}

func reluGrad(d, h []float32) {
	rest := bulk(len(d), lanes(), func(i, vectors int) {
		if active == avx512 {
			reluGradAVX512(&d[i], &h[i], vectors)
		} else {
			reluGradAVX2(&d[i], &h[i], vectors)
		}
	})
	reluGradPlain(d[rest:], h[rest:])
}

func axpy(y []float32, a float32, x []float32) {
	rest := bulk(len(y), lanes(), func(i, vectors int) {
		if active == avx512 {
			axpyAVX512(&y[i], a, &x[i], vectors)
		} else {
			axpyAVX2(&y[i], a, &x[i], vectors)
		}
	})
	axpyPlain(y[rest:], a, x[rest:])
}

func transpose(dst []float32, ldd int, src []float32, lds, m, n int) {
	if active == plain {
		transposePlain(dst, ldd, src, lds, m, n)
		return
	}
	m4, n4 := m&^3, n&^3
	if n4 > 0 {
		for i := 0; i < m4; i += 4 {
			transpose4AVX2(&dst[i], 4*ldd, &src[i*lds], 4*lds, n4/4)
		}
	}
	if n4 < n {
		transposePlain(dst[n4*ldd:], ldd, src[n4:], lds, m4, n-n4)
	}
	if m4 < m {
		transposePlain(dst[m4:], ldd, src[m4*lds:], lds, m-m4, n)
	}
}

// langevinConst is a Langevin as the assembly wants it (_generate/langevin.go).
type langevinConst struct {
	step, mult, noise, alpha, rest, rho, inv, multV, one float32
}

func langevin(x, g, v, w []float32, p *Langevin[float32]) {
	c := langevinConst{
		step: p.Step, mult: p.Multiplier, noise: p.NoiseScale2,
		alpha: p.Alpha, rest: 1 - p.Alpha, rho: p.Rho, inv: p.InvScale,
		multV: 1, one: 1,
	}
	if p.MultipliedV {
		c.multV = p.Multiplier
	}
	if !p.Precondition {
		c.noise = sqrt(c.noise)
	}
	rest := bulk(len(x), lanes(), func(i, vectors int) {
		wide := active == avx512
		switch {
		case p.Precondition && w != nil && wide:
			langevinVWAVX512(&x[i], &g[i], &v[i], &w[i], &c.step, vectors)
		case p.Precondition && w != nil:
			langevinVWAVX2(&x[i], &g[i], &v[i], &w[i], &c.step, vectors)
		case p.Precondition && wide:
			langevinVAVX512(&x[i], &g[i], &v[i], &c.step, vectors)
		case p.Precondition:
			langevinVAVX2(&x[i], &g[i], &v[i], &c.step, vectors)
		case w != nil && wide:
			langevinWAVX512(&x[i], &g[i], &w[i], &c.step, vectors)
		case w != nil:
			langevinWAVX2(&x[i], &g[i], &w[i], &c.step, vectors)
		case wide:
			langevinAVX512(&x[i], &g[i], &c.step, vectors)
		default:
			langevinAVX2(&x[i], &g[i], &c.step, vectors)
		}
	})
	x, g = x[rest:], g[rest:]
	if p.Precondition {
		v = v[rest:]
	}
	if w != nil {
		w = w[rest:]
	}
	LangevinPlain(x, g, v, w, p)
}

// philoxKeys returns the two keys of each round.
func philoxKeys(key uint64) (keys [20]uint32) {
	k0, k1 := uint32(key), uint32(key>>32)
	for r := 0; r < len(keys); r += 2 {
		keys[r], keys[r+1] = k0, k1
		k0, k1 = k0+0x9E3779B9, k1+0xBB67AE85
	}
	return keys
}

func normalChunks(dst []float32, key, nonce, firstBlock uint64) {
	if active == plain {
		normalChunksPlain(dst, key, nonce, firstBlock)
		return
	}
	keys := philoxKeys(key)
	const most = 256 // chunks a call
	for len(dst) > 0 {
		n := min(most, len(dst)/NormalChunk)
		if active == avx512 {
			normalsAVX512(&dst[0], n, &keys, nonce, firstBlock)
		} else {
			normalsAVX2(&dst[0], n, &keys, nonce, firstBlock)
		}
		dst = dst[n*NormalChunk:]
		firstBlock += uint64(n * NormalBlocks)
	}
}

// philoxWords fills what it can of dst, an even number of words, and returns how
// many those are.
func philoxWords(dst []uint64, key, nonce, firstBlock uint64) (whole int) {
	if active == plain {
		return 0
	}
	keys := philoxKeys(key)
	var words [4 * 16 * 8]uint32
	per := lanes()
	for len(dst)-whole >= 2*per {
		groups := min((len(dst)-whole)/(2*per), len(words)/(4*per))
		first := firstBlock + uint64(whole/2)
		if active == avx512 {
			philoxWordsAVX512(&words[0], groups, &keys, nonce, first)
		} else {
			philoxWordsAVX2(&words[0], groups, &keys, nonce, first)
		}
		for g := range groups {
			w := words[4*per*g:][:4*per]
			to := dst[whole:][:2*per]
			for i := range per {
				to[2*i] = uint64(w[i]) | uint64(w[per+i])<<32
				to[2*i+1] = uint64(w[2*per+i]) | uint64(w[3*per+i])<<32
			}
			whole += 2 * per
		}
	}
	return whole
}

func maxIndex(idx []int32) uint32 {
	if active == plain || len(idx) < 8 {
		return maxIndexPlain(idx)
	}
	return max(maxIndexAVX2(&idx[0], len(idx)/8), maxIndexPlain(idx[len(idx)&^7:]))
}

// peak returns the lanes of the vectors that it ran on.
func peak(rounds int) int {
	switch active {
	case avx512:
		peakAVX512(rounds)
		return 16
	case avx2:
		peakAVX2(rounds)
		return 8
	}
	return 0
}
