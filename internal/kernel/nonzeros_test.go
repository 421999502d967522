package kernel

import (
	"slices"
	"testing"
)

// TestNonzeros compares Nonzeros with the loop in its comment, on all lengths around whole vectors and blocks of 64.
func TestNonzeros(t *testing.T) {
	r := source(1)
	eachKernel(t, func(t *testing.T) {
		b := borders{t: t}
		for n := range 300 {
			for lead := range 4 {
				x := b.slice(n, lead)
				fill(r, x, 10)
				want := []int32{-7} // of the list before
				for i := range x {
					if share := lead; r.IntN(4) < share { // none, a quarter, half or most are zero
						x[i] = special[r.IntN(2)] // 0 or −0
					}
					if x[i] != 0 {
						want = append(want, int32(i))
					}
				}
				if got := Nonzeros([]int32{-7}, x); !slices.Equal(got, want) {
					t.Fatalf("%d elements, lead %d: %v, want %v", n, lead, got, want)
				}
				b.check()
			}
		}
	})
}
