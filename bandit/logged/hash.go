package logged

// FNV-1a (Fowler, Noll and Vo), to find rows that are the same.
const (
	offset64 = 14695981039346656037
	prime64  = 1099511628211
)

func hashBytes[T ~string | ~[]byte](h uint64, b T) uint64 {
	for i := range len(b) {
		h = (h ^ uint64(b[i])) * prime64
	}
	return h
}
