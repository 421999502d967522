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
