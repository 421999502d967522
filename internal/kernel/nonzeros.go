package kernel

// Nonzeros appends the ascending indices of the elements of x that are not zero to dst,
//
//	for i, v := range x {
//		if v != 0 {
//			dst = append(dst, int32(i))
//		}
//	}
//
// It makes the lists of [SumRows] and [AddRows]. NaN is not zero, −0 is.
func Nonzeros(dst []int32, x []float32) []int32 {
	dst, done := nonzeroBlocks(dst, x)
	for i := done; i < len(x); i++ {
		if x[i] != 0 {
			dst = append(dst, int32(i))
		}
	}
	return dst
}
