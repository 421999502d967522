package stream

// Choose returns the index i in 0 … n−1 for which u, in [0, 1), lies between the sum of the weights before i and the
// sum up to i. The weights should sum to 1. If u is not below their sum, because of rounding, Choose returns the last
// index with a positive weight, or n−1 if there is none.
func Choose(n int, u float64, weight func(i int) float64) int {
	last := n - 1
	for i := range n {
		w := weight(i)
		if u < w {
			return i
		}
		if w > 0 {
			last = i
		}
		u -= w
	}
	return last
}

// Permutation fills order with a random permutation of 0 … len(order)−1.
func (s *Stream) Permutation(order []int32) {
	for i := range order {
		k := s.IntN(i + 1)
		order[i] = order[k]
		order[k] = int32(i)
	}
}
