package kernel

// Peak runs rounds of independent multiply-adds on vector registers and returns the
// number of floating-point operations. Benchmarks measure the limit of the processor
// with it. It returns 0 immediately if the kernel is plain Go.
func Peak(rounds int) (operations float64) {
	return float64(2 * rounds * peak(rounds))
}
