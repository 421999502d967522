package stream

// Buffered hands out the normals of a stream a few at a time. Stream.Normals uses
// up a whole chunk of numbers for any vector, however short: that makes the
// numbers of a wide vector independent of its width, and is a waste for a chain of one
// or two dimensions. The numbers of Buffered are those of one endless vector.
//
// The stream must not be used by anybody else. A Buffered is not safe for
// concurrent use, and cannot be saved.
type Buffered struct {
	rand *Stream
	left []float32
	all  [4096]float32
}

// NewBuffered returns the normals of s.
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
