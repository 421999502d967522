//go:build (!amd64 && !arm64) || noasm

package kernel

// Without assembly, plain Go is the only kernel. bulk, philoxWords and nonzeroBlocks do nothing:
// their callers compute the rest.

func multiply(c []float32, ldc int, a []float32, ars, acs int, b []float32, ldb int, m, n, k int, e Ends) {
	multiplyPlain(c, ldc, a, ars, acs, b, ldb, m, n, k, e)
}

func sumRows(c []float32, ldc int, bias, w []float32, n int, off, idx []int32) {
	sumRowsPlain(c, ldc, bias, w, n, off, idx)
}

func addRows(g []float32, n int, d []float32, ldd int, off, idx []int32) {
	addRowsPlain(g, n, d, ldd, off, idx)
}

func columnSums(dst, d []float32, ldd, m, n int) { columnSumsPlain(dst, d, ldd, m, n) }

func bulk(int, func(first, vectors int)) int { return 0 }

// As bulk does nothing, these are never called.

func reluAsm(*float32, int)                    {}
func reluGradAsm(*float32, *float32, int)      {}
func axpyAsm(*float32, float32, *float32, int) {}

func transpose(dst []float32, ldd int, src []float32, lds, m, n int) {
	transposePlain(dst, ldd, src, lds, m, n)
}

func langevin(x, g, v, w []float32, p *Langevin) { LangevinPlain(x, g, v, w, p) }

func normalChunks(dst []float32, key, nonce, firstBlock uint64) {
	normalChunksPlain(dst, key, nonce, firstBlock)
}

func philoxWords([]uint64, uint64, uint64, uint64) int { return 0 }

func nonzeroBlocks(dst []int32, _ []float32) ([]int32, int) { return dst, 0 }

func maxIndex(idx []int32) uint32 { return maxIndexPlain(idx) }

func peak(int) int { return 0 }

func supported(string) bool { return false }
