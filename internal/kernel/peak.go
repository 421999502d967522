package kernel

// Peak runs rounds of independent multiply-adds on vector registers and returns the
// number of floating-point operations. Benchmarks use its time as the limit of
// the processor. It returns 0 at once if the kernel is plain Go.
func Peak(rounds int) (operations float64) {
	return float64(2 * rounds * peak(rounds))
}
