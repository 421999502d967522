package plot

import "gonum.org/v1/plot/vg"

// spread moves positions, sorted from high to low, so that neighbors are step apart and, if there is
// room, within low and high. The sum of the squares of the moves is the least possible.
func spread(at []vg.Length, step, low, high vg.Length) []vg.Length {
	// A block is a run of labels without gaps, around the mean of the positions that they want.
	type block struct {
		sum vg.Length // sum of the positions that its members want for its first
		n   int
	}
	first := func(b block) vg.Length {
		top := high
		return max(min(b.sum/vg.Length(b.n), top), low+step*vg.Length(b.n-1))
	}
	var blocks []block
	for _, y := range at {
		b := block{y, 1}
		for len(blocks) > 0 {
			above := blocks[len(blocks)-1]
			if first(above)-step*vg.Length(above.n) >= first(b) {
				break
			}
			// The lower block's first stands above.n steps below the upper's.
			b = block{above.sum + b.sum + step*vg.Length(above.n*b.n), above.n + b.n}
			blocks = blocks[:len(blocks)-1]
		}
		blocks = append(blocks, b)
	}
	var placed []vg.Length
	for _, b := range blocks {
		y := first(b)
		for i := range b.n {
			placed = append(placed, y-step*vg.Length(i))
		}
	}
	return placed
}
