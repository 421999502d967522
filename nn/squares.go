package nn

import "banditsim/internal/kernel"

// spread writes the squares of an image to the rows of a matrix, one square per row, with leading dimension ld: a
// convolution is then a matrix product.
func (s *stage) spread(squares []float32, ld int, image []float32) {
	run := s.Size * s.channels // a row of a square
	for y := range s.rows {
		for x := range s.cols {
			row := squares[(y*s.cols+x)*ld:][:s.Size*run]
			top, left := y*s.Stride-s.Padding, x*s.Stride-s.Padding
			from, to := s.within(left)
			for dy := range s.Size {
				dst := row[dy*run:][:run]
				if top+dy < 0 || top+dy >= s.height || from >= to {
					clear(dst)
					continue
				}
				if to-from < run {
					clear(dst)
				}
				copy(dst[from:to], image[((top+dy)*s.width+left)*s.channels+from:])
			}
		}
	}
}

// gather adds the rows of the matrix that spread writes to the elements of the image that they came from.
func (s *stage) gather(image, squares []float32, ld int) {
	run := s.Size * s.channels
	for y := range s.rows {
		for x := range s.cols {
			row := squares[(y*s.cols+x)*ld:][:s.Size*run]
			top, left := y*s.Stride-s.Padding, x*s.Stride-s.Padding
			from, to := s.within(left)
			if from >= to {
				continue
			}
			for dy := max(0, -top); dy < min(s.Size, s.height-top); dy++ {
				first := ((top+dy)*s.width + left) * s.channels
				add := row[dy*run+from : dy*run+to]
				kernel.ColumnSums(image[first+from:first+to], add, len(add), 1, len(add))
			}
		}
	}
}

// within returns which elements of a square's row, whose first pixel is in column left, lie in the image.
func (s *stage) within(left int) (from, to int) {
	return max(0, -left) * s.channels, min(s.Size, s.width-left) * s.channels
}

// With few channels the squares of an image would be many short copies. Where they lie side by side, the products take
// the image itself: its rows follow one another, so that a row of the squares is a slice of them, and those of the next
// square begin one pixel later. Squares that would reach from the end of one row into the next are computed too, and
// never read: a map has span = width numbers per row, of which cols are meant.

// convolve writes the maps of an image: for each row of the filters a product of all places with the weights of that row.
func (s *stage) convolve(maps, image, x []float32) {
	n, run := s.Filters, s.Size*s.channels
	kernel.MulBias(maps, n, s.bias(x), image, s.channels, 1, s.weights(x), n, s.places(), n, run)
	for dy := 1; dy < s.Size; dy++ {
		kernel.MulAdd(maps, n, image[dy*s.width*s.channels:], s.channels, 1, s.weights(x)[dy*run*n:], n, s.places(), n, run)
	}
	kernel.ReLU(maps)
}

// convolveGradient adds the gradient by the weights. delta, the derivative by the maps, is 0 at the places that are not
// meant.
func (s *stage) convolveGradient(grad, delta, image []float32) {
	n, run := s.Filters, s.Size*s.channels
	for dy := range s.Size {
		kernel.MulAdd(grad[s.Weights+dy*run*n:], n, image[dy*s.width*s.channels:], 1, s.channels, delta, n, run, n, s.places())
	}
}
