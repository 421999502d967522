package kernel

// Peak runs rounds of nothing but independent multiply-adds on vectors and
// returns how many floating-point operations that was. Benchmarks time it as
// the limit of the processor. Plain Go has none: 0.
func Peak(rounds int) (operations float64) {
	return float64(2 * rounds * peak(rounds))
}
