//go:build (amd64 || arm64) && !noasm

package kernel

import "math/bits"

// bulk calls call for the whole vectors in n elements, in parts, with the index of the
// first element and the number of vectors of a part. It returns the number of elements
// in whole vectors, or 0 if plain Go does all the work.
func bulk(n int, call func(first, vectors int)) int {
	if active == plain {
		return 0
	}
	lanes := lanes()
	whole := n - n%lanes
	const most = 1 << 13 // vectors per call
	for i := 0; i < whole; i += most * lanes {
		call(i, min(most, (whole-i)/lanes))
	}
	return whole
}

func transpose(dst []float32, ldd int, src []float32, lds, m, n int) {
	if active == plain {
		transposePlain(dst, ldd, src, lds, m, n)
		return
	}
	m4, n4 := m&^3, n&^3
	if n4 > 0 {
		for i := 0; i < m4; i += 4 {
			transpose4Asm(&dst[i], 4*ldd, &src[i*lds], 4*lds, n4/4)
		}
	}
	if n4 < n {
		transposePlain(dst[n4*ldd:], ldd, src[n4:], lds, m4, n-n4)
	}
	if m4 < m {
		transposePlain(dst[m4:], ldd, src[m4*lds:], lds, m-m4, n)
	}
}

// langevinConst is Langevin in the layout that _generate/elementwise.go declares.
type langevinConst struct {
	step, mult, noise, alpha, rest, rho, inv, multV, one float32
}

func langevin(x, g, v, w []float32, p *Langevin) {
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
	rest := bulk(len(x), func(i, vectors int) {
		switch {
		case p.Precondition && w != nil:
			langevinVWAsm(&x[i], &g[i], &v[i], &w[i], &c.step, vectors)
		case p.Precondition:
			langevinVAsm(&x[i], &g[i], &v[i], &c.step, vectors)
		case w != nil:
			langevinWAsm(&x[i], &g[i], &w[i], &c.step, vectors)
		default:
			langevinAsm(&x[i], &g[i], &c.step, vectors)
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

// philoxKeys returns the keys of the ten rounds of Philox, two per round.
func philoxKeys(key uint64) (keys [20]uint32) {
	k0, k1 := uint32(key), uint32(key>>32)
	for r := 0; r < len(keys); r += 2 {
		keys[r], keys[r+1] = k0, k1
		k0, k1 = k0+0x9E3779B9, k1+0xBB67AE85
	}
	return keys
}

// normalChunks is Normals for whole chunks.
func normalChunks(dst []float32, key, nonce, firstBlock uint64) {
	if active == plain {
		normalChunksPlain(dst, key, nonce, firstBlock)
		return
	}
	keys := philoxKeys(key)
	const most = 256 // chunks per call
	for len(dst) > 0 {
		n := min(most, len(dst)/NormalChunk)
		normalsAsm(&dst[0], n, &keys, nonce, firstBlock)
		dst = dst[n*NormalChunk:]
		firstBlock += uint64(n * NormalBlocks)
	}
}

// philoxWords is PhiloxWords for the first words of dst, and returns their number: a
// multiple of the words that the assembly computes at once.
func philoxWords(dst []uint64, key, nonce, firstBlock uint64) (whole int) {
	if active == plain {
		return 0
	}
	keys := philoxKeys(key)
	var words [4 * 16 * 8]uint32
	per := wideLanes()
	for len(dst)-whole >= 2*per {
		groups := min((len(dst)-whole)/(2*per), len(words)/(4*per))
		first := firstBlock + uint64(whole/2)
		philoxWordsAsm(&words[0], groups, &keys, nonce, first)
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
	return max(maxIndexAsm(&idx[0], len(idx)/8), maxIndexPlain(idx[len(idx)&^7:]))
}

// peak runs rounds of peakAsm and returns the number of multiply-adds in one round.
func peak(rounds int) int {
	if active == plain {
		return 0
	}
	peakAsm(rounds)
	return peakChains * lanes()
}

// nonzeroBlocks is Nonzeros for the first elements of x. It returns their number done; the rest is shorter than a vector.
func nonzeroBlocks(dst []int32, x []float32) (indices []int32, done int) {
	if active == plain {
		return dst, 0
	}
	for lanes := wideLanes(); len(x)-done >= lanes; {
		n := min(64, len(x)-done)
		var set uint64
		nonzeroRowsAsm(&set, &x[done], 0, 1, n)
		for ; set != 0; set &= set - 1 {
			dst = append(dst, int32(done+bits.TrailingZeros64(set)))
		}
		done += n
	}
	return dst, done
}
