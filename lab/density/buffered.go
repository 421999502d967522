package density

import "banditsim/bandit/stream"

// A Buffered returns the normal numbers of a stream in small pieces. stream.Stream.Normals consumes at least a whole chunk
// of numbers in each call, which is wasteful for vectors of one or two elements. The numbers that a Buffered returns
// are those of a single long vector.
//
// Nothing else may draw from the stream. A Buffered is not safe for concurrent use and cannot be saved.
type Buffered struct {
	rand *stream.Stream
	left []float32
	all  [4096]float32
}

// NewBuffered returns a buffer over s.
func NewBuffered(s *stream.Stream) *Buffered { return &Buffered{rand: s} }

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
