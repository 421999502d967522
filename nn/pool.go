package nn

import "math"

// MaxPool is the largest side of a pooled square: the place of its largest element is kept in a byte.
const MaxPool = 15

// poolLargest writes the largest number of each square of the maps to out, and which element of the square that is to
// place: the first, if several are equal. The numbers are at least 0 or NaN, as after ReLU.
//
//	for y, x, f := range pooled {
//		for p := range pool × pool { // row by row
//			if maps[y·pool + p/pool][x·pool + p%pool][f] > out[y][x][f] {
//				out[y][x][f], place[y][x][f] = …, p
//			}
//		}
//	}
//
// Numbers that are not negative have the order of their bits; with the place in the lowest bits the largest of integers
// needs no branch.
func (s *stage) poolLargest(out []float32, place []uint8, maps []float32) {
	last := uint64(s.Pool*s.Pool - 1)
	n := s.Filters
	o := 0
	for y := range s.rows / s.Pool {
		for x := range s.cols / s.Pool {
			first := (y*s.span + x) * s.Pool * n
			dst, at := out[o:][:n], place[o:][:n]
			switch s.Pool {
			case 2: // the usual side: all four in one pass
				a, b := maps[first:][:n], maps[first+s.pooled[1]:][:n]
				c, d := maps[first+s.pooled[2]:][:n], maps[first+s.pooled[3]:][:n]
				for f := range dst {
					v := max(max(key(a[f], 3), key(b[f], 2)), max(key(c[f], 1), key(d[f], 0)))
					dst[f], at[f] = math.Float32frombits(uint32(v>>8)), uint8(3-v&255)
				}
			default:
				for f := range dst {
					var v uint64
					for p, offset := range s.pooled {
						v = max(v, key(maps[first+offset+f], last-uint64(p)))
					}
					dst[f], at[f] = math.Float32frombits(uint32(v>>8)), uint8(last-v&255)
				}
			}
			o += n
		}
	}
}

// key orders numbers that are not negative by size, then by rank. The sign of −0 goes.
func key(v float32, rank uint64) uint64 {
	return uint64(math.Float32bits(v)&(1<<31-1))<<8 | rank
}

// unpoolLargest sets delta, the derivative by the maps before ReLU, from the derivative by out: it goes to the largest
// number of each square, if that is positive.
func (s *stage) unpoolLargest(delta, by, out []float32, place []uint8) {
	clear(delta)
	n := s.Filters
	o := 0
	for y := range s.rows / s.Pool {
		for x := range s.cols / s.Pool {
			dst := delta[(y*s.span+x)*s.Pool*n:]
			at, h := place[o:][:n], out[o:][:n]
			for f, d := range by[o:][:n] {
				// without a branch: all bits of d if h is positive or NaN, none if it is 0
				active := uint32(-int32(math.Float32bits(h[f])) >> 31)
				dst[s.pooled[at[f]]+f] = math.Float32frombits(math.Float32bits(d) & active)
			}
			o += n
		}
	}
}

// poolMean writes the mean of each square of the maps to out, and to active whether each number of the maps is positive.
func (s *stage) poolMean(out []float32, active []uint8, maps []float32) {
	for i, v := range maps {
		active[i] = 0
		if !(v <= 0) {
			active[i] = 1
		}
	}
	clear(out)
	share := 1 / float32(s.Pool*s.Pool)
	s.eachPooled(func(pooled, element int) {
		dst, src := out[pooled:][:s.Filters], maps[element:][:s.Filters]
		for f, v := range src {
			dst[f] += float32(share * v)
		}
	})
}

// unpoolMean sets delta from the derivative by out after poolMean, as unpoolLargest does after poolLargest.
func (s *stage) unpoolMean(delta, by []float32, active []uint8) {
	clear(delta)
	share := 1 / float32(s.Pool*s.Pool)
	s.eachPooled(func(pooled, element int) {
		src, at := by[pooled:][:s.Filters], active[element:][:s.Filters]
		for f, d := range src {
			if at[f] != 0 {
				delta[element+f] = share * d
			}
		}
	})
}

// eachPooled calls f with the offset of each pooled number and of each element of its square, in the map of the first filter.
func (s *stage) eachPooled(f func(pooled, element int)) {
	pooled := 0
	for y := range s.rows / s.Pool {
		for x := range s.cols / s.Pool {
			first := (y*s.span + x) * s.Pool * s.Filters
			for _, offset := range s.pooled {
				f(pooled, first+offset)
			}
			pooled += s.Filters
		}
	}
}
