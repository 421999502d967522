//go:build (amd64 || arm64) && !noasm

package kernel

import "math/bits"

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
