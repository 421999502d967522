package stream

// Buffered returns the normals of a stream in small pieces. Stream.Normals consumes a whole chunk
// of numbers for any vector, which makes the numbers of a long vector independent of its length
// but is wasteful in one or two dimensions. The numbers of Buffered are those of one endless
// vector.
//
// The stream must have no other user. A Buffered is not safe for concurrent use and cannot be
// saved.
type Buffered struct {
	rand *Stream
	left []float32
	all  [4096]float32
}

// NewBuffered returns a buffer over s.
func NewBuffered(s *Stream) *Buffered { return &Buffered{rand: s} }

// Normals fills dst with the next standard normal numbers.
func (b *Buffered) Normals(dst []float32) {
	for len(dst) > 0 {
		if len(b.left) == 0 {
			b.rand.Normals(b.all[:])
			b.left = b.all[:]
		}
		n := copy(dst, b.left)
		dst, b.left = dst[n:], b.left[n:]
	}
}
