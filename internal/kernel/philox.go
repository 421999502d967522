package kernel

import "math/bits"

// Philox returns block ctr of the counter-based generator Philox4x32-10 with the
// given key (Salmon, Moraes, Dror and Shaw: Parallel random numbers: as easy as
// 1, 2, 3, SC 2011). A block does not depend on other blocks: streams can start anywhere.
//
// The 128-bit counter has ctr in its low half and nonce in its high half. In the
// paper's arrays of words the low 32 bits of each argument come first.
func Philox(key, nonce, ctr uint64) [4]uint32 {
	const (
		m0, m1 = 0xD2511F53, 0xCD9E8D57 // multipliers
		w0, w1 = 0x9E3779B9, 0xBB67AE85 // key increments
	)
	c0, c1 := uint32(ctr), uint32(ctr>>32)
	c2, c3 := uint32(nonce), uint32(nonce>>32)
	k0, k1 := uint32(key), uint32(key>>32)
	for range 10 {
		hi0, lo0 := bits.Mul32(m0, c0)
		hi1, lo1 := bits.Mul32(m1, c2)
		c0, c1, c2, c3 = hi1^c1^k0, lo1, hi0^c3^k1, lo0
		k0, k1 = k0+w0, k1+w1
	}
	return [4]uint32{c0, c1, c2, c3}
}

// PhiloxWords fills dst with the blocks from firstBlock on, each as two words of 64 bits,
//
//	for i := range dst {
//		b := Philox(key, nonce, firstBlock+uint64(i/2))
//		j := i % 2 * 2
//		dst[i] = uint64(b[j]) | uint64(b[j+1])<<32
//	}
func PhiloxWords(dst []uint64, key, nonce, firstBlock uint64) {
	whole := 0 // number of words that the assembly has set
	if active != plain {
		keys := philoxKeys(key)
		var words [4 * 16 * 8]uint32
		per := machines[active].wide // blocks per group
		for len(dst)-whole >= 2*per {
			groups := min((len(dst)-whole)/(2*per), len(words)/(4*per))
			philoxWordsAsm(&words[0], groups, &keys, nonce, firstBlock+uint64(whole/2))
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
	}
	for i := whole; i < len(dst); i += 2 {
		b := Philox(key, nonce, firstBlock+uint64(i/2))
		dst[i] = uint64(b[0]) | uint64(b[1])<<32
		if i+1 < len(dst) {
			dst[i+1] = uint64(b[2]) | uint64(b[3])<<32
		}
	}
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
