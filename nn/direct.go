package nn

import "banditsim/internal/kernel"

// With few channels the squares of an image would be many short copies. Where they lie side by side, the products take
// the image itself: its rows follow one another, so that a row of the squares is a slice of them, and those of the next
// square begin one pixel later. Squares that would reach from the end of one row into the next are computed too, and
// never read: a map has span = width numbers per row, of which cols are meant.

// convolve writes the maps of an image: for each row of the filters a product of all places with the weights of that row.
func (s *stage) convolve(maps, image, x []float32) {
	n, run := s.Filters, s.Size*s.channels
	kernel.MulBias(maps, n, x[s.b:s.b+n], image, s.channels, 1, x[s.w:s.b], n, s.places(), n, run)
	for dy := 1; dy < s.Size; dy++ {
		kernel.MulAdd(maps, n, image[dy*s.width*s.channels:], s.channels, 1, x[s.w+dy*run*n:s.b], n, s.places(), n, run)
	}
	kernel.ReLU(maps)
}

// convolveGradient adds the gradient by the weights. delta, the derivative by the maps, is 0 at the places that are not
// meant.
func (s *stage) convolveGradient(grad, delta, image []float32) {
	n, run := s.Filters, s.Size*s.channels
	for dy := range s.Size {
		kernel.MulAdd(grad[s.w+dy*run*n:], n, image[dy*s.width*s.channels:], 1, s.channels, delta, n, run, n, s.places())
	}
}
