//go:build amd64 && !noasm

package kernel

// runPeak runs the loop of multiply-adds and returns the lanes of its vectors.
func runPeak(rounds int) int {
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
